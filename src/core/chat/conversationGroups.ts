import type { KeptConversation } from './conversationStore.ts';

export type ConversationGroup = {
  readonly key: 'today' | 'yesterday' | 'week' | 'older';
  readonly name: string;
  readonly entries: readonly KeptConversation[];
};

const names = { today: 'Today', yesterday: 'Yesterday', week: 'Last 7 Days', older: 'Older' } as const;

/** By the day of the last change in the machine's own time zone; groups without any are left out. */
export function conversationGroups(entries: readonly KeptConversation[], now: number): ConversationGroup[] {
  const today = startOfDay(now, 0);
  const yesterday = startOfDay(now, 1);
  const week = startOfDay(now, 7);
  const keyOf = ({ changedAt }: KeptConversation) =>
    changedAt >= today ? 'today' : changedAt >= yesterday ? 'yesterday' : changedAt >= week ? 'week' : 'older';
  const grouped = new Map<ConversationGroup['key'], KeptConversation[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const members = grouped.get(key);
    if (members) {
      members.push(entry);
    } else {
      grouped.set(key, [entry]);
    }
  }
  return (['today', 'yesterday', 'week', 'older'] as const).flatMap((key) => {
    const members = grouped.get(key);
    return members ? [{ key, name: names[key], entries: members }] : [];
  });
}

/** Days are not all 24 hours long. */
function startOfDay(now: number, daysBefore: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime();
}

/** `now`, `5 min ago`, `3 h ago`, `2 days ago`; a date when it is longer than that. */
export function timeAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) {
    return 'now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return `${hours} h ago`;
  }
  const days = Math.floor(hours / 24);
  if (days <= 30) {
    return `${days} ${days === 1 ? 'day' : 'days'} ago`;
  }
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
