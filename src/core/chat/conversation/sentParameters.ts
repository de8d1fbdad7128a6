import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import type { LooseRecord } from '../../base/loose.ts';
import {
  type ConnectionDefaults,
  type ParameterName,
  parameterNames,
  type QuestionDefaults,
  type RequestParameters,
} from '../../connections/questionDefaults.ts';

/** A place in which something is set for the next question, and what is set there. */
export type PlacedDefaults = QuestionDefaults & { readonly place: 'conversation' | 'model' | 'connection' };

/**
 * The places in which something can be set for a question, the first of them first.
 *
 * @param model exact id of the model that is asked.
 */
export function placedDefaults(
  { systemPrompt, parameters }: QuestionDefaults,
  connection: ConnectionDefaults = {},
  model = '',
): readonly PlacedDefaults[] {
  const { modelSystemPrompts, modelParameters } = connection;
  return [
    { place: 'conversation', systemPrompt, parameters },
    { place: 'model', systemPrompt: modelSystemPrompts?.get(model), parameters: modelParameters?.get(model) },
    { place: 'connection', systemPrompt: connection.systemPrompt, parameters: connection.parameters },
  ];
}

/** A parameter that is set, and where. */
export type PlacedParameter = {
  readonly name: ParameterName;
  readonly place: PlacedDefaults['place'];
  /** Null: none is sent, although one is set for the model or the connection. */
  readonly value: RequestParameters[ParameterName];
  /** The fields of the request's body, without those that the gateway rejected for this model. */
  readonly fields: LooseRecord;
  /** Names of the fields that the gateway rejected. */
  readonly omitted: readonly string[];
};

/**
 * The parameters that are set for a question. Each is that of the conversation, or else that of the model, or else that
 * of the connection.
 */
export function placedParameters(...question: Parameters<typeof placedDefaults>): readonly PlacedParameter[] {
  const places = placedDefaults(...question);
  const inherited = places.slice(1).map(({ parameters }) => parameters);
  const tokenLimitField = inherited.find((each) => each?.tokenLimitField)?.tokenLimitField ?? 'max_tokens';
  const omit = new Set<unknown>(inherited.flatMap((each) => each?.omit ?? []));
  const fieldOf = { reasoningEffort: 'reasoning_effort', temperature: 'temperature', tokenLimit: tokenLimitField };
  return parameterNames.flatMap((name) => {
    const { place, parameters } = places.find((each) => each.parameters?.[name] !== undefined) ?? {};
    const value = parameters?.[name];
    if (place === undefined || value === undefined) {
      return [];
    }
    const all = value === null ? [] : name === 'extraBody' ? Object.entries(value) : [[fieldOf[name], value] as const];
    const fields = Object.fromEntries(all.filter(([field]) => !omit.has(field)));
    return [{ name, place, value, fields, omitted: all.map(([field]) => field).filter((field) => omit.has(field)) }];
  });
}

/** The fields that the parameters add to the body of a request; undefined when there are none. */
export function requestOptions(...question: Parameters<typeof placedParameters>): LooseRecord | undefined {
  // The extra body comes first, as it was written, so that the named parameters are found at the end.
  const fields = placedParameters(...question).toReversed();
  const options = Object.fromEntries(fields.flatMap((each) => Object.entries(each.fields)));
  return Object.keys(options).length > 0 ? options : undefined;
}

/** The token limit that is sent, if any. */
export function tokenLimitOf(...question: Parameters<typeof placedParameters>): number | undefined {
  const placed = placedParameters(...question).find(({ name }) => name === 'tokenLimit');
  const [limit] = Object.values(placed?.fields ?? {});
  return typeof limit === 'number' ? limit : undefined;
}

/** A parameter that is sent, in a few words; undefined when nothing of it is sent. */
export function parameterText({ name, value, fields }: PlacedParameter): string | undefined {
  const names = Object.keys(fields);
  if (names.length === 0) {
    return undefined;
  }
  switch (name) {
    case 'reasoningEffort':
      return l10n.t('effort: {0}', String(value));
    case 'temperature':
      return l10n.t('temperature: {0}', numberText(Number(value)));
    case 'tokenLimit':
      return l10n.t('up to {0} tokens', numberText(Number(value)));
    case 'extraBody':
      return names.length > 2
        ? l10n.t('{0} and {1} more', names[0] ?? '', numberText(names.length - 1))
        : names.join(', ');
    default:
      return name satisfies never;
  }
}

/** A system prompt, and where the person set it. */
export type PlacedPrompt = { readonly place: PlacedDefaults['place']; readonly text: string };

/**
 * The one system prompt that is sent with a question: the conversation's own, or else that of the model, or else that of
 * the connection. None if none is set, or if the conversation's own is blank.
 */
export function sentPrompt(...question: Parameters<typeof placedDefaults>): PlacedPrompt | undefined {
  const { place, systemPrompt } = placedDefaults(...question).find((each) => each.systemPrompt !== undefined) ?? {};
  const text = systemPrompt?.trim();
  return place && text ? { place, text } : undefined;
}
