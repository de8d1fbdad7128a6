import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import type { StoredConversation } from './conversationStore.ts';

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
