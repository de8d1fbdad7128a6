import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import { visibleText } from '../../core/base/visibleText.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import {
  type ConversationGroupRow,
  ConversationRow,
  ConversationRows,
} from '../../core/chat/store/conversationRows.ts';
import type { CommandId } from '../ui/commandIds.ts';
import { isKeepingConversations, keepSetting } from '../ui/keepSetting.ts';
import type { LazyTree, TreeRows } from '../ui/lazyTree.ts';
import type { Log } from '../ui/log.ts';
import { conversationItem } from './conversationItem.ts';

type Row = ConversationGroupRow | ConversationRow | { readonly kind: 'trouble'; readonly words: string };

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
  readonly #rows: ConversationRows;
  #trouble: string | undefined;
  #aging: Disposable | undefined;

  constructor(deps: ConversationsViewDeps) {
    this.#deps = deps;
    const { index, tree } = deps;
    this.#rows = new ConversationRows(index);
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

  /**
   * The ids of the conversations that rows stand for: what VS Code hands to a command of their menu, or ids themselves.
   * Anyone can call a command with anything: what stands for no conversation is as good as nothing.
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
      if (!index.hasLooked) {
        await this.look();
      }
      this.#describe();
      this.#age();
      const groups = this.#rows.groups(clock.now());
      return this.#trouble === undefined ? [...groups] : [{ kind: 'trouble', words: this.#trouble }, ...groups];
    }
    return row.kind === 'conversationGroup' ? [...(await this.#rows.members(row, clock.now()))] : [];
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
        return conversationItem(row, this.#deps.clock.now());
      case 'trouble': {
        const item = new vscode.TreeItem('Conversations could not be read. Try again');
        item.tooltip = visibleText(row.words);
        item.iconPath = new vscode.ThemeIcon('warning');
        item.command = { command: 'askModel.refreshConversations' satisfies CommandId, title: 'Refresh Conversations' };
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
      this.#describe();
      this.#deps.tree.repaint();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #seen(isVisible: boolean): void {
    if (isVisible) {
      void this.look();
      // What the rows say has aged meanwhile.
      this.#repaint();
      this.#age();
    } else {
      this.#aging?.dispose();
      this.#aging = undefined;
    }
  }

  #repaint(): void {
    const { tree, clock, log } = this.#deps;
    this.#describe();
    this.#rows.changes(clock.now()).then(
      (rows) => (rows === 'all' ? tree.repaint() : rows.length > 0 && tree.repaint(rows)),
      (error) => log.defect('The list of conversations', error),
    );
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
        this.#repaint();
        this.#age();
      }
    });
  }
}
