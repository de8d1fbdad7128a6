import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';

/** What a tree shows, once it is loaded. */
export type TreeRows = {
  getChildren(row?: unknown): readonly unknown[] | Promise<readonly unknown[]>;
  getTreeItem(row: unknown): vscode.TreeItem;
  /** For a tree whose rows are revealed. */
  getParent?(row: unknown): unknown;
  /** Adds the tooltip to a row that has none, when it is about to be shown. */
  resolveTreeItem?(item: vscode.TreeItem, row: unknown): Promise<vscode.TreeItem>;
};

/** A tree in the side bar that loads what it shows when somebody looks at it first. */
export class LazyTree implements vscode.TreeDataProvider<unknown>, vscode.Disposable {
  readonly view: vscode.TreeView<unknown>;
  readonly #load: () => Promise<TreeRows>;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new vscode.EventEmitter<unknown[] | undefined>());
  readonly onDidChangeTreeData = this.#didChange.event;
  #rows: TreeRows | undefined;

  constructor(id: string, load: () => Promise<TreeRows>, canSelectMany = false) {
    this.#load = load;
    this.view = this.#store.add(
      vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true, canSelectMany }),
    );
  }

  /** All rows are asked for again, or only these and those below them. */
  repaint(rows?: readonly unknown[]): void {
    this.#didChange.fire(rows && [...rows]);
  }

  async getChildren(row?: unknown): Promise<unknown[]> {
    this.#rows ??= await this.#load();
    return [...(await this.#rows.getChildren(row))];
  }

  getTreeItem(row: unknown): vscode.TreeItem | Promise<vscode.TreeItem> {
    // At once when it can be: it is asked for each of thousands of rows.
    return this.#rows?.getTreeItem(row) ?? this.#load().then((rows) => rows.getTreeItem(row));
  }

  getParent(row: unknown): unknown {
    return this.#rows?.getParent?.(row);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: unknown): Promise<vscode.TreeItem> {
    return (await this.#rows?.resolveTreeItem?.(item, row)) ?? item;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
