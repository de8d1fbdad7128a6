import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { dateText, numberText } from '../../core/base/localization.ts';
import { timeAgo } from '../../core/base/timeAgo.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { StoredConversation } from '../../core/chat/store/conversationStore.ts';
import type { ConversationSummary } from '../../core/chat/store/conversationSummary.ts';
import type { CommandId } from '../ui/commandIds.ts';

/** The state in words, for tooltips and screen readers. */
function stateText(state: ConversationSummary['state']): string | undefined {
  switch (state) {
    case 'running':
      return l10n.t('An answer is arriving');
    case 'failed':
      return l10n.t('The last answer failed');
    case 'incomplete':
      return l10n.t('The last answer is incomplete');
    case 'unsent':
      return l10n.t('Not sent yet');
    case 'ordinary':
      return undefined;
    default:
      return state satisfies never;
  }
}

/** The argument after the id of the row when a command is called by a click on the row. */
export const clicked = 'clicked';

/** The row of a conversation: its title, the model that answered last, how long ago, and its state. */
export function conversationItem(
  { entry, summary }: { readonly entry: StoredConversation; readonly summary: ConversationSummary },
  now: number,
  isUnread: boolean,
): vscode.TreeItem {
  const item = new vscode.TreeItem(visibleName(summary.title));
  const ago = timeAgo(entry.changedAt, now);
  const state = isUnread && summary.state === 'ordinary' ? l10n.t('New answer') : stateText(summary.state);
  item.id = entry.id;
  item.description = visibleName(describeConversation(entry, summary, now));
  item.tooltip = visibleText(tooltipOf(entry, summary, state));
  item.iconPath =
    isUnread && summary.state === 'ordinary'
      ? new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('textLink.foreground'))
      : conversationIcon(summary);
  item.contextValue = `conversation ${summary.state === 'running' ? 'running' : 'idle'}`;
  item.accessibilityInformation = {
    label: visibleName([summary.title, answeredBy(summary), ago, state].filter(Boolean).join(', ')),
  };
  const command = 'askModel.openConversation' satisfies CommandId;
  item.command = { command, title: l10n.t('Open Conversation'), arguments: [entry.id, clicked] };
  return item;
}

/** `gpt-5.1 · 5 minutes ago`, or `3 models · 5 minutes ago` where the last question was compared. */
export function describeConversation(entry: StoredConversation, summary: ConversationSummary, now: number): string {
  return [answeredBy(summary), timeAgo(entry.changedAt, now)].filter(Boolean).join(' · ');
}

function answeredBy({ lastModel, compared }: ConversationSummary): string | undefined {
  return compared === undefined ? lastModel : l10n.t('{0} models', numberText(compared));
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

/** Plain text, because text from people and models must not be rendered as Markdown. */
function tooltipOf(
  { changedAt, size }: StoredConversation,
  summary: ConversationSummary,
  state: string | undefined,
): string {
  const { title, createdAt, questions, lastHost } = summary;
  return [
    title,
    state,
    createdAt !== undefined && l10n.t('Created: {0}', dateText(createdAt)),
    l10n.t('Changed: {0}', dateText(changedAt)),
    l10n.t('Questions: {0}', numberText(questions)),
    lastHost !== undefined && l10n.t('Gateway: {0}', lastHost),
    size > 0 && sizeText(size),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

function sizeText(bytes: number): string {
  return bytes < 1_048_576
    ? l10n.t('Size: {0} KB', numberText(Math.max(1, Math.round(bytes / 1_024))))
    : l10n.t('Size: {0} MB', numberText(Math.round(bytes / 104_857.6) / 10));
}
