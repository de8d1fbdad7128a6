import * as vscode from 'vscode';
import { conversationGroups } from '../core/chat/conversationGroups.ts';
import type { ConversationIndex } from '../core/chat/conversationIndex.ts';
import type { KeptConversation } from '../core/chat/conversationStore.ts';
import type { ConversationSummary } from '../core/chat/conversationSummary.ts';
import type { Clock } from '../core/clock.ts';
import { type Disposable, DisposableStore } from '../core/lifetime.ts';
import { visibleText } from '../core/visibleText.ts';
import { conversationItem } from './conversationItem.ts';
import { isKeepingConversations, keepSetting } from './keepSetting.ts';
import type { LazyTree, TreeRows } from './lazyTree.ts';
import type { Log } from './log.ts';

type Row =
  | { readonly kind: 'conversationGroup'; readonly key: string; readonly name: string; readonly isFolded: boolean }
  | { readonly kind: 'conversation'; readonly entry: KeptConversation; readonly summary: ConversationSummary }
  | { readonly kind: 'trouble'; readonly words: string };

export type ConversationsViewDeps = {
  readonly index: ConversationIndex;
  readonly tree: LazyTree;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long `5 min ago` may be wrong. */
const agingMs = 60_000;

/** The side bar's list of what was asked, newest first, by day. */
export class ConversationsView implements TreeRows, Disposable {
  readonly #deps: ConversationsViewDeps;
  readonly #store = new DisposableStore();
  #trouble: string | undefined;
  #aging: Disposable | undefined;

  constructor(deps: ConversationsViewDeps) {
    this.#deps = deps;
    const { index, tree } = deps;
    this.#store.add(index.onDidChange(() => this.#repaint()));
    // Other windows may have written meanwhile.
    this.#store.add(tree.view.onDidChangeVisibility(({ visible }) => this.#seen(visible)));
    this.#store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#seen(tree.view.visible)));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration(keepSetting) && this.#describe(),
      ),
    );
    this.#store.add({ dispose: () => this.#aging?.dispose() });
  }

  /** The ids of the conversations that rows stand for: what VS Code hands to a command of their menu, or ids themselves. */
  static idsOf(row: unknown, selected?: unknown): readonly string[] {
    const rows = Array.isArray(selected) && selected.includes(row) ? selected : [row];
    return rows.flatMap((each: unknown) => {
      if (typeof each === 'string') {
        return [each];
      }
      return isRow(each) && each.kind === 'conversation' ? [each.entry.id] : [];
    });
  }

  async getChildren(row?: Row): Promise<Row[]> {
    const { index, clock } = this.#deps;
    if (row === undefined) {
      if (!index.hasLooked) {
        await this.look();
      }
      this.#describe();
      this.#age();
      const groups = conversationGroups(index.entries, clock.now());
      const rows = groups.map(({ key, name }): Row => {
        return { kind: 'conversationGroup', key, name, isFolded: key === 'older' && groups.length > 1 };
      });
      return this.#trouble === undefined ? rows : [{ kind: 'trouble', words: this.#trouble }, ...rows];
    }
    if (row.kind !== 'conversationGroup') {
      return [];
    }
    const group = conversationGroups(index.entries, clock.now()).find(({ key }) => key === row.key);
    const summaries = await index.summaries(group?.entries.map(({ id }) => id) ?? []);
    const found = new Map(summaries.map((summary) => [summary.id, summary]));
    return (group?.entries ?? []).flatMap((entry): Row[] => {
      const summary = found.get(entry.id);
      return summary ? [{ kind: 'conversation', entry, summary }] : [];
    });
  }

  getTreeItem(row: Row): vscode.TreeItem {
    switch (row.kind) {
      case 'conversationGroup': {
        const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
        const item = new vscode.TreeItem(row.name, row.isFolded ? Collapsed : Expanded);
        item.id = `group ${row.key}`;
        item.contextValue = 'conversationGroup';
        return item;
      }
      case 'conversation':
        return conversationItem(row.entry, row.summary, this.#deps.clock.now());
      case 'trouble': {
        const item = new vscode.TreeItem('Conversations could not be read. Try again');
        item.tooltip = visibleText(row.words);
        item.iconPath = new vscode.ThemeIcon('warning');
        item.command = { command: 'askModel.refreshConversations', title: 'Refresh Conversations' };
        return item;
      }
      default:
        return row satisfies never;
    }
  }

  /** Looks at the store anew; what fails is told in the list. */
  async look(): Promise<void> {
    const before = this.#trouble;
    try {
      await this.#deps.index.look();
      this.#trouble = undefined;
    } catch (error) {
      this.#deps.log.defect('The list of conversations', error);
      this.#trouble = error instanceof Error ? error.message : String(error);
    }
    if (this.#trouble !== before) {
      this.#repaint();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #seen(isVisible: boolean): void {
    if (isVisible) {
      void this.look();
      this.#age();
    } else {
      this.#aging?.dispose();
      this.#aging = undefined;
    }
  }

  #repaint(): void {
    this.#describe();
    this.#deps.tree.repaint();
  }

  /** Only where there are rows: a message would hide the view's welcome, which says the same. */
  #describe(): void {
    const { index, tree } = this.#deps;
    const lines: string[] = [];
    if (index.entries.length > 0 && !isKeepingConversations()) {
      lines.push('New conversations are not kept on disk; they are gone when this window closes.');
    }
    if (index.isPartial) {
      lines.push('The newest 10,000 are listed.');
    }
    tree.view.message = lines.join(' ');
  }

  #age(): void {
    this.#aging ??= this.#deps.clock.after(agingMs, () => {
      this.#aging = undefined;
      if (this.#deps.tree.view.visible) {
        this.#deps.tree.repaint();
      }
    });
  }
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null && 'kind' in row;
}
