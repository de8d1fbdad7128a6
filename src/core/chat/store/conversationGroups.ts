import type { KeptConversation } from './conversationStore.ts';

const keys = ['today', 'earlier', 'yesterday', 'week', 'older'] as const;

export type ConversationGroup = {
  readonly key: (typeof keys)[number];
  readonly name: string;
  readonly entries: readonly KeptConversation[];
};

const names = {
  today: 'Today',
  earlier: 'Earlier Today',
  yesterday: 'Yesterday',
  week: 'Last 7 Days',
  older: 'Older',
} as const;

/** Each new question changes today's group, and VS Code makes all of its rows again: so it stays small. */
const mostToday = 99;
/** How many go into the group of earlier ones at a time: that group, too, is not to change with each question. */
const movedAtOnce = 50;

/**
 * By the day of the last change in the machine's own time zone; groups without any are left out. Where more than 99
 * changed today, all but the newest 50 to 99 have a group of their own.
 *
 * @param entries newest first.
 */
export function conversationGroups(entries: readonly KeptConversation[], now: number): ConversationGroup[] {
  const today = startOfDay(now, 0);
  const yesterday = startOfDay(now, 1);
  const week = startOfDay(now, 7);
  const keyOf = ({ changedAt }: KeptConversation) =>
    changedAt >= today ? 'today' : changedAt >= yesterday ? 'yesterday' : changedAt >= week ? 'week' : 'older';
  const grouped = new Map<ConversationGroup['key'], KeptConversation[]>();
  const ofToday = entries.filter((entry) => keyOf(entry) === 'today').length;
  const newest = ofToday > mostToday ? movedAtOnce + (ofToday % movedAtOnce) : ofToday;
  for (const [index, entry] of entries.entries()) {
    const key = keyOf(entry) === 'today' && index >= newest ? 'earlier' : keyOf(entry);
    const members = grouped.get(key);
    if (members) {
      members.push(entry);
    } else {
      grouped.set(key, [entry]);
    }
  }
  return keys.flatMap((key) => {
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
