import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import { dayStart } from '../../base/dayStart.ts';
import { DisposableStore, Emitter } from '../../base/lifetime.ts';
import { columnsOf } from '../conversation/comparison.ts';
import { type Conversation, isRunning, lastReply, type Reply, titleOf } from '../conversation/conversation.ts';
import { endRunning, readUnended } from '../conversation/conversationRecord.ts';
import type { ConversationStore, StoredConversation } from './conversationStore.ts';

/** What a list shows of a conversation, read from its text. */
type Summary = {
  readonly title: string;
  /** Of the last paid call. */
  readonly lastModel?: string;
  readonly lastHost?: string;
  /** Number of models the last question was compared between; absent when it went to one. */
  readonly compared?: number;
  /**
   * State of the last paid call; of a comparison, `ordinary` if any call has an answer. `running` while any call to its
   * question is. `unsent` when there is only a draft.
   */
  readonly state: 'running' | 'failed' | 'incomplete' | 'ordinary' | 'unsent';
};

/** A conversation in a list. */
export type ListedConversation = StoredConversation & Summary;

type Entry = StoredConversation & { summary?: Promise<Summary> };

/** Number of files read in parallel: a few more than the platform reads at once. */
const readAtOnce = 6;
/** Start of the lines with answer text. They make up nearly all of a file, and a summary doesn't need them. */
const deltaStart = '{"type":"delta"';

/**
 * The list of conversations and their summaries. Refreshing reads only names and times from the store. A text is read
 * when its summary is first needed, and again only after it changed.
 */
export class ConversationIndex extends DisposableStore {
  readonly #store: Pick<ConversationStore, 'list' | 'read' | 'isLockedElsewhere'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #live: (id: string) => Conversation | undefined;
  readonly #didChange = this.add(new Emitter<string | undefined>());
  /** Fires when an entry was added, removed or changed, with its id if it is the only one. */
  readonly onDidChange = this.#didChange.event;
  #entries = new Map<string, Entry>();
  /** Whether the store was read; written only here. */
  hasRefreshed = false;
  #refreshing: Promise<void> | undefined;

  /** @param live finds a conversation that is open in this window. */
  constructor(
    store: Pick<ConversationStore, 'list' | 'read' | 'isLockedElsewhere'>,
    clock: Pick<Clock, 'now'>,
    live: (id: string) => Conversation | undefined,
  ) {
    super();
    this.#store = store;
    this.#clock = clock;
    this.#live = live;
  }

  /** The known conversations, newest first; see `refresh`. */
  get entries(): readonly StoredConversation[] {
    return [...this.#entries.values()].sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Updates the entries with changes by other windows. Rejects when the store can't be read; the entries then stay. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Call this when this window has changed a conversation. */
  changed(id: string): void {
    const known = this.#entries.get(id);
    if (known || this.#live(id)) {
      this.#entries.set(id, { id, changedAt: this.#clock.now(), size: known?.size ?? 0 });
      this.#didChange.fire(id);
    }
  }

  /**
   * The known conversations with these ids, in their order; before anything is known, the store is read. One whose text
   * can't be read has a title that only says so.
   */
  async listed(ids: readonly string[]): Promise<readonly ListedConversation[]> {
    await (this.hasRefreshed || this.refresh());
    const found: (ListedConversation | undefined)[] = [];
    for (let from = 0; from < ids.length; from += readAtOnce) {
      found.push(...(await Promise.all(ids.slice(from, from + readAtOnce).map((id) => this.#listed(id)))));
    }
    return found.filter((each) => each !== undefined);
  }

  async #refresh(): Promise<void> {
    const began = this.#clock.now();
    const list = await this.#store.list();
    const next = new Map<string, Entry>();
    const before = this.#entries;
    for (const each of list) {
      const known = before.get(each.id);
      const isSame = known?.changedAt === each.changedAt && known.size === each.size;
      next.set(each.id, isSame ? known : each);
    }
    for (const [id, entry] of before) {
      // Begun or changed after the store was listed.
      if (!next.has(id) && (this.#live(id) || entry.changedAt > began)) {
        next.set(id, entry);
      }
    }
    const isOther = next.size !== before.size || [...next].some(([id, entry]) => before.get(id) !== entry);
    const isFirst = !this.hasRefreshed;
    this.#entries = next;
    this.hasRefreshed = true;
    if (isFirst || isOther) {
      this.#didChange.fire(undefined);
    }
  }

  async #listed(id: string): Promise<ListedConversation | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return undefined;
    }
    const { changedAt, size } = entry;
    const live = this.#live(id);
    entry.summary ??= live
      ? undefined
      : this.#read(entry).catch((): Summary => {
          delete entry.summary;
          return { title: l10n.t("Couldn't read this conversation"), state: 'failed' };
        });
    const summary = live ? summaryOf(live) : await entry.summary;
    return summary && { id, changedAt, size, ...summary };
  }

  async #read(entry: Entry): Promise<Summary> {
    const { id } = entry;
    const lines = ((await this.#store.read(id)) ?? '').split('\n').filter((line) => !line.startsWith(deltaStart));
    const { conversation } = readUnended(id, lines.join('\n'));
    const summary = summaryOf(conversation);
    if (summary.state !== 'running') {
      return summary;
    }
    if (!(await this.#store.isLockedElsewhere(id))) {
      return summaryOf(endRunning(conversation));
    }
    // A reply is arriving in another window: the text is read again each time, to find out how it ended.
    delete entry.summary;
    return summary;
  }
}

export function summaryOf(conversation: Conversation): Summary {
  const last = lastReply(conversation);
  const { turns, draft } = conversation;
  const turn = turns.find(({ replies }) => replies.some((reply) => reply === last));
  const columns = turn ? columnsOf(turn) : [];
  const unsent = { id: '', question: draft.text, contexts: [], replies: [] };
  return {
    title: titleOf(turns.length > 0 ? conversation : { ...conversation, turns: [unsent] }),
    ...(last && { lastModel: last.model, lastHost: last.host }),
    ...(columns.length > 1 && { compared: columns.length }),
    state: last === undefined ? 'unsent' : turn?.replies.some(isRunning) ? 'running' : stateOf(last, columns.flat()),
  };
}

function stateOf({ state }: Reply, compared: readonly Reply[]): Summary['state'] {
  const isBad = (each: Reply['state']) => each === 'failed' || each === 'incomplete';
  return isBad(state) && compared.every((each) => isBad(each.state)) ? state : 'ordinary';
}

/** The groups of the list, by the day of the last change in the local time zone. */
export function dayGroupOf({ changedAt }: StoredConversation, now: number): 'today' | 'yesterday' | 'week' | 'older' {
  const isSince = (days: number) => changedAt >= dayStart(now, -days);
  return isSince(0) ? 'today' : isSince(1) ? 'yesterday' : isSince(7) ? 'week' : 'older';
}
