import * as l10n from '@vscode/l10n';
import { numberText } from '../base/localization.ts';
import { isRecord, jsonText, type LooseRecord } from '../base/loose.ts';
import { holdsKey } from '../secrets/redact.ts';

/** The parameters that a person can set, in the order they are shown in. */
export const parameterNames = ['reasoningEffort', 'temperature', 'tokenLimit', 'extraBody'] as const;
export type ParameterName = (typeof parameterNames)[number];

/** The fields that a token limit can be sent in. Newer models of OpenAI accept only the second one (wire Q58). */
export const tokenLimitFields = ['max_tokens', 'max_completion_tokens'] as const;
type TokenLimitField = (typeof tokenLimitFields)[number];

/**
 * Parameters of requests as a person set them for a connection, a model or a conversation. One that is absent isn't set
 * there; null means that none is sent, whatever is set for the model or the connection.
 */
export type RequestParameters = {
  readonly reasoningEffort?: string | null;
  /** From 0 to 2. */
  readonly temperature?: number | null;
  /** The most tokens of a reply. */
  readonly tokenLimit?: number | null;
  /** Fields that are added to the body of the request. */
  readonly extraBody?: LooseRecord | null;
  /** `max_tokens` by default. Not read from conversations, because it depends on the model. */
  readonly tokenLimitField?: TokenLimitField;
  /** Fields of the body that are never sent, because the gateway rejected them. */
  readonly omit?: readonly string[];
};

/** Parameters to set; one that is undefined isn't set any more. */
export type ParameterChange = { readonly [Name in keyof RequestParameters]?: RequestParameters[Name] | undefined };

/** The parameters that a person set for a connection. Those of other extensions' requests are their own. */
export type ConnectionParameters = {
  readonly parameters?: RequestParameters;
  /** By the exact id of the model. */
  readonly modelParameters?: ReadonlyMap<string, RequestParameters>;
};

/** Bytes and levels of `extraBody`, and the models of a connection that have parameters. */
const parameterLimits = { bodyBytes: 65_536, bodyDepth: 100, models: 500 } as const;

/** Fields of the body that the extension sets, and `n`, which would make one call cost as much as several. */
const ownFields: readonly string[] = ['model', 'messages', 'stream', 'stream_options', 'tools', 'n'];

/** Fields that have a parameter of their own. */
const namedFields: ReadonlyMap<string, ParameterName> = new Map([
  ['temperature', 'temperature'],
  ['reasoning_effort', 'reasoningEffort'],
  ...tokenLimitFields.map((field) => [field, 'tokenLimit'] as const),
]);

/**
 * Why a value can't be a parameter, as a sentence that names the parameter; undefined when it can.
 *
 * @param hasKey whether a text contains a key.
 */
export function parameterProblem(
  name: ParameterName,
  value: unknown,
  hasKey: (text: string) => boolean = holdsKey,
): string | undefined {
  switch (name) {
    case 'temperature':
      return typeof value === 'number' && value >= 0 && value <= 2
        ? undefined
        : l10n.t('{0} must be a number from {1} to {2}.', name, 0, 2);
    case 'tokenLimit':
      return Number.isSafeInteger(value) && Number(value) >= 1
        ? undefined
        : l10n.t('{0} must be a whole number of at least 1.', name);
    case 'reasoningEffort':
      if (typeof value !== 'string' || !/^[\w.-]{1,64}$/.test(value)) {
        return l10n.t('{0} must be one word, such as {1}.', name, 'high');
      }
      return hasKey(value) ? keyProblem(name) : undefined;
    case 'extraBody':
      return bodyProblem(name, value, hasKey);
    default:
      return name satisfies never;
  }
}

function bodyProblem(name: string, value: unknown, hasKey: (text: string) => boolean): string | undefined {
  if (!isRecord(value)) {
    return l10n.t('{0} must be a JSON object, such as {1}.', name, '{"top_p": 0.9}');
  }
  for (const field of Object.keys(value)) {
    // Gateways written in Go ignore case when they match names, and fold some letters outside of ASCII.
    const folded = field.normalize('NFKC').toLowerCase();
    const named = namedFields.get(folded);
    if (ownFields.includes(folded)) {
      return l10n.t("{0} can't be set in {1}, because Ask Model sets it.", field, name);
    }
    if (named !== undefined) {
      return l10n.t("{0} can't be set in {1}. Set the parameter {2} instead.", field, name, named);
    }
  }
  const text = isNestedDeeper(value, parameterLimits.bodyDepth) ? undefined : jsonText(value);
  if (text === undefined) {
    return l10n.t('{0} is nested too deeply.', name);
  }
  if (hasInexactNumber(value)) {
    return l10n.t(
      "{0} contains a number that can't be sent exactly. Enter it as text if the gateway accepts that.",
      name,
    );
  }
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > parameterLimits.bodyBytes) {
    return l10n.t(
      '{0} can have at most {1} KB, and this one has {2} KB.',
      name,
      numberText(parameterLimits.bodyBytes / 1_024),
      numberText(Math.ceil(bytes / 1_024)),
    );
  }
  return hasKey(text) ? keyProblem(name) : undefined;
}

/** Code that walks through a body calls itself for each level, so the levels are limited. */
function isNestedDeeper(value: unknown, depth: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (depth === 0 || Object.values(value).some((each) => isNestedDeeper(each, depth - 1)))
  );
}

/** Whether a number was rounded when it was parsed, or has no JSON at all. */
function hasInexactNumber(value: unknown): boolean {
  return typeof value === 'number'
    ? !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
    : typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber);
}

function keyProblem(name: string): string {
  return l10n.t('{0} contains a key, or what looks like one. It would be saved as plain text and sent.', name);
}

/** Reads the parameters of an entry in the settings. Reports and leaves out those that can't be used. */
export function readConnectionParameters(
  { parameters, modelParameters }: Readonly<Record<string, unknown>>,
  report: (problem: string) => void,
): ConnectionParameters {
  const own = readParameters(parameters, report, 'parameters');
  if (modelParameters !== undefined && !isRecord(modelParameters)) {
    report(l10n.t('{0} must be an object.', 'modelParameters'));
  }
  const ofModels = new Map<string, RequestParameters>();
  for (const [model, value] of isRecord(modelParameters) ? Object.entries(modelParameters) : []) {
    const read = readParameters(value, report, 'modelParameters');
    if (read !== undefined && ofModels.size === parameterLimits.models) {
      report(
        l10n.t('{0} can have at most {1} models. The ones after them are ignored.', 'modelParameters', ofModels.size),
      );
      break;
    }
    if (read !== undefined) {
      ofModels.set(model, read);
    }
  }
  return {
    ...(own !== undefined && { parameters: own }),
    ...(ofModels.size > 0 && { modelParameters: ofModels }),
  };
}

/**
 * Reads parameters from the settings or from a stored conversation.
 *
 * @returns undefined when none is set.
 */
export function readParameters(
  value: unknown,
  report: (problem: string) => void = () => undefined,
  property = 'parameters',
): RequestParameters | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!isRecord(value)) {
    report(l10n.t('{0} must be an object.', property));
    return undefined;
  }
  const read: [string, unknown][] = [];
  for (const name of parameterNames) {
    const given = value[name];
    const problem = given === undefined || given === null ? undefined : parameterProblem(name, given);
    if (problem !== undefined) {
      report(problem);
    } else if (given !== undefined) {
      read.push([name, given]);
    }
  }
  const { tokenLimitField, omit } = value;
  if (tokenLimitFields.some((field) => field === tokenLimitField)) {
    read.push(['tokenLimitField', tokenLimitField]);
  } else if (tokenLimitField !== undefined) {
    report(l10n.t('{0} must be {1} or {2}.', 'tokenLimitField', ...tokenLimitFields));
  }
  const omitted = Array.isArray(omit) ? omit.filter((field) => typeof field === 'string') : [];
  if (omit !== undefined && !Array.isArray(omit)) {
    report(l10n.t('{0} must be a list.', 'omit'));
  }
  if (omitted.length > 0) {
    read.push(['omit', omitted]);
  }
  return read.length > 0 ? Object.fromEntries(read) : undefined;
}

/** What to change for a model whose gateway rejected a field. `instead`: the field to send a token limit in. */
export function changeAfterRejection(
  parameters: RequestParameters | undefined,
  { parameter, instead }: { readonly parameter: string; readonly instead?: string },
): ParameterChange {
  const tokenLimitField = tokenLimitFields.find((field) => field === instead);
  return tokenLimitField === undefined
    ? { omit: [...new Set([...(parameters?.omit ?? []), parameter])] }
    : { tokenLimitField };
}

/**
 * Parameters with some of them changed; the others stay, also those that can't be used.
 *
 * @returns undefined when none is set any more.
 */
export function withParameters<T extends object>(
  parameters: T | undefined,
  change: ParameterChange,
): (T & RequestParameters) | undefined {
  const set = Object.entries({ ...parameters, ...change }).filter(([, value]) => value !== undefined);
  return set.length > 0 ? (Object.fromEntries(set) as T & RequestParameters) : undefined;
}
