import type { Clock } from '../../base/clock.ts';
import { LineCutter } from '../../base/lineCutter.ts';
import type { ConversationStore } from './conversationStore.ts';

/** A conversation that has the words, with the first line they stand in. */
export type TextHit = {
  readonly id: string;
  readonly line: string;
  readonly where: 'question' | 'code' | 'answer';
  /** Id of the turn whose question or code it is, or of the reply. */
  readonly place: string;
};

/** How long the search may hold up the thread. */
const turnMs = 5;
/** What fits into a row. */
const shownBefore = 40;
const shownLength = 160;

/**
 * Looks for words in the texts of conversations: questions, the code that went along, answers. Case does not count. An
 * answer is searched as a whole, wherever its pieces were cut. One conversation is in memory at a time.
 *
 * @param ids in the order wanted.
 * @param signal ends the search, with what was found until then.
 */
export async function* searchConversations(
  store: Pick<ConversationStore, 'pieces'>,
  ids: readonly string[],
  words: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<TextHit> {
  const wanted = words.trim().toLowerCase();
  let began = clock.now();
  for (const id of wanted === '' ? [] : ids) {
    const search = new TextSearch(wanted);
    for await (const piece of store.pieces(id)) {
      if (signal.aborted) {
        return;
      }
      search.feed(piece);
      if (clock.now() - began >= turnMs) {
        await new Promise<void>((resolve) => clock.after(0, resolve));
        began = clock.now();
      }
      if (search.hit) {
        break;
      }
    }
    const hit = search.end();
    if (signal.aborted) {
      return;
    }
    if (hit) {
      yield { id, ...hit };
    }
  }
}

class TextSearch {
  readonly #wanted: string;
  readonly #answers = new Map<string, string[]>();
  readonly #lines = new LineCutter();
  hit: Omit<TextHit, 'id'> | undefined;

  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  feed(piece: string): void {
    for (const line of this.#lines.push(piece)) {
      this.#line(line);
    }
  }

  end(): Omit<TextHit, 'id'> | undefined {
    if (this.hit === undefined) {
      this.#line(this.#lines.rest);
    }
    for (const [replyId, pieces] of this.#answers) {
      this.#look(pieces.join(''), 'answer', replyId);
    }
    return this.hit;
  }

  #line(line: string): void {
    const isTurn = line.startsWith('{"type":"turn"');
    if (this.hit || !(isTurn || line.startsWith('{"type":"delta"'))) {
      return;
    }
    const event = eventIn(line);
    if (isTurn) {
      this.#look(event.question, 'question', event.id);
      const contexts: readonly unknown[] = Array.isArray(event.contexts) ? event.contexts : [];
      for (const context of contexts) {
        if (typeof context === 'object' && context !== null) {
          this.#look('path' in context ? context.path : undefined, 'code', event.id);
          this.#look('text' in context ? context.text : undefined, 'code', event.id);
        }
      }
    } else if (typeof event.replyId === 'string' && typeof event.text === 'string' && event.text !== '') {
      const pieces = this.#answers.get(event.replyId);
      if (pieces) {
        pieces.push(event.text);
      } else {
        this.#answers.set(event.replyId, [event.text]);
      }
    }
  }

  #look(text: unknown, where: TextHit['where'], place: unknown): void {
    if (this.hit || typeof text !== 'string' || typeof place !== 'string') {
      return;
    }
    // Some letters have another length in lower case, so the place is found anew in its own line.
    if (!text.toLowerCase().includes(this.#wanted)) {
      return;
    }
    for (const line of text.split(/\r?\n/)) {
      const at = line.toLowerCase().indexOf(this.#wanted);
      if (at >= 0) {
        this.hit = { where, place, line: shown(line, at) };
        return;
      }
    }
  }
}

function eventIn(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The part of a long line that has the words in it. */
function shown(line: string, at: number): string {
  const from = at <= shownBefore + 10 ? 0 : at - shownBefore;
  const part = line.slice(from, from + shownLength).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${part.trim()}${from + shownLength < line.length ? '…' : ''}`;
}
