import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import type { LooseRecord } from '../../base/loose.ts';
import {
  type ConnectionParameters,
  type ParameterName,
  parameterNames,
  type RequestParameters,
  type SystemPrompts,
} from '../../connections/questionDefaults.ts';
import type { Conversation } from './conversation.ts';

/** A parameter that is set, and where. */
export type PlacedParameter = {
  readonly name: ParameterName;
  readonly place: PlacedPrompt['place'];
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
 *
 * @param model exact id of the model that is asked.
 */
export function placedParameters(
  { parameters }: Pick<Conversation, 'parameters'>,
  ofConnection: ConnectionParameters | undefined,
  model: string | undefined,
): readonly PlacedParameter[] {
  const ofModel = model === undefined ? undefined : ofConnection?.modelParameters?.get(model);
  const places = [
    ['conversation', parameters],
    ['model', ofModel],
    ['connection', ofConnection?.parameters],
  ] as const;
  const tokenLimitField = ofModel?.tokenLimitField ?? ofConnection?.parameters?.tokenLimitField ?? 'max_tokens';
  const omit = new Set([ofModel, ofConnection?.parameters].flatMap((each) => each?.omit ?? []));
  const fieldOf = { reasoningEffort: 'reasoning_effort', temperature: 'temperature', tokenLimit: tokenLimitField };
  return parameterNames.flatMap((name) => {
    const [place, set] = places.find(([, each]) => each?.[name] !== undefined) ?? [];
    const value = set?.[name];
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
export type PlacedPrompt = { readonly place: 'conversation' | 'model' | 'connection'; readonly text: string };

/**
 * The one system prompt that is sent with a question: the conversation's own, or else that of the model, or else that of
 * the connection. None if none is set, or if the conversation's own is blank.
 *
 * @param model exact id of the model that is asked.
 */
export function sentPrompt(
  { systemPrompt }: Pick<Conversation, 'systemPrompt'>,
  prompts: SystemPrompts | undefined,
  model: string | undefined,
): PlacedPrompt | undefined {
  const prompt =
    systemPrompt === undefined
      ? inheritedPrompt(prompts, model)
      : ({ place: 'conversation', text: systemPrompt } as const);
  const text = prompt?.text.trim() ?? '';
  return prompt && text !== '' ? { place: prompt.place, text } : undefined;
}

/** What is sent in a conversation without a system prompt of its own. */
export function inheritedPrompt(
  prompts: SystemPrompts | undefined,
  model: string | undefined,
): PlacedPrompt | undefined {
  const ofModel = model === undefined ? undefined : prompts?.modelSystemPrompts?.get(model);
  const ofConnection = prompts?.systemPrompt;
  return ofModel !== undefined
    ? { place: 'model', text: ofModel }
    : ofConnection !== undefined
      ? { place: 'connection', text: ofConnection }
      : undefined;
}
