import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { numberText } from '../../base/localization.ts';
import { maxCompared } from '../conversation/comparison.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type ConversationEvent, writeEvent } from '../conversation/conversationRecord.ts';
import { replyEnd, storedContext, storedFields, storedLeftOut } from '../conversation/storedParts.ts';

const format = 'ask-model-conversations';
const version = 1;
/** Maximum size of an imported file, in UTF-16 units. No realistic export is larger. */
export const maxImportSize = 32 * 1024 * 1024;

/** Not longer than the ids that the panel's messages may contain. */
const id = z.string().check(z.minLength(1), z.maxLength(64));
const moment = z.number().check(z.minimum(0), z.maximum(8_640_000_000_000_000));
const duration = z.number().check(z.minimum(0));

const optionalText = z.optional(z.string());

/** The other fields depend on the kind, which may be one of a later version. */
const problem = z.looseObject({
  kind: z.string(),
  status: z.optional(z.number()),
  code: optionalText,
  words: optionalText,
  requestId: optionalText,
  names: z.optional(z.array(z.string())),
});

const reply = z.object({
  id,
  model: z.string(),
  host: z.string(),
  column: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(maxCompared))),
  systemPrompt: optionalText,
  options: z.optional(storedFields),
  leftOut: z.optional(storedLeftOut),
  ...replyEnd,
  text: z.string(),
  reasoning: z.string(),
  startedAt: moment,
  firstTokenMs: z.optional(duration),
  firstTextMs: z.optional(duration),
  totalMs: z.optional(duration),
  problem: z.optional(problem),
});

const turn = z.object({
  id,
  question: z.string(),
  contexts: z.array(storedContext),
  replies: z.array(reply),
  after: z.optional(z.nullable(z.string())),
  shown: optionalText,
  next: optionalText,
});

const conversation = z.object({
  id: z.string(),
  createdAt: moment,
  title: z.optional(z.string()),
  turns: z.array(turn),
  first: optionalText,
  systemPrompt: optionalText,
  parameters: z.optional(storedFields),
  draft: z.object({ text: z.string(), contexts: z.array(storedContext) }),
  edit: z.optional(z.object({ turnId: id, text: z.string(), contexts: z.array(storedContext) })),
});

const file = z.object({
  format: z.literal(format),
  version: z.literal(version),
  conversations: z.array(conversation),
});

export type ImportedConversation = {
  /** The conversation's text for a `ConversationStore`. */
  readonly text: string;
  /** Time of its last event, in Unix milliseconds. */
  readonly changedAt: number;
};

export type Imported =
  | { readonly ok: true; readonly conversations: readonly ImportedConversation[] }
  | { readonly ok: false; readonly reason: string };

/** Exports conversations as JSON in the extension's own format. `importConversations` reads it back without loss. */
export function conversationsJson(conversations: readonly Conversation[]): string {
  return `${JSON.stringify({ format, version, conversations }, undefined, 2)}\n`;
}

/** Reads JSON from `conversationsJson`. @returns a reason when it is invalid, with the path of the first bad value. */
export function importConversations(text: string): Imported {
  if (text.length > maxImportSize) {
    return refuse(l10n.t('The file is larger than {0} MB.', numberText(maxImportSize / 1_048_576)));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(l10n.t("The file isn't valid JSON: {0}.", error instanceof Error ? error.message : String(error)));
  }
  const head = z.safeParse(z.looseObject({ format: z.literal(format), version: z.number() }), value);
  if (!head.success) {
    return refuse(l10n.t("The file isn't a JSON export from Ask Model."));
  }
  if (head.data.version !== version) {
    return refuse(
      l10n.t(
        'The file uses format version {0}, but this version of Ask Model reads version {1}. Update Ask Model.',
        head.data.version,
        version,
      ),
    );
  }
  const parsed = z.safeParse(file, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') ?? '';
    const message = issue?.message ?? '';
    return refuse(
      place === ''
        ? l10n.t("The file doesn't match the format: {0}.", message)
        : l10n.t("The file doesn't match the format at {0}: {1}.", place, message),
    );
  }
  const conversations: ImportedConversation[] = [];
  for (const each of parsed.data.conversations) {
    const replies = each.turns.flatMap((one) => one.replies);
    // Ids must be unique: they assign arriving text to its reply, and detect an action that would be paid for twice.
    const duplicate = duplicateIn(each.turns) ?? duplicateIn(replies);
    if (duplicate !== undefined) {
      return refuse(l10n.t('The conversation "{0}" contains the ID "{1}" twice.', each.title ?? each.id, duplicate));
    }
    conversations.push({
      text: [...eventsOf(each)].map(writeEvent).join(''),
      changedAt: replies.reduce((last, one) => Math.max(last, one.startedAt + (one.totalMs ?? 0)), each.createdAt),
    });
  }
  return { ok: true, conversations };
}

function refuse(reason: string): Imported {
  return { ok: false, reason };
}

function duplicateIn(items: readonly { readonly id: string }[]): string | undefined {
  const ids = new Set<string>();
  for (const item of items) {
    if (ids.has(item.id)) {
      return item.id;
    }
    ids.add(item.id);
  }
  return undefined;
}

/** The events that lead to an imported conversation when they are read. */
function* eventsOf(imported: z.infer<typeof conversation>): Generator<ConversationEvent> {
  const { id, createdAt, title, turns, first, systemPrompt, parameters, draft, edit } = imported;
  yield { type: 'conversation', version: 1, id, createdAt };
  if (title !== undefined) {
    yield { type: 'title', text: title };
  }
  if (systemPrompt !== undefined) {
    yield { type: 'systemPrompt', text: systemPrompt };
  }
  if (parameters !== undefined) {
    yield { type: 'parameters', parameters };
  }
  for (const { id: turnId, question, contexts, after, replies } of turns) {
    yield { type: 'turn', id: turnId, question, contexts, ...(after !== undefined && { after }) };
    for (const each of replies) {
      yield* replyEvents(turnId, each);
    }
  }
  for (const { shown, next } of turns) {
    if (shown !== undefined) {
      yield { type: 'choose', replyId: shown };
    }
    if (next !== undefined) {
      yield { type: 'chooseTurn', turnId: next };
    }
  }
  if (first !== undefined) {
    yield { type: 'chooseTurn', turnId: first };
  }
  if (draft.text !== '' || draft.contexts.length > 0) {
    yield { type: 'draft', ...draft };
  }
  if (edit !== undefined) {
    yield { type: 'edit', ...edit };
  }
}

function* replyEvents(turnId: string, answer: z.infer<typeof reply>): Generator<ConversationEvent> {
  const {
    id: replyId,
    model,
    host,
    startedAt,
    column,
    systemPrompt,
    options,
    leftOut,
    text,
    reasoning,
    ...rest
  } = answer;
  const { state, firstTokenMs, firstTextMs, totalMs, ...end } = rest;
  const optional = {
    ...(column !== undefined && { column }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(options !== undefined && { options }),
    ...(leftOut && { leftOut }),
  };
  yield { type: 'reply', turnId, id: replyId, model, host, startedAt, ...optional };
  if (reasoning !== '' || firstTokenMs !== undefined) {
    yield { type: 'delta', replyId, text: '', reasoning, ms: firstTokenMs ?? firstTextMs ?? 0 };
  }
  if (text !== '') {
    yield { type: 'delta', replyId, text, reasoning: '', ms: firstTextMs ?? firstTokenMs ?? 0 };
  }
  // A reply without an end is read as interrupted, which it was.
  if (state !== 'incomplete' || totalMs !== undefined) {
    yield { type: 'end', replyId, state, totalMs: totalMs ?? 0, ...end };
  }
}
