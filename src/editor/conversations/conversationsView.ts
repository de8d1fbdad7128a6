import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { dateText, factsText, numberText, sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import { timeAgo } from '../../core/base/timeAgo.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import {
  type ConversationIndex,
  dayGroupOf,
  type ListedConversation,
} from '../../core/chat/store/conversationIndex.ts';
import type { UnreadAnswers } from '../panel/unreadAnswers.ts';
import type { Log } from '../ui/log.ts';
import {
  type CommandId,
  isKeepingConversations,
  keepSetting,
  type LazyTree,
  type TreeRows,
} from '../ui/registrations.ts';

/** The list of conversations in the side bar, newest first, grouped by day. */
export class ConversationsView extends DisposableStore implements TreeRows {
  readonly #index: ConversationIndex;
  readonly #tree: LazyTree;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #unread: Pick<UnreadAnswers, 'has' | 'onDidChange' | 'retain'>;
  /** The ids of the conversations in each group that VS Code was last told of. A row is a group or an id. */
  #groups: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  readonly #rows = new Map<string, ListedConversation>();
  #trouble: string | undefined;

  constructor(
    index: ConversationIndex,
    tree: LazyTree,
    clock: Pick<Clock, 'now'>,
    log: Log,
    unread: Pick<UnreadAnswers, 'has' | 'onDidChange' | 'retain'>,
  ) {
    super();
    this.#index = index;
    this.#tree = tree;
    this.#clock = clock;
    this.#log = log;
    this.#unread = unread;
    this.add(
      index.onDidChange((id) => {
        if (index.hasRefreshed) {
          unread.retain(new Set(index.entries.map(({ id }) => id)));
        }
        this.#repaint(id);
      }),
    );
    this.add(unread.onDidChange((id) => this.#repaint(id)));
    // Other windows may have changed conversations.
    this.add(tree.view.onDidChangeVisibility(({ visible }) => this.#visibilityChanged(visible)));
    this.add(
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#visibilityChanged(tree.view.visible)),
    );
    this.add(
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration(keepSetting) && this.#describe(),
      ),
    );
  }

  /**
   * The ids of the conversations that a command was called on. Its arguments are ids, as VS Code passes the rows to the
   * commands of their menu. Any extension can call a command with any arguments; invalid ones are ignored.
   */
  static idsOf(row: unknown, selected?: unknown): readonly string[] {
    const rows: unknown[] = Array.isArray(selected) && selected.includes(row) ? selected : [row];
    return rows.filter((each): each is string => typeof each === 'string' && /^[\w-]{1,64}$/.test(each));
  }

  async getChildren(row?: string): Promise<string[]> {
    if (row === undefined) {
      if (!this.#index.hasRefreshed) {
        await this.refresh();
      }
      this.#describe();
      const now = this.#clock.now();
      const groups = Map.groupBy(this.#index.entries, (entry) => `group ${dayGroupOf(entry, now)}`);
      this.#groups = new Map([...groups].map(([group, entries]) => [group, new Set(entries.map(({ id }) => id))]));
      return [...this.#groups.keys()];
    }
    const members = this.#groups.get(row);
    const ids = this.#index.entries.map(({ id }) => id).filter((id) => members?.has(id));
    const listed = await this.#index.listed(ids);
    return listed.map((each) => {
      this.#rows.set(each.id, each);
      return each.id;
    });
  }

  getTreeItem(row: string): vscode.TreeItem {
    const listed = this.#rows.get(row);
    return listed
      ? conversationItem(listed, this.#clock.now(), this.#unread.has(row))
      : groupItem(row, this.#groups.size === 1);
  }

  /** Reads the store again; an error is shown above the list. */
  async refresh(): Promise<void> {
    try {
      await this.#index.refresh();
      this.#trouble = undefined;
    } catch (error) {
      this.#log.defect('The list of conversations', error);
      this.#trouble = messageOf(error);
    }
    this.#describe();
  }

  #visibilityChanged(isVisible: boolean): void {
    if (isVisible) {
      void this.refresh();
      this.#repaint();
    }
  }

  /** @param id of the conversation that is the only change; by default anything may have changed. */
  #repaint(id?: string): void {
    this.#describe();
    this.#tree.repaint(id === undefined ? undefined : this.#groupToRepaint(id));
  }

  /**
   * The group in which a conversation has its place, now and as it was painted. VS Code keeps something of every row that
   * it is given (microsoft/vscode#207308), and a question changes one conversation several times.
   */
  #groupToRepaint(id: string): string | undefined {
    const entry = this.#index.entries.find((each) => each.id === id);
    const group = entry && `group ${dayGroupOf(entry, this.#clock.now())}`;
    return group !== undefined && this.#groups.get(group)?.has(id) ? group : undefined;
  }

  /**
   * Sets the message of the view, but only when there are rows: it would hide the welcome text, which says the same.
   */
  #describe(): void {
    this.#tree.view.message = visibleText(
      sentences(
        this.#trouble && l10n.t("Couldn't read the conversations: {0}", this.#trouble),
        this.#index.entries.length > 0 &&
          !isKeepingConversations() &&
          l10n.t("New conversations aren't saved. They're lost when this window closes."),
      ),
    );
  }
}

/** The state of a conversation in words, for tooltips and screen readers, with its icon. */
export function stateView({ state, compared }: ListedConversation, isNew = false) {
  const ordinary = compared === undefined ? 'comment-discussion' : 'split-horizontal';
  const states: Record<typeof state | 'new', readonly [icon: string, text?: string, color?: string]> = {
    running: ['loading~spin', l10n.t('An answer is arriving')],
    failed: ['error', l10n.t('The last answer failed'), 'list.errorForeground'],
    incomplete: ['warning', l10n.t('The last answer is incomplete'), 'list.warningForeground'],
    unsent: ['edit', l10n.t('Not sent yet')],
    ordinary: [ordinary],
    new: ['circle-filled', l10n.t('New answer'), 'textLink.foreground'],
  };
  const [icon, text, color] = states[isNew && state === 'ordinary' ? 'new' : state];
  return { icon: new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color)), text };
}

/** The argument after the id of the row when a command is called by a click on the row. */
export const clicked = 'clicked';

/** @param isOnly whether there is no other group. */
function groupItem(row: string, isOnly: boolean): vscode.TreeItem {
  const names: Readonly<Record<string, string>> = {
    'group today': l10n.t('Today'),
    'group yesterday': l10n.t('Yesterday'),
    'group week': l10n.t('Last 7 Days'),
  };
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const isFolded = row === 'group older' && !isOnly;
  const item = new vscode.TreeItem(names[row] ?? l10n.t('Older'), isFolded ? Collapsed : Expanded);
  item.id = row;
  item.contextValue = 'conversationGroup';
  return item;
}

/** The row of a conversation: its title, the model that answered last, how long ago, and its state. */
function conversationItem(listed: ListedConversation, now: number, isUnread: boolean): vscode.TreeItem {
  const { id, title } = listed;
  const item = new vscode.TreeItem(visibleName(title));
  const { icon, text: state } = stateView(listed, isUnread);
  item.id = id;
  item.description = visibleName(describeConversation(listed, now));
  item.tooltip = visibleText(tooltipOf(listed, state));
  item.iconPath = icon;
  item.contextValue = `conversation ${listed.state === 'running' ? 'running' : 'idle'}`;
  const label = [title, answeredBy(listed), timeAgo(listed.changedAt, now), state].filter(Boolean).join(', ');
  item.accessibilityInformation = { label: visibleName(label) };
  const command = 'askModel.openConversation' satisfies CommandId;
  item.command = { command, title: l10n.t('Open Conversation'), arguments: [id, clicked] };
  return item;
}

/** `gpt-5.1 · 5 minutes ago`, or `3 models · 5 minutes ago` where the last question was compared. */
export function describeConversation(listed: ListedConversation, now: number): string {
  return factsText(answeredBy(listed), timeAgo(listed.changedAt, now));
}

function answeredBy({ lastModel, compared }: ListedConversation): string | undefined {
  return compared === undefined ? lastModel : l10n.t('{0} models', numberText(compared));
}

/** Plain text, because text from people and models must not be rendered as Markdown. */
function tooltipOf(listed: ListedConversation, state: string | undefined): string {
  const { title, changedAt, lastHost } = listed;
  return [
    title,
    state,
    l10n.t('Changed: {0}', dateText(changedAt)),
    lastHost !== undefined && l10n.t('Gateway: {0}', lastHost),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}
