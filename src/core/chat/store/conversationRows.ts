import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import type { StoredConversation } from './conversationStore.ts';
import type { ConversationSummary } from './conversationSummary.ts';

/** The groups of the list: always the same objects, by which VS Code refreshes the rows in one of them. */
const groupRows = (['today', 'yesterday', 'week', 'older'] as const).map((key) => {
  return { kind: 'conversationGroup', key } as const;
});

export type ConversationGroupRow = (typeof groupRows)[number];

export type ConversationGroup = {
  readonly row: ConversationGroupRow;
  readonly entries: readonly StoredConversation[];
};

/** A conversation in the list. A class, so that other extensions can't make one. */
export class ConversationRow {
  readonly kind = 'conversation';
  readonly entry: StoredConversation;
  readonly summary: ConversationSummary;

  constructor(entry: StoredConversation, summary: ConversationSummary) {
    this.entry = entry;
    this.summary = summary;
  }

  get id(): string {
    return this.entry.id;
  }
}

export function groupName({ key }: ConversationGroupRow): string {
  return {
    today: l10n.t('Today'),
    yesterday: l10n.t('Yesterday'),
    week: l10n.t('Last 7 Days'),
    older: l10n.t('Older'),
  }[key];
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
  return groupRows
    .map((row) => ({ row, entries: entries.filter((entry) => keyOf(entry) === row.key) }))
    .filter((group) => group.entries.length > 0);
}
