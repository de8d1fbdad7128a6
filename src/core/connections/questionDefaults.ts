import * as l10n from '@vscode/l10n';
import { numberText, sentences } from '../base/localization.ts';
import { isRecord, jsonText, type LooseRecord, parseJson, recordOf } from '../base/loose.ts';
import { holdsKey } from '../secrets/redact.ts';

/** The parameters that a person can set, in the order they are shown in. */
export const parameterNames = ['reasoningEffort', 'temperature', 'tokenLimit', 'extraBody'] as const;
export type ParameterName = (typeof parameterNames)[number];
/** Those of a model or a connection, with what depends on the model. */
const modelParameterNames = [...parameterNames, 'tokenLimitField', 'omit'] as const;
type ModelParameterName = (typeof modelParameterNames)[number];

/** The fields that a token limit can be sent in. Newer models of OpenAI accept only the second one (wire Q58). */
const tokenLimitFields = ['max_tokens', 'max_completion_tokens'] as const;
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
  readonly tokenLimitField?: TokenLimitField | null;
  /** Fields of the body that are never sent, because the gateway rejected them. */
  readonly omit?: readonly string[] | null;
};

/** Parameters to set; one that is undefined isn't set any more. */
export type ParameterChange = { readonly [Name in keyof RequestParameters]?: RequestParameters[Name] | undefined };

/** What a person set for questions, in one place. */
export type QuestionDefaults = {
  readonly systemPrompt?: string;
  readonly parameters?: RequestParameters;
};

/** What a person set for the questions of a connection. Requests of other extensions have their own. */
export type ConnectionDefaults = QuestionDefaults & {
  /** By the exact id of the model. */
  readonly modelParameters?: ReadonlyMap<string, RequestParameters>;
  /** By the exact id of the model. As that of the connection, a prompt is never blank. */
  readonly modelSystemPrompts?: ReadonlyMap<string, string>;
};

/** Bytes and levels of `extraBody`. */
const parameterLimits = { bodyBytes: 65_536, bodyDepth: 100 } as const;

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
  name: ModelParameterName,
  value: unknown,
  hasKey: (text: string) => boolean = holdsKey,
): string | undefined {
  switch (name) {
    case 'tokenLimitField':
      return tokenLimitFields.some((field) => field === value)
        ? undefined
        : l10n.t('{0} must be {1} or {2}.', name, ...tokenLimitFields);
    case 'omit':
      return Array.isArray(value) ? undefined : l10n.t('{0} must be a list.', name);
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

function keyProblem(name: string): string {
  return l10n.t('{0} contains a key, or what looks like one. It would be saved as plain text and sent.', name);
}

/** Reads what an entry in the settings sets for questions. Reports and leaves out what can't be used. */
export function readDefaults(
  { systemPrompt, modelSystemPrompts, parameters, modelParameters }: Readonly<Record<string, unknown>>,
  report: (problem: string) => void,
): ConnectionDefaults {
  return {
    systemPrompt: readPrompt('systemPrompt', systemPrompt, report),
    modelSystemPrompts: readByModel(modelSystemPrompts, (each) => readPrompt('modelSystemPrompts', each, report)),
    parameters: readParameters(parameters, report, 'parameters'),
    modelParameters: readByModel(modelParameters, (each) => readParameters(each, report, 'modelParameters')),
  };
}

/** Reads what is set for models, by their ids; undefined when nothing is. */
function readByModel<T>(value: unknown, read: (value: unknown) => T | undefined): ReadonlyMap<string, T> | undefined {
  const found = Object.entries(recordOf(value)).flatMap(([model, each]) => {
    const one = read(each);
    return one === undefined ? [] : [[model, one] as const];
  });
  return found.length > 0 ? new Map(found) : undefined;
}

/**
 * Reads parameters from the settings or from a stored conversation.
 *
 * @param report called with each problem, and with the field that it is about.
 * @returns undefined when none is set.
 */
export function readParameters(
  value: unknown,
  report: (problem: string, field?: string) => void = () => undefined,
  property = 'parameters',
  hasKey?: (text: string) => boolean,
): RequestParameters | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!isRecord(value)) {
    report(l10n.t('{0} must be an object.', property));
    return undefined;
  }
  const read: [string, unknown][] = [];
  for (const name of modelParameterNames) {
    const given = value[name];
    const problem = given === undefined || given === null ? undefined : parameterProblem(name, given, hasKey);
    if (problem !== undefined) {
      report(problem, name);
    } else if (given !== undefined) {
      read.push([name, given]);
    }
  }
  return read.length > 0 ? Object.fromEntries(read) : undefined;
}

/** A problem of a text with parameters, and the field that it is about. */
type ParameterProblem = { readonly text: string; readonly field?: string };

/**
 * Reads the JSON in which a person edits parameters; a blank text has none. A name that is no parameter is a problem: it
 * would be sent nowhere.
 *
 * @param place what the parameters are for.
 */
export function readParameterText(
  text: string,
  place: 'conversation' | 'model' | 'connection',
  hasKey?: (text: string) => boolean,
): { readonly parameters?: RequestParameters; readonly problems: readonly ParameterProblem[] } {
  const value = text.trim() === '' ? {} : parseJson(text);
  if (!isRecord(value)) {
    const example = '{"temperature": 0.2}';
    return { problems: [{ text: l10n.t('{0} must be a JSON object, such as {1}.', 'parameters', example) }] };
  }
  const names: readonly string[] = place === 'conversation' ? parameterNames : modelParameterNames;
  const unknown = Object.keys(value).filter((field) => !names.includes(field));
  const problems: ParameterProblem[] = unknown.map((field) => {
    return { field, text: l10n.t("{0} isn't a parameter. Put other fields of requests into {1}.", field, 'extraBody') };
  });
  const report = (problem: string, field?: string) => problems.push({ text: problem, field });
  return { parameters: readParameters(value, report, 'parameters', hasKey), problems };
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
 * Parameters, or properties of an entry, with some of them changed; the others stay, also those that can't be used.
 *
 * @returns undefined when none is set any more.
 */
export function withChanges<T extends object>(
  parameters: T | undefined,
  change: Readonly<Record<string, unknown>>,
): T | undefined {
  const set = Object.entries({ ...parameters, ...change }).filter(([, value]) => value !== undefined);
  return set.length > 0 ? (Object.fromEntries(set) as T) : undefined;
}

/** In UTF-16 units. */
const maxPromptChars = 32_000;

/** Why a text can't be a system prompt, as a sentence; undefined when it can. */
export function systemPromptProblem(text: string, hasKey: (text: string) => boolean = holdsKey): string | undefined {
  if (text.length > maxPromptChars) {
    return l10n.t(
      'A system prompt can have at most {0} characters, and this one has {1}.',
      numberText(maxPromptChars),
      numberText(text.length),
    );
  }
  return hasKey(text)
    ? l10n.t('This system prompt contains a key, or what looks like one. It would be saved as plain text and sent.')
    : undefined;
}

function readPrompt(property: string, value: unknown, report: (problem: string) => void): string | undefined {
  const text = typeof value === 'string' ? value : '';
  const problem = systemPromptProblem(text);
  if (problem !== undefined) {
    report(sentences(l10n.t('{0} is ignored.', property), problem));
  }
  return problem === undefined && text.trim() !== '' ? text : undefined;
}
