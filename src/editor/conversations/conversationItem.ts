import * as vscode from 'vscode';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import { timeAgo } from '../../core/chat/store/conversationGroups.ts';
import type { ConversationRow } from '../../core/chat/store/conversationRows.ts';
import type { KeptConversation } from '../../core/chat/store/conversationStore.ts';
import type { ConversationSummary } from '../../core/chat/store/conversationSummary.ts';
import type { CommandId } from '../ui/commandIds.ts';
import { numberWord } from '../ui/numberWord.ts';

/** In words, because an icon alone tells nothing to who can not see it. */
const stateWords: Readonly<Record<ConversationSummary['state'], string | undefined>> = {
  running: 'a reply is arriving',
  failed: 'the last reply failed',
  incomplete: 'the last reply is incomplete',
  unsent: 'not sent yet',
  ordinary: undefined,
};

/** What a click on a row hands to the command after the row's id. */
export const clicked = 'clicked';

/** The row of a conversation: its title, who answered last, how long ago, and its state. */
export function conversationItem({ entry, summary }: ConversationRow, now: number): vscode.TreeItem {
  if (summary === undefined) {
    throw new Error('A conversation is shown only when it is known what to say of it');
  }
  const item = new vscode.TreeItem(visibleName(summary.title));
  const ago = timeAgo(entry.changedAt, now);
  item.id = entry.id;
  item.description = visibleName(describeConversation(entry, summary, now));
  item.tooltip = visibleText(tooltipOf(entry, summary));
  item.iconPath = conversationIcon(summary);
  item.contextValue = `conversation ${summary.state === 'running' ? 'running' : 'idle'}`;
  item.accessibilityInformation = {
    label: visibleName([summary.title, answeredBy(summary), ago, stateWords[summary.state]].filter(Boolean).join(', ')),
  };
  const command = 'askModel.openConversation' satisfies CommandId;
  item.command = { command, title: 'Open Conversation', arguments: [entry.id, clicked] };
  return item;
}

/** `gpt-5.1 · 5 min ago`, or `three models · 5 min ago` where the last question was compared. */
export function describeConversation(entry: KeptConversation, summary: ConversationSummary, now: number): string {
  return [answeredBy(summary), timeAgo(entry.changedAt, now)].filter(Boolean).join(' · ');
}

function answeredBy({ lastModel, compared }: ConversationSummary): string | undefined {
  return compared === undefined ? lastModel : `${numberWord(compared)} models`;
}

export function conversationIcon({
  state,
  compared,
}: Pick<ConversationSummary, 'state' | 'compared'>): vscode.ThemeIcon {
  switch (state) {
    case 'running':
      return new vscode.ThemeIcon('loading~spin');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'incomplete':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'unsent':
      return new vscode.ThemeIcon('edit');
    case 'ordinary':
      return new vscode.ThemeIcon(compared === undefined ? 'comment-discussion' : 'split-horizontal');
    default:
      return state satisfies never;
  }
}

/** Plain text: what people and models write is not ours to render. */
function tooltipOf({ changedAt, size }: KeptConversation, summary: ConversationSummary): string {
  const { title, createdAt, questions, lastHost, state } = summary;
  const words = stateWords[state];
  return [
    title,
    words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
    createdAt !== undefined && `Created: ${new Date(createdAt).toLocaleString()}`,
    `Changed: ${new Date(changedAt).toLocaleString()}`,
    `Questions: ${questions.toLocaleString('en-US')}`,
    lastHost !== undefined && `Gateway: ${lastHost}`,
    size > 0 && `Size: ${sizeText(size)}`,
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

function sizeText(bytes: number): string {
  return bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1_024)).toLocaleString('en-US')} KB`
    : `${(bytes / 1_048_576).toFixed(1)} MB`;
}
