import type { SystemPrompts } from '../../connections/questionDefaults.ts';
import type { Conversation } from './conversation.ts';

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
