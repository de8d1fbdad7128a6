import { searchable } from '../../base/searchable.ts';
import { withJoined } from '../conversation/continued.ts';
import { readConversation } from '../conversation/conversationRecord.ts';

/** The first line of a conversation that contains the search text, and where it is. */
export type TextHit = {
  readonly line: string;
  readonly where: 'question' | 'code' | 'answer';
  /** Id of the turn whose question or code matches, or of the reply. */
  readonly place: string;
};

/** UTF-16 units that fit into a row: before the match, and in all. */
const shownBefore = 40;
const shownLength = 160;

/**
 * Searches the text of a conversation: its questions, their code, and the answers, ignoring case.
 *
 * @param file the stored text.
 * @returns the first match.
 */
export function findText(id: string, file: string, words: string): TextHit | undefined {
  const wanted = asRead(words).trim();
  for (const { text, ...where } of wanted === '' ? [] : textsIn(id, file)) {
    const line = lineWith(wanted, text);
    if (line !== undefined) {
      return { ...where, line };
    }
  }
  return undefined;
}

type Text = Pick<TextHit, 'where' | 'place'> & { readonly text: string };

function textsIn(id: string, file: string): Text[] {
  return readConversation(id, file)
    .conversation.turns.map(withJoined)
    .flatMap((turn): Text[] => [
      { text: turn.question, where: 'question', place: turn.id },
      ...turn.contexts.flatMap(({ path, text }) =>
        [path, text].map((each): Text => ({ text: each, where: 'code', place: turn.id })),
      ),
      ...turn.replies.map(({ id: place, text }): Text => ({ text, where: 'answer', place })),
    ]);
}

/** Searchable text without the marks of bold text and of code, which the panel doesn't show. */
function asRead(text: string): string {
  return searchable(text).replace(/[*`]/g, '');
}

/** The first line that contains the text, cut to fit into a row. */
function lineWith(wanted: string, text: string): string | undefined {
  for (const line of asRead(text).includes(wanted) ? text.split(/\r?\n/) : []) {
    const at = asRead(line).indexOf(wanted);
    if (at >= 0) {
      return shown(line, placeOf(at, line));
    }
  }
  return undefined;
}

/** Where a place in the searchable text is in the text itself, in which some characters have another length. */
function placeOf(at: number, text: string): number {
  let place = 0;
  for (let rest = at; rest > 0 && place < text.length; place++) {
    rest -= asRead(text.charAt(place)).length;
  }
  return place;
}

/** The part of a long line that contains the match. */
function shown(line: string, at: number): string {
  const from = at <= shownBefore + 10 ? 0 : at - shownBefore;
  const part = line.slice(from, from + shownLength).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${part.trim()}${from + shownLength < line.length ? '…' : ''}`;
}
