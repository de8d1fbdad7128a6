import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';

/** The rows of a tree. */
export type TreeRows = {
  getChildren(row?: unknown): readonly unknown[] | Promise<readonly unknown[]>;
  getTreeItem(row: unknown): vscode.TreeItem;
  /** Only for a tree whose rows can be revealed. */
  getParent?(row: unknown): unknown;
  /** Adds a tooltip, just before VS Code shows it. */
  resolveTreeItem?(item: vscode.TreeItem, row: unknown): Promise<vscode.TreeItem>;
};

/** A tree view whose rows are loaded when it is first shown. */
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

  /** Refreshes all rows, or only these rows and their children. */
  repaint(rows?: readonly unknown[]): void {
    this.#didChange.fire(rows && [...rows]);
  }

  async getChildren(row?: unknown): Promise<unknown[]> {
    this.#rows ??= await this.#load();
    return [...(await this.#rows.getChildren(row))];
  }

  getTreeItem(row: unknown): vscode.TreeItem | Promise<vscode.TreeItem> {
    // Synchronous when possible, since VS Code calls this for each of thousands of rows.
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
