import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import { dateText, numberText, sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import { timeAgo } from '../../core/base/timeAgo.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import {
  type ConversationGroup,
  type ConversationGroupRow,
  ConversationRow,
  conversationGroups,
  groupName,
} from '../../core/chat/store/conversationRows.ts';
import type { StoredConversation } from '../../core/chat/store/conversationStore.ts';
import type { ConversationSummary } from '../../core/chat/store/conversationSummary.ts';
import type { UnreadAnswers } from '../panel/unreadAnswers.ts';
import type { CommandId } from '../ui/commandIds.ts';
import type { Log } from '../ui/log.ts';
import { isKeepingConversations, keepSetting, type LazyTree, type TreeRows } from '../ui/registrations.ts';

type Row = ConversationGroupRow | ConversationRow;

export type ConversationsViewDeps = {
  readonly index: ConversationIndex;
  readonly tree: LazyTree;
  readonly clock: Clock;
  readonly log: Log;
  readonly unread: Pick<UnreadAnswers, 'has' | 'onDidChange' | 'retain'>;
};

/** The list of conversations in the side bar, newest first, grouped by day. */
export class ConversationsView implements TreeRows, Disposable {
  readonly #deps: ConversationsViewDeps;
  readonly #store = new DisposableStore();
  /** The groups that VS Code was last told of; undefined until it has asked for them. */
  #groups: readonly ConversationGroup[] | undefined;
  #trouble: string | undefined;

  constructor(deps: ConversationsViewDeps) {
    this.#deps = deps;
    const { index, tree, unread } = deps;
    this.#store.add(
      index.onDidChange(() => {
        if (index.hasRefreshed) {
          unread.retain(new Set(index.entries.map(({ id }) => id)));
        }
        this.#repaint();
      }),
    );
    this.#store.add(unread.onDidChange(() => this.#repaint()));
    // Other windows may have changed conversations.
    this.#store.add(tree.view.onDidChangeVisibility(({ visible }) => this.#visibilityChanged(visible)));
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#visibilityChanged(tree.view.visible)),
    );
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration(keepSetting) && this.#describe(),
      ),
    );
  }

  /**
   * The ids of the conversations that a command was called on. Its arguments are rows, as VS Code passes them to the
   * commands of their menu, or ids. Any extension can call a command with any arguments; invalid ones are ignored.
   */
  static idsOf(row: unknown, selected?: unknown): readonly string[] {
    const rows = Array.isArray(selected) && selected.includes(row) ? selected : [row];
    return rows.flatMap((each: unknown) => {
      if (typeof each === 'string') {
        return /^[\w-]{1,64}$/.test(each) ? [each] : [];
      }
      return each instanceof ConversationRow ? [each.id] : [];
    });
  }

  async getChildren(row?: Row): Promise<Row[]> {
    const { index, clock } = this.#deps;
    if (row === undefined) {
      if (!index.hasRefreshed) {
        await this.refresh();
      }
      this.#describe();
      this.#groups = conversationGroups(index.entries, clock.now());
      return this.#groups.map((group) => group.row);
    }
    const { entries = [] } = this.#groups?.find((group) => group.row === row) ?? {};
    const summaries = await index.summaries(entries.map(({ id }) => id));
    const byId = new Map(summaries.map((summary) => [summary.id, summary]));
    return entries.flatMap((entry) => {
      const summary = byId.get(entry.id);
      return summary ? [new ConversationRow(entry, summary)] : [];
    });
  }

  getTreeItem(row: Row): vscode.TreeItem {
    if (row.kind === 'conversation') {
      return conversationItem(row, this.#deps.clock.now(), this.#deps.unread.has(row.id));
    }
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const isFolded = row.key === 'older' && this.#groups?.length !== 1;
    const item = new vscode.TreeItem(groupName(row), isFolded ? Collapsed : Expanded);
    item.id = `group ${row.key}`;
    item.contextValue = 'conversationGroup';
    return item;
  }

  /** Reads the store again; an error is shown above the list. */
  async refresh(): Promise<void> {
    const before = this.#trouble;
    try {
      await this.#deps.index.refresh();
      this.#trouble = undefined;
    } catch (error) {
      this.#deps.log.defect('The list of conversations', error);
      this.#trouble = messageOf(error);
    }
    if (this.#trouble !== before) {
      this.#describe();
      this.#deps.tree.repaint();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #visibilityChanged(isVisible: boolean): void {
    if (isVisible) {
      void this.refresh();
      this.#repaint();
    }
  }

  #repaint(): void {
    this.#describe();
    this.#deps.tree.repaint();
  }

  /**
   * Sets the message of the view, but only when there are rows: it would hide the welcome text, which says the same.
   */
  #describe(): void {
    const { index, tree } = this.#deps;
    tree.view.message = visibleText(
      sentences(
        this.#trouble && l10n.t("Couldn't read the conversations: {0}", this.#trouble),
        index.entries.length > 0 &&
          !isKeepingConversations() &&
          l10n.t("New conversations aren't saved. They're lost when this window closes."),
      ),
    );
  }
}

/** The state in words, for tooltips and screen readers. */
function stateText(state: ConversationSummary['state']): string | undefined {
  return {
    running: l10n.t('An answer is arriving'),
    failed: l10n.t('The last answer failed'),
    incomplete: l10n.t('The last answer is incomplete'),
    unsent: l10n.t('Not sent yet'),
    ordinary: undefined,
  }[state];
}

/** The argument after the id of the row when a command is called by a click on the row. */
export const clicked = 'clicked';

/** The row of a conversation: its title, the model that answered last, how long ago, and its state. */
function conversationItem({ entry, summary }: ConversationRow, now: number, isUnread: boolean): vscode.TreeItem {
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
