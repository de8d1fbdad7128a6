import { setPredecessor, turnBefore } from './branches.ts';
import type { Reply, Turn } from './conversation.ts';

type Place = { readonly turn: number; readonly reply: number };
/** Where each id is; a broken file may have one several times, and then all of them are meant. */
type Index = {
  readonly turns: Map<string, number[]>;
  readonly replies: Map<string, Place[]>;
  readonly before: Map<string, string | null>;
};

/**
 * The turns of a conversation while events change them. For a single event on a conversation that is open it is a copy of
 * its list, made when there is something to change. For reading a whole file it is one list that is changed in place and
 * has an index, so that an event costs the same however many turns there are.
 */
export class TurnList {
  #turns: readonly Turn[];
  readonly #index: Index | undefined;
  #isCopied = false;
  /** Lists of replies that were made here, and may be changed in place. */
  readonly #copied = new WeakSet<readonly Reply[]>();

  constructor(turns: readonly Turn[], index?: Index) {
    this.#turns = turns;
    this.#index = index;
  }

  /** An empty one, for reading a file. */
  static forReading(): TurnList {
    return new TurnList([], { turns: new Map(), replies: new Map(), before: new Map() });
  }

  /** As they are now; the same list is changed by what comes next. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  push(turn: Turn): void {
    const last = this.#turns.at(-1)?.id ?? null;
    const place = this.#writable().push(turn) - 1;
    if (this.#index) {
      add(this.#index.turns, turn.id, place);
      setPredecessor(this.#index.before, turn, last);
    }
  }

  /** Id of the turn that this one follows; see `turnBefore`. */
  before(turnId: string): string | null | undefined {
    return this.#index ? this.#index.before.get(turnId) : turnBefore(this, turnId);
  }

  change(turnId: string, change: (turn: Turn) => Turn): void {
    for (const place of this.#placesOf(turnId)) {
      this.#set(place, change);
    }
  }

  /** Changes the turn that has this reply. */
  changeTurnOf(replyId: string, change: (turn: Turn) => Turn): void {
    for (const { turn } of this.#placesOfReply(replyId)) {
      this.#set(turn, change);
    }
  }

  /** @param change what becomes of the turn besides; it has the new reply already. */
  addReply(turnId: string, reply: Reply, change: (turn: Turn) => Turn): void {
    for (const place of this.#placesOf(turnId)) {
      const at = this.#repliesOf(place).push(reply) - 1;
      if (this.#index) {
        add(this.#index.replies, reply.id, { turn: place, reply: at });
      }
      this.#set(place, change);
    }
  }

  changeReply(replyId: string, change: (reply: Reply) => Reply): void {
    for (const { turn, reply } of this.#placesOfReply(replyId)) {
      const replies = this.#repliesOf(turn);
      const before = replies[reply];
      if (before) {
        replies[reply] = change(before);
      }
    }
  }

  #placesOf(turnId: string): readonly number[] {
    if (this.#index) {
      return this.#index.turns.get(turnId) ?? [];
    }
    const places: number[] = [];
    for (const [place, { id }] of this.#turns.entries()) {
      if (id === turnId) {
        places.push(place);
      }
    }
    return places;
  }

  #placesOfReply(replyId: string): readonly Place[] {
    if (this.#index) {
      return this.#index.replies.get(replyId) ?? [];
    }
    const places: Place[] = [];
    // Once for each piece of an answer that arrives: nothing is made on the way.
    for (let turn = 0; turn < this.#turns.length; turn++) {
      const replies = this.#turns[turn]?.replies ?? [];
      for (let reply = 0; reply < replies.length; reply++) {
        if (replies[reply]?.id === replyId) {
          places.push({ turn, reply });
        }
      }
    }
    return places;
  }

  #set(place: number, change: (turn: Turn) => Turn): void {
    const turn = this.#turns[place];
    if (turn) {
      this.#writable()[place] = change(turn);
    }
  }

  #writable(): Turn[] {
    if (!this.#isCopied) {
      this.#isCopied = true;
      this.#turns = [...this.#turns];
    }
    return this.#turns as Turn[];
  }

  /** The replies of a turn, to be changed in place. */
  #repliesOf(place: number): Reply[] {
    const { replies = [] } = this.#turns[place] ?? {};
    if (this.#copied.has(replies)) {
      return replies as Reply[];
    }
    const copy = [...replies];
    this.#copied.add(copy);
    this.#set(place, (turn) => ({ ...turn, replies: copy }));
    return copy;
  }
}

function add<T>(places: Map<string, T[]>, id: string, place: T): void {
  const known = places.get(id);
  if (known) {
    known.push(place);
  } else {
    places.set(id, [place]);
  }
}
