import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter } from '../../base/lifetime.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { endRunning, readUnended } from '../conversation/conversationRecord.ts';
import type { ConversationStore, StoredConversation } from './conversationStore.ts';
import { type ConversationSummary, summaryOf } from './conversationSummary.ts';

export type IndexPorts = {
  readonly store: Pick<ConversationStore, 'list' | 'read' | 'isLockedElsewhere'>;
  readonly clock: Clock;
  /** The conversation if it is open in this window. */
  readonly live: (id: string) => Conversation | undefined;
};

type Entry = StoredConversation & { summary?: Promise<ConversationSummary> };

/** Number of files read in parallel: a few more than the platform reads at once. */
const readAtOnce = 6;
/** Start of the lines with answer text. They make up nearly all of a file, and a summary doesn't need them. */
const deltaStart = '{"type":"delta"';

/**
 * The list of conversations and their summaries. Refreshing reads only names and times from the store. A text is read
 * when its summary is first needed, and again only after it changed.
 */
export class ConversationIndex implements Disposable {
  readonly #ports: IndexPorts;
  readonly #didChange = new Emitter<void>();
  /** Fires when an entry was added, removed or changed. */
  readonly onDidChange = this.#didChange.event;
  #entries = new Map<string, Entry>();
  #hasRefreshed = false;
  #refreshing: Promise<void> | undefined;

  constructor(ports: IndexPorts) {
    this.#ports = ports;
  }

  get hasRefreshed(): boolean {
    return this.#hasRefreshed;
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
    const { live, clock } = this.#ports;
    const known = this.#entries.get(id);
    if (known || live(id)) {
      this.#entries.set(id, { id, changedAt: clock.now(), size: known?.size ?? 0 });
      this.#didChange.fire();
    }
  }

  /**
   * Summaries in the order of `ids`. For a conversation whose text can't be read, the summary only says so.
   * Conversations that are not listed are left out.
   */
  async summaries(ids: readonly string[]): Promise<readonly ConversationSummary[]> {
    const found: (ConversationSummary | undefined)[] = [];
    for (let from = 0; from < ids.length; from += readAtOnce) {
      found.push(...(await Promise.all(ids.slice(from, from + readAtOnce).map((id) => this.#summary(id)))));
    }
    return found.filter((summary) => summary !== undefined);
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  async #refresh(): Promise<void> {
    const began = this.#ports.clock.now();
    const list = await this.#ports.store.list();
    const next = new Map<string, Entry>();
    let hasChanged = !this.#hasRefreshed;
    for (const each of list) {
      const known = this.#entries.get(each.id);
      if (known && known.changedAt === each.changedAt && known.size === each.size) {
        next.set(each.id, known);
      } else {
        hasChanged = true;
        next.set(each.id, each);
      }
    }
    for (const [id, entry] of this.#entries) {
      // Begun or changed after the store was listed.
      if (!next.has(id) && (this.#ports.live(id) || entry.changedAt > began)) {
        next.set(id, entry);
      }
    }
    hasChanged ||= next.size !== this.#entries.size;
    this.#entries = next;
    this.#hasRefreshed = true;
    if (hasChanged) {
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
    entry.summary ??= this.#read(entry).catch((): ConversationSummary => {
      delete entry.summary;
      return { id, title: l10n.t("Couldn't read this conversation"), questions: 0, state: 'failed' };
    });
    return entry.summary;
  }

  async #read(entry: Entry): Promise<ConversationSummary> {
    const { id } = entry;
    const { store } = this.#ports;
    const lines = ((await store.read(id)) ?? '').split('\n').filter((line) => !line.startsWith(deltaStart));
    const { conversation } = readUnended(id, lines.join('\n'));
    const summary = summaryOf(conversation);
    if (summary.state !== 'running') {
      return summary;
    }
    if (!(await store.isLockedElsewhere(id))) {
      return summaryOf(endRunning(conversation));
    }
    // A reply is arriving in another window: the text is read again each time, to find out how it ended.
    delete entry.summary;
    return summary;
  }
}
