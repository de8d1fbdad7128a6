import { type ConversationGroup, conversationGroups, timeAgo } from './conversationGroups.ts';
import type { ConversationIndex } from './conversationIndex.ts';
import type { KeptConversation } from './conversationStore.ts';
import type { ConversationSummary } from './conversationSummary.ts';

/** A group in the list of conversations: the same object for as long as the list is there. */
export class ConversationGroupRow {
  readonly kind = 'conversationGroup';
  readonly key: ConversationGroup['key'];
  readonly name: string;
  isFolded = false;
  members: readonly ConversationRow[] = [];

  constructor({ key, name }: ConversationGroup) {
    this.key = key;
    this.name = name;
  }
}

/** A conversation in the list: the same object for as long as the conversation is listed, whatever is said of it. */
export class ConversationRow {
  readonly kind = 'conversation';
  entry: KeptConversation;
  /** Undefined until somebody wants to see it. */
  summary: ConversationSummary | undefined;
  /** What the summary was read for; another entry since then means that it is out of date. */
  #summed: KeptConversation | undefined;
  #ago = '';

  constructor(entry: KeptConversation) {
    this.entry = entry;
  }

  get id(): string {
    return this.entry.id;
  }

  /** @param entry what the summary was made from; one that is not the row's any more changes nothing. */
  tell(entry: KeptConversation, summary: ConversationSummary, now: number): void {
    if (entry === this.entry) {
      this.summary = summary;
      this.#summed = entry;
      this.#ago = timeAgo(entry.changedAt, now);
    }
  }

  /** Whether it is on show and would say something else now. What runs in another window ends without a word here. */
  isOutdated(now: number): boolean {
    return (
      this.#summed !== undefined &&
      (this.#summed !== this.entry ||
        this.#ago !== timeAgo(this.entry.changedAt, now) ||
        this.summary?.state === 'running')
    );
  }
}

/**
 * The rows of the list of conversations, and which of them have changed. VS Code keeps a piece of memory for each row
 * it is given, each time it is given, until the window closes: so it is told of the rows that changed and no others.
 */
export class ConversationRows {
  readonly #index: Pick<ConversationIndex, 'entries' | 'summaries'>;
  readonly #groupRows = new Map<ConversationGroup['key'], ConversationGroupRow>();
  #rows = new Map<string, ConversationRow>();
  #groups: readonly ConversationGroupRow[] = [];

  constructor(index: Pick<ConversationIndex, 'entries' | 'summaries'>) {
    this.#index = index;
  }

  /** The groups as they are now. */
  groups(now: number): readonly ConversationGroupRow[] {
    this.#regroup(now);
    return this.#groups;
  }

  /** The conversations of a group, with their summaries. */
  async members({ members }: ConversationGroupRow, now: number): Promise<readonly ConversationRow[]> {
    await this.#sum(members, now);
    return members.filter(({ summary }) => summary !== undefined);
  }

  /**
   * What is to be asked for again since the last call of this or of `groups`: rows that say something else, groups
   * that hold others or in another order, or everything, when the groups themselves are others.
   */
  async changes(now: number): Promise<'all' | readonly (ConversationGroupRow | ConversationRow)[]> {
    const before = new Map(this.#groups.map((group) => [group, group.members]));
    this.#regroup(now);
    if (!isSame([...before.keys()], this.#groups)) {
      return 'all';
    }
    const moved = this.#groups.filter((group) => !isSame(before.get(group) ?? [], group.members));
    const rows = this.#groups
      .filter((group) => !moved.includes(group))
      .flatMap(({ members }) => members.filter((row) => row.isOutdated(now)));
    await this.#sum(rows, now);
    return [...moved, ...rows];
  }

  #regroup(now: number): void {
    const rows = new Map<string, ConversationRow>();
    const groups = conversationGroups(this.#index.entries, now);
    this.#groups = groups.map((group) => {
      const row = this.#groupRows.get(group.key) ?? new ConversationGroupRow(group);
      this.#groupRows.set(group.key, row);
      row.isFolded = groups.length > 1 && (group.key === 'older' || group.key === 'earlier');
      row.members = group.entries.map((entry) => {
        const member = this.#rows.get(entry.id) ?? new ConversationRow(entry);
        member.entry = entry;
        rows.set(entry.id, member);
        return member;
      });
      return row;
    });
    this.#rows = rows;
  }

  /**
   * Until nothing changes meanwhile: `changes` does not name a row that has no summary yet, so it would not be asked for
   * again.
   */
  async #sum(rows: readonly ConversationRow[], now: number): Promise<void> {
    const entries = new Map(rows.map(({ id, entry }) => [id, entry]));
    for (const summary of await this.#index.summaries([...entries.keys()])) {
      const entry = entries.get(summary.id);
      if (entry) {
        this.#rows.get(summary.id)?.tell(entry, summary, now);
      }
    }
    const changed = rows.filter(({ id, entry }) => entry !== entries.get(id));
    if (changed.length > 0) {
      await this.#sum(changed, now);
    }
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
