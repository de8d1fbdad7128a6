import type { Clock } from '../../base/clock.ts';
import { readConversation } from '../conversation/conversationRecord.ts';
import type { ConversationStore } from './conversationStore.ts';

/** A conversation that contains the search text, with the first matching line. */
export type TextHit = {
  readonly id: string;
  readonly line: string;
  readonly where: 'question' | 'code' | 'answer';
  /** Id of the turn whose question or code matches, or of the reply. */
  readonly place: string;
};

/** Time in milliseconds after which the search lets other work of the thread run. */
const sliceMs = 5;
/** UTF-16 units that fit into a row: before the match, and in all. */
const shownBefore = 40;
const shownLength = 160;

/**
 * Searches the texts of conversations: questions, their code, and answers, ignoring case. Only one conversation is in
 * memory at a time.
 *
 * @param ids the conversations to search, in this order.
 * @param signal ends the search early; the hits so far stay valid.
 */
export async function* searchConversations(
  store: Pick<ConversationStore, 'read'>,
  ids: readonly string[],
  words: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<TextHit> {
  const wanted = words.trim().toLowerCase();
  let began = clock.now();
  for (const id of wanted === '' ? [] : ids) {
    const file = await store.read(id);
    if (signal.aborted) {
      return;
    }
    for (const { text, ...where } of textsIn(id, file ?? '')) {
      const line = lineWith(wanted, text);
      if (line !== undefined) {
        yield { id, ...where, line };
        break;
      }
    }
    if (clock.now() - began >= sliceMs) {
      await new Promise<void>((resolve) => clock.after(0, resolve));
      began = clock.now();
    }
  }
}

type Text = Pick<TextHit, 'where' | 'place'> & { readonly text: string };

function textsIn(id: string, file: string): Text[] {
  return readConversation(id, file).conversation.turns.flatMap((turn): Text[] => [
    { text: turn.question, where: 'question', place: turn.id },
    ...turn.contexts.flatMap(({ path, text }) =>
      [path, text].map((each): Text => ({ text: each, where: 'code', place: turn.id })),
    ),
    ...turn.replies.map(({ id: place, text }): Text => ({ text, where: 'answer', place })),
  ]);
}

/** The first line that contains the text, cut to fit into a row. */
function lineWith(wanted: string, text: string): string | undefined {
  // Some letters have another length in lower case, so the position is determined in each line separately.
  for (const line of text.toLowerCase().includes(wanted) ? text.split(/\r?\n/) : []) {
    const at = line.toLowerCase().indexOf(wanted);
    if (at >= 0) {
      return shown(line, at);
    }
  }
  return undefined;
}

/** The part of a long line that contains the match. */
function shown(line: string, at: number): string {
  const from = at <= shownBefore + 10 ? 0 : at - shownBefore;
  const part = line.slice(from, from + shownLength).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${part.trim()}${from + shownLength < line.length ? '…' : ''}`;
}
