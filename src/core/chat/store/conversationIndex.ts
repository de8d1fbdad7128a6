import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../base/lifetime.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationStore, KeptConversation } from './conversationStore.ts';
import { type ConversationSummary, SummaryReader, summaryOf } from './conversationSummary.ts';

export type IndexPorts = {
  readonly store: Pick<ConversationStore, 'list' | 'pieces' | 'isClaimedElsewhere'>;
  readonly clock: Clock;
  /** The conversation as this window has it open; undefined when it has not. */
  readonly live: (id: string) => Conversation | undefined;
};

type Entry = KeptConversation & { summary?: Promise<ConversationSummary> };

/** More than anybody looks through; search finds the rest. */
const maxEntries = 10_000;
/** Files read side by side: as many as the platform reads at once, and a little in reserve. */
const readers = 6;

/**
 * What conversations there are, and in short what is in them. The store is looked at for names and times alone; texts are
 * read when somebody wants to see their summary, and again only after they changed.
 */
export class ConversationIndex implements Disposable {
  readonly #ports: IndexPorts;
  readonly #didChange = new Emitter<void>();
  #entries = new Map<string, Entry>();
  #hasLooked = false;
  #isPartial = false;
  #looking: Promise<void> | undefined;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(ports: IndexPorts) {
    this.#ports = ports;
  }

  /** Fires when an entry has come, gone or changed. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** Whether there are older ones that are not listed. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** Newest first, as far as known; see `look`. */
  get entries(): readonly KeptConversation[] {
    return [...this.#entries.values()].sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Sees what other windows did meanwhile. Rejects when the store can not be read; what was known stays. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** This window changed that conversation just now. */
  changed(id: string): void {
    const { live, clock } = this.#ports;
    const known = this.#entries.get(id);
    if (known || live(id)) {
      this.#entries.set(id, { id, changedAt: clock.now(), size: known?.size ?? 0 });
      this.#didChange.fire();
    }
  }

  /**
   * In the order asked for. One whose text can not be read has a summary that says no more than that it is there; one
   * that is not listed has none.
   */
  async summaries(ids: readonly string[]): Promise<readonly ConversationSummary[]> {
    const found = await Promise.all(ids.map((id) => this.#summary(id)));
    return found.filter((summary) => summary !== undefined);
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  async #look(): Promise<void> {
    const began = this.#ports.clock.now();
    const list = await this.#ports.store.list();
    const next = new Map<string, Entry>();
    let isNews = !this.#hasLooked;
    for (const each of list.slice(0, maxEntries)) {
      const known = this.#entries.get(each.id);
      if (known && known.changedAt === each.changedAt && known.size === each.size) {
        next.set(each.id, known);
      } else {
        isNews = true;
        next.set(each.id, each);
      }
    }
    for (const [id, entry] of this.#entries) {
      // Begun, or changed, after the store was looked at.
      if (!next.has(id) && (this.#ports.live(id) || entry.changedAt > began)) {
        next.set(id, entry);
      }
    }
    isNews ||= next.size !== this.#entries.size;
    this.#entries = next;
    this.#hasLooked = true;
    this.#isPartial = list.length > maxEntries;
    if (isNews) {
      this.#didChange.fire();
    }
  }

  #summary(id: string): Promise<ConversationSummary | undefined> | ConversationSummary {
    const live = this.#ports.live(id);
    if (live) {
      return summaryOf(live);
    }
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return Promise.resolve(undefined);
    }
    entry.summary ??= this.#inTurn(() => this.#read(entry)).catch((): ConversationSummary => {
      delete entry.summary;
      return { id, title: 'Could not be read', questions: 0, state: 'failed' };
    });
    return entry.summary;
  }

  async #read(entry: Entry): Promise<ConversationSummary> {
    const { id } = entry;
    const reader = new SummaryReader(id);
    for await (const piece of this.#ports.store.pieces(id)) {
      reader.feed(piece);
    }
    const { isOpenEnded, ...summary } = reader.end();
    if (!isOpenEnded || !(await this.#ports.store.isClaimedElsewhere(id))) {
      return summary;
    }
    // Arriving in another window: what becomes of it is looked at anew each time.
    delete entry.summary;
    return { ...summary, state: 'running' };
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#active >= readers) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#active++;
    try {
      return await run();
    } finally {
      this.#active--;
      this.#waiting.shift()?.();
    }
  }
}
