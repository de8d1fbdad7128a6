import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import { visibleText } from '../../core/base/visibleText.ts';
import { type ConversationGroup, conversationGroups } from '../../core/chat/store/conversationGroups.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { StoredConversation } from '../../core/chat/store/conversationStore.ts';
import type { ConversationSummary } from '../../core/chat/store/conversationSummary.ts';
import type { UnreadAnswers } from '../panel/unreadAnswers.ts';
import type { CommandId } from '../ui/commandIds.ts';
import type { Log } from '../ui/log.ts';
import { isKeepingConversations, keepSetting, type LazyTree, type TreeRows } from '../ui/registrations.ts';
import { conversationItem } from './conversationItem.ts';

/** The row of a conversation. A class, so that other extensions can't make one. */
class ConversationRow {
  readonly kind = 'conversation';
  readonly entry: StoredConversation;
  readonly summary: ConversationSummary;

  constructor(entry: StoredConversation, summary: ConversationSummary) {
    this.entry = entry;
    this.summary = summary;
  }
}
type GroupRow = { readonly kind: 'conversationGroup'; readonly group: ConversationGroup; readonly isFolded: boolean };
type Row = GroupRow | ConversationRow | { readonly kind: 'trouble'; readonly words: string };

export type ConversationsViewDeps = {
  readonly index: ConversationIndex;
  readonly tree: LazyTree;
  readonly clock: Clock;
  readonly log: Log;
  readonly unread: Pick<UnreadAnswers, 'has' | 'onDidChange' | 'retain'>;
};

/** How often ages such as “5 minutes ago” are updated. */
const ageUpdateMs = 60_000;

/** The list of conversations in the side bar, newest first, grouped by day. */
export class ConversationsView implements TreeRows, Disposable {
  readonly #deps: ConversationsViewDeps;
  readonly #store = new DisposableStore();
  #trouble: string | undefined;
  #ageTimer: Disposable | undefined;

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
    this.#store.add({ dispose: () => this.#ageTimer?.dispose() });
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
      return each instanceof ConversationRow ? [each.entry.id] : [];
    });
  }

  async getChildren(row?: Row): Promise<Row[]> {
    const { index, clock } = this.#deps;
    if (row === undefined) {
      if (!index.hasRefreshed) {
        await this.refresh();
      }
      this.#describe();
      this.#scheduleAgeUpdate();
      const groups = conversationGroups(index.entries, clock.now()).map((group, _, all): Row => {
        return { kind: 'conversationGroup', group, isFolded: all.length > 1 && group.key === 'older' };
      });
      return this.#trouble === undefined ? [...groups] : [{ kind: 'trouble', words: this.#trouble }, ...groups];
    }
    if (row.kind !== 'conversationGroup') {
      return [];
    }
    const entries = new Map(row.group.entries.map((entry) => [entry.id, entry]));
    const summaries = await index.summaries([...entries.keys()]);
    return summaries.flatMap((summary) => {
      const entry = entries.get(summary.id);
      return entry ? [new ConversationRow(entry, summary)] : [];
    });
  }

  getTreeItem(row: Row): vscode.TreeItem {
    switch (row.kind) {
      case 'conversationGroup': {
        const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
        const item = new vscode.TreeItem(row.group.name, row.isFolded ? Collapsed : Expanded);
        item.id = `group ${row.group.key}`;
        item.contextValue = 'conversationGroup';
        return item;
      }
      case 'conversation':
        return conversationItem(row, this.#deps.clock.now(), this.#deps.unread.has(row.entry.id));
      case 'trouble': {
        const item = new vscode.TreeItem(l10n.t("Couldn't read the conversations. Select to try again."));
        item.tooltip = visibleText(row.words);
        item.iconPath = new vscode.ThemeIcon('warning');
        item.command = {
          command: 'askModel.refreshConversations' satisfies CommandId,
          title: l10n.t('Refresh Conversations'),
        };
        return item;
      }
      default:
        return row satisfies never;
    }
  }

  /** Reads the store again; an error is shown in the list. */
  async refresh(): Promise<void> {
    const before = this.#trouble;
    try {
      await this.#deps.index.refresh();
      this.#trouble = undefined;
    } catch (error) {
      this.#deps.log.defect('The list of conversations', error);
      this.#trouble = error instanceof Error ? error.message : String(error);
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
      // The ages in the rows are out of date.
      this.#repaint();
      this.#scheduleAgeUpdate();
    } else {
      this.#ageTimer?.dispose();
      this.#ageTimer = undefined;
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
    tree.view.message =
      index.entries.length > 0 && !isKeepingConversations()
        ? l10n.t("New conversations aren't saved. They're lost when this window closes.")
        : '';
  }

  #scheduleAgeUpdate(): void {
    this.#ageTimer ??= this.#deps.clock.after(ageUpdateMs, () => {
      this.#ageTimer = undefined;
      if (this.#deps.tree.view.visible) {
        this.#repaint();
        this.#scheduleAgeUpdate();
      }
    });
  }
}
