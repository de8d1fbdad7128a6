import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { messageOf } from '../../base/loose.ts';
import { base64Form, type Picture, pictureName, picturesIn } from '../../base/pictures.ts';
import type { CodeContext } from '../context/prompt.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { parseEvent, writeEvent } from '../conversation/conversationRecord.ts';

const format = 'ask-model-conversations';
const version = 1;
/** Maximum size of an imported file, in bytes: about a hundred pictures, and far more text than a person reads. */
export const maxImportSize = 128 * 1_048_576;

/** Only the outline: the parts become events of a conversation's record, which have their own schema. */
const part = z.looseObject({});
const file = z.object({
  /** Base64 by name. */
  pictures: z.optional(z.record(z.string(), z.string().check(z.regex(base64Form)))),
  conversations: z.array(
    z.looseObject({
      turns: z.array(z.looseObject({ replies: z.array(part) })),
      draft: z.optional(part),
      edit: z.optional(part),
    }),
  ),
});
type Exported = z.infer<typeof file>['conversations'][number];

export type ImportedConversation = {
  /** The conversation's text for a `ConversationStore`. */
  readonly text: string;
  /** Time of its last event, in Unix milliseconds. */
  readonly changedAt: number;
  /** The pictures of its answers, to be kept with it. */
  readonly pictures: readonly Picture[];
};

/** Masks secrets in data, and in contexts by the rules for their paths. */
type Masked = { data<T>(data: T): T; contexts(contexts: readonly CodeContext[]): CodeContext[] };

/**
 * Exports conversations as JSON in the extension's own format. `importConversations` reads it back without loss.
 *
 * @param pictures those of their answers, as base64 by their names.
 */
export function conversationsJson(
  conversations: readonly Conversation[],
  pictures: ReadonlyMap<string, string> = new Map(),
): string {
  const more = pictures.size > 0 && { pictures: Object.fromEntries(pictures) };
  return `${JSON.stringify({ format, version, conversations, ...more }, undefined, 2)}\n`;
}

/**
 * Reads JSON from `conversationsJson`.
 *
 * @param masked masks the secrets in it: the next question would send what is imported. Without it, they stay.
 * @returns a reason when it is invalid, with the path of the first bad value.
 */
export function importConversations(text: string, masked?: Masked): readonly ImportedConversation[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return l10n.t("The file isn't valid JSON: {0}.", messageOf(error));
  }
  const head = z.safeParse(z.looseObject({ format: z.literal(format), version: z.literal(version) }), value);
  if (!head.success) {
    return l10n.t("The file isn't a JSON export that this version of Ask Model can read.");
  }
  const parsed = z.safeParse(file, value);
  if (!parsed.success) {
    return mismatch(parsed.error);
  }
  const conversations: ImportedConversation[] = [];
  const pictures = new Map(Object.entries(parsed.data.pictures ?? {}));
  for (const exported of masked?.data(parsed.data.conversations) ?? parsed.data.conversations) {
    const imported = importOne(exported, pictures, masked);
    if (typeof imported === 'string') {
      return imported;
    }
    conversations.push(imported);
  }
  return conversations;
}

function mismatch({ issues: [issue] }: z.core.$ZodError, within = ''): string {
  const place = [within, ...(issue?.path ?? [])].filter((each) => each !== '').join('.');
  const message = issue?.message ?? '';
  return l10n.t("The file doesn't match the format at {0}: {1}.", place, message);
}

/** @returns why it can't be imported, if it can't. */
function importOne(
  exported: Exported,
  exportedPictures: ReadonlyMap<string, string>,
  masked: Masked | undefined,
): ImportedConversation | string {
  const ids = { turn: new Set<string>(), reply: new Set<string>() };
  let text = '';
  let changedAt = 0;
  let startedAt = 0;
  for (const { type, fields } of eventsOf(exported)) {
    const parsed = parseEvent({ ...fields, type });
    if (!parsed.success) {
      return mismatch(parsed.error, type);
    }
    const event = parsed.data;
    if (event.type === 'turn' || event.type === 'reply') {
      // Ids must be unique: they assign arriving text to its reply, and detect an action that would be paid for twice.
      if (ids[event.type].has(event.id)) {
        const title = String(exported.title ?? exported.id);
        return l10n.t('The conversation "{0}" contains the ID "{1}" twice.', title, event.id);
      }
      ids[event.type].add(event.id);
    }
    startedAt = event.type === 'conversation' ? event.createdAt : event.type === 'reply' ? event.startedAt : startedAt;
    changedAt = Math.max(changedAt, startedAt + (event.type === 'end' ? event.totalMs : 0));
    // The path of a context has rules of its own.
    text += writeEvent('contexts' in event && masked ? { ...event, contexts: masked.contexts(event.contexts) } : event);
  }
  const pictures = [...new Set(picturesIn(text))].flatMap((name): Picture[] => {
    const base64 = exportedPictures.get(name);
    return base64 !== undefined && pictureName.test(name) ? [{ name, base64 }] : [];
  });
  return { text, changedAt, pictures };
}

/** The events that lead to a conversation when they are read; other fields of the parts are dropped then. */
function* eventsOf({ turns, draft, edit, ...rest }: Exported): Generator<{ type: string; fields: object }> {
  const { title, systemPrompt, parameters, first } = rest;
  yield { type: 'conversation', fields: { ...rest, version: 1 } };
  if (title !== undefined) {
    yield { type: 'title', fields: { text: title } };
  }
  if (systemPrompt !== undefined) {
    yield { type: 'systemPrompt', fields: { text: systemPrompt } };
  }
  if (parameters !== undefined) {
    yield { type: 'parameters', fields: { parameters } };
  }
  for (const turn of turns) {
    yield { type: 'turn', fields: turn };
    for (const reply of turn.replies) {
      yield* replyEvents(turn.id, reply);
    }
  }
  for (const { shown, next } of turns) {
    if (shown !== undefined) {
      yield { type: 'choose', fields: { replyId: shown } };
    }
    if (next !== undefined) {
      yield { type: 'chooseTurn', fields: { turnId: next } };
    }
  }
  if (first !== undefined) {
    yield { type: 'chooseTurn', fields: { turnId: first } };
  }
  if (draft && (draft.text !== '' || (Array.isArray(draft.contexts) && draft.contexts.length > 0))) {
    yield { type: 'draft', fields: draft };
  }
  if (edit) {
    yield { type: 'edit', fields: edit };
  }
}

function* replyEvents(turnId: unknown, reply: z.infer<typeof part>): Generator<{ type: string; fields: object }> {
  const { id: replyId, text, reasoning, state, firstTokenMs, firstTextMs, totalMs } = reply;
  yield { type: 'reply', fields: { ...reply, turnId } };
  if (reasoning !== '' || firstTokenMs !== undefined) {
    yield { type: 'delta', fields: { replyId, text: '', reasoning, ms: firstTokenMs ?? firstTextMs ?? 0 } };
  }
  if (text !== '') {
    yield { type: 'delta', fields: { replyId, text, reasoning: '', ms: firstTextMs ?? firstTokenMs ?? 0 } };
  }
  // A reply without an end is read as interrupted, which it was.
  if (state !== 'incomplete' || totalMs !== undefined) {
    yield { type: 'end', fields: { ...reply, replyId, totalMs: totalMs ?? 0 } };
  }
}
