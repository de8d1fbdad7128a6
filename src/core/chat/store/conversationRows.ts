import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { timeAgo } from '../../base/timeAgo.ts';
import type { ConversationIndex } from './conversationIndex.ts';
import type { StoredConversation } from './conversationStore.ts';
import type { ConversationSummary } from './conversationSummary.ts';

const keys = ['today', 'yesterday', 'week', 'older'] as const;

export type ConversationGroup = {
  readonly key: (typeof keys)[number];
  readonly name: string;
  readonly entries: readonly StoredConversation[];
};

function nameOf(key: ConversationGroup['key']): string {
  switch (key) {
    case 'today':
      return l10n.t('Today');
    case 'yesterday':
      return l10n.t('Yesterday');
    case 'week':
      return l10n.t('Last 7 Days');
    case 'older':
      return l10n.t('Older');
    default:
      return key satisfies never;
  }
}

/**
 * Groups conversations by the day of their last change in the local time zone. Empty groups are left out.
 *
 * @param entries newest first.
 */
export function conversationGroups(entries: readonly StoredConversation[], now: number): ConversationGroup[] {
  const today = dayStart(now, 0);
  const yesterday = dayStart(now, -1);
  const week = dayStart(now, -7);
  const keyOf = ({ changedAt }: StoredConversation) =>
    changedAt >= today ? 'today' : changedAt >= yesterday ? 'yesterday' : changedAt >= week ? 'week' : 'older';
  return keys.flatMap((key) => {
    const members = entries.filter((entry) => keyOf(entry) === key);
    return members.length > 0 ? [{ key, name: nameOf(key), entries: members }] : [];
  });
}

/** A group in the list of conversations: the same object for as long as the list exists. */
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

/** A conversation in the list: the same object for as long as it is listed, even when its summary changes. */
export class ConversationRow {
  readonly kind = 'conversation';
  entry: StoredConversation;
  /** Undefined until the row is shown for the first time. */
  summary: ConversationSummary | undefined;
  /** The entry that the summary was made from. If the row has another entry now, the summary is outdated. */
  #summaryEntry: StoredConversation | undefined;
  #shownAge = '';

  constructor(entry: StoredConversation) {
    this.entry = entry;
  }

  get id(): string {
    return this.entry.id;
  }

  /** @param entry the entry that the summary was made from. If the row has another one by now, nothing changes. */
  setSummary(entry: StoredConversation, summary: ConversationSummary, now: number): void {
    if (entry === this.entry) {
      this.summary = summary;
      this.#summaryEntry = entry;
      this.#shownAge = timeAgo(entry.changedAt, now);
    }
  }

  /** Whether the row is shown and may be outdated. A reply that ends in another window causes no event here. */
  isOutdated(now: number): boolean {
    return (
      this.#summaryEntry !== undefined &&
      (this.#summaryEntry !== this.entry ||
        this.#shownAge !== timeAgo(this.entry.changedAt, now) ||
        this.summary?.state === 'running')
    );
  }
}

/**
 * The rows of the list of conversations, and which of them have changed. Each time VS Code gets a row, it allocates
 * memory that is freed only when the window closes, so it is notified only of rows that changed.
 */
export class ConversationRows {
  readonly #index: Pick<ConversationIndex, 'entries' | 'summaries'>;
  readonly #groupRows = new Map<ConversationGroup['key'], ConversationGroupRow>();
  #rows = new Map<string, ConversationRow>();
  /** Undefined until VS Code has asked for them. */
  #groups: readonly ConversationGroupRow[] | undefined;

  constructor(index: Pick<ConversationIndex, 'entries' | 'summaries'>) {
    this.#index = index;
  }

  /** The row of a conversation, once it was shown. */
  shown(id: string): ConversationRow | undefined {
    const row = this.#rows.get(id);
    return row?.summary && row;
  }

  /** The current groups. */
  groups(now: number): readonly ConversationGroupRow[] {
    return this.#regroup(now);
  }

  /** The conversations of a group, with their summaries. */
  async members({ members }: ConversationGroupRow, now: number): Promise<readonly ConversationRow[]> {
    await this.#summarize(members, now);
    return members.filter(({ summary }) => summary !== undefined);
  }

  /**
   * What VS Code has to refresh since the last call of this method or of `groups`: rows that are outdated, groups whose
   * members or their order changed, or `all` when the groups themselves changed. Nothing before the first call of
   * `groups`: a refresh of rows that VS Code is about to get would make it ask twice, and a menu opened in between would
   * lose its row.
   */
  async changes(now: number): Promise<'all' | readonly (ConversationGroupRow | ConversationRow)[]> {
    if (this.#groups === undefined) {
      return [];
    }
    const before = new Map(this.#groups.map((group) => [group, group.members]));
    const groups = this.#regroup(now);
    if (!isSame([...before.keys()], groups)) {
      return 'all';
    }
    const moved = groups.filter((group) => !isSame(before.get(group) ?? [], group.members));
    const rows = groups
      .filter((group) => !moved.includes(group))
      .flatMap(({ members }) => members.filter((row) => row.isOutdated(now)));
    await this.#summarize(rows, now);
    return [...moved, ...rows];
  }

  #regroup(now: number): readonly ConversationGroupRow[] {
    const rows = new Map<string, ConversationRow>();
    const groups = conversationGroups(this.#index.entries, now);
    const groupRows = groups.map((group) => {
      const row = this.#groupRows.get(group.key) ?? new ConversationGroupRow(group);
      this.#groupRows.set(group.key, row);
      row.isFolded = groups.length > 1 && group.key === 'older';
      row.members = group.entries.map((entry) => {
        const member = this.#rows.get(entry.id) ?? new ConversationRow(entry);
        member.entry = entry;
        rows.set(entry.id, member);
        return member;
      });
      return row;
    });
    this.#rows = rows;
    this.#groups = groupRows;
    return groupRows;
  }

  /**
   * Reads the summaries of rows, and reads those of rows that changed while reading once more: `changes` leaves out a
   * row without a summary, so VS Code would not refresh it.
   */
  async #summarize(rows: readonly ConversationRow[], now: number): Promise<void> {
    const entries = new Map(rows.map(({ id, entry }) => [id, entry]));
    for (const summary of await this.#index.summaries([...entries.keys()])) {
      const entry = entries.get(summary.id);
      if (entry) {
        this.#rows.get(summary.id)?.setSummary(entry, summary, now);
      }
    }
    const changed = rows.filter(({ id, entry }) => entry !== entries.get(id));
    if (changed.length > 0) {
      await this.#summarize(changed, now);
    }
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
