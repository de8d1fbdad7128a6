import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { CheckState, UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import type { Catalogue, CatalogueState } from '../../core/models/catalogue/catalogue.ts';
import { type ModelGroupRow, ModelRow, ModelRows } from '../../core/models/catalogue/modelRows.ts';
import { type CatalogueView, type ModelGroup, shownGroups } from '../../core/models/catalogue/shownGroups.ts';
import type { LazyTree, TreeRows } from '../ui/lazyTree.ts';
import type { Log } from '../ui/log.ts';
import { withProgress } from '../ui/messages.ts';
import { failedListActions, type ListAction, listAction } from './failedListActions.ts';
import { modelGroupItem, modelItem, modelTooltip } from './modelItem.ts';
import { modelsMessage } from './modelsMessage.ts';

type Row = ModelGroupRow | ModelRow | ListAction;

/** What the list is narrowed to: the words as typed, and which models they stand for now. */
export type ModelsFilter = {
  readonly text: string;
  /** Asked anew whenever the list changes. */
  readonly matches: () => ReadonlySet<string>;
};

/** Longer than any id of a model: what another extension hands over may be any text. */
const maxIdChars = 1_000;
/** Few enough to be seen at once, so that groups open by themselves. */
const unfoldedModels = 40;

/** The side bar's list: favourites, vendors, exact ids, and what to do when there is no list. */
export class ModelsView implements TreeRows, vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #connections: Connections;
  readonly #unchecked: UncheckedConnections;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #tree: LazyTree;
  readonly #rows = new ModelRows();
  #shownState: string | undefined;
  /** What the rows are made of, as it was when they were made. */
  #painted: readonly unknown[] = [];
  #view: CatalogueView | undefined;
  #filter: ModelsFilter | undefined;
  #matches: ReadonlySet<string> | undefined;

  constructor(
    catalogue: Catalogue,
    connections: Connections,
    unchecked: UncheckedConnections,
    log: Log,
    tree: LazyTree,
  ) {
    this.#catalogue = catalogue;
    this.#connections = connections;
    this.#unchecked = unchecked;
    this.#log = log;
    this.#tree = tree;
    this.#store.add(catalogue.onDidChange(() => this.#repaint()));
    this.#store.add(unchecked.onDidChange(() => this.#repaint()));
    // A connection that is only named anew keeps its list.
    this.#store.add(connections.onDidChange(() => this.#describe(catalogue.state)));
  }

  /**
   * The exact id of the model a row stands for: what VS Code hands to a command of the row's menu; or an id itself.
   * Anyone can call a command with anything: what stands for no model is as good as nothing.
   */
  static modelOf(row: unknown): string | undefined {
    if (typeof row === 'string') {
      return row.trim() === '' || row.length > maxIdChars || /\p{Cc}/u.test(row) ? undefined : row;
    }
    return row instanceof ModelRow ? row.shown.id : undefined;
  }

  /** The exact ids of the models that rows stand for: that of the row, or of all that are selected with it. */
  static idsOf(row: unknown, selected?: unknown): readonly string[] {
    const rows: readonly unknown[] = Array.isArray(selected) && selected.includes(row) ? selected : [row];
    return [...new Set(rows.flatMap((each) => ModelsView.modelOf(each) ?? []))];
  }

  get filter(): ModelsFilter | undefined {
    return this.#filter;
  }

  /** Narrows the list until it is called without a filter. */
  setFilter(filter: ModelsFilter | undefined): void {
    this.#filter = filter;
    void vscode.commands.executeCommand('setContext', 'askModel.isFiltered', filter !== undefined);
    this.#repaint();
  }

  /** Brings the row of a model into sight and selects it; a filter that hides it goes. */
  async reveal(id: string): Promise<void> {
    if (this.#matches && !this.#matches.has(id)) {
      this.setFilter(undefined);
    }
    // VS Code asks for the rows later, and gets the same objects.
    const rows = this.#topRows(this.#catalogue.state);
    const group = rows.findLast((each) => each.kind === 'group' && each.group.models.some((model) => model.id === id));
    const row = group?.kind === 'group' && group.members().find(({ shown }) => shown.id === id);
    await (row && this.#tree.view.reveal(row));
  }

  getChildren(row?: Row): Row[] {
    if (row !== undefined) {
      return row.kind === 'group' ? [...row.members()] : [];
    }
    if (this.#catalogue.state.status === 'unread') {
      // The first look is what reads the list; its news repaint the tree. Not waited for: a list that was kept is to be
      // seen while the gateway is still being asked.
      withProgress({ location: { viewId: 'askModel.models' } }, () => this.#catalogue.load()).then(undefined, (error) =>
        this.#log.defect('The list of models', error),
      );
    }
    return this.#topRows(this.#catalogue.state);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    // A filtered list unfolds again, whatever was folded in the whole one.
    const idPrefix = this.#matches ? 'filtered ' : '';
    switch (row.kind) {
      case 'group':
        return modelGroupItem(row, idPrefix);
      case 'model':
        return modelItem(row.shown, `${idPrefix}${row.parent.group.key}`);
      case 'action': {
        const item = new vscode.TreeItem(row.title);
        item.iconPath = new vscode.ThemeIcon(row.icon);
        item.command = { command: row.command, title: row.title };
        item.contextValue = 'action';
        item.tooltip = row.title;
        return item;
      }
      default:
        return row satisfies never;
    }
  }

  getParent(row: Row): Row | undefined {
    return row.kind === 'model' ? row.parent : undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    if (row.kind === 'model') {
      item.tooltip = modelTooltip(row.shown, await this.#catalogue.description(row.shown.id));
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * VS Code holds back a second repaint for a fifth of a second, and keeps a piece of memory for each row it is given
   * each time: so there is none that would change no row, and a choice of the person repaints the rows it changes.
   */
  #repaint(): void {
    const { state, view } = this.#catalogue;
    const isListless = state.list === undefined ? state.status : '';
    const failure = state.status === 'failed' && state.advice;
    const shown = [view.list, this.#filter, failure, isListless, this.#checkState];
    if (view !== this.#view || shown.some((each, index) => each !== this.#painted[index])) {
      this.#matches = this.#filter?.matches();
      const isList = shown.every((each, index) => each === this.#painted[index]);
      const rows = isList ? this.#rows.change(this.#groups()) : undefined;
      if (rows === undefined) {
        this.#tree.repaint();
      } else if (rows.length > 0) {
        this.#tree.repaint(rows);
      }
      this.#painted = shown;
      this.#view = view;
    }
    this.#describe(state);
  }

  /** What is shown of the groups: with a filter, what matches it. */
  #groups(): readonly ModelGroup[] {
    const matches = this.#matches;
    const groups = shownGroups(this.#catalogue);
    return matches
      ? groups.flatMap((group) => {
          const models = group.models.filter(({ id }) => matches.has(id));
          return models.length === 0 ? [] : [{ ...group, models }];
        })
      : groups;
  }

  /** Whether the connection was kept without a check, and what calls have shown since. */
  get #checkState(): CheckState | undefined {
    const { connection } = this.#catalogue.state;
    return connection && this.#unchecked.stateOf(connection.id);
  }

  #topRows({ status, list, advice }: CatalogueState): Row[] {
    if (list === undefined && status !== 'ready' && status !== 'failed') {
      // What the person typed by hand is not all there is: a group that comes in two steps would be unfolded for good.
      return [];
    }
    const isSmall = (list?.models.length ?? 0) <= unfoldedModels;
    const matches = this.#matches;
    this.#rows.replace(this.#groups(), ({ kind }) => {
      const isChosen = kind === 'favourites' || kind === 'recent';
      return matches ? false : kind === 'notForChat' || !(isSmall || isChosen);
    });
    const rows: Row[] = [...this.#rows.groups];
    if (matches && rows.length === 0 && list) {
      rows.push(listAction('No model matches. Show all', 'askModel.clearFilter', 'clear-all'));
    }
    return status === 'failed' && advice
      ? [...failedListActions(advice, list !== undefined, this.#checkState), ...rows]
      : rows;
  }

  /** The message above the rows, and the key of the welcome views. */
  #describe(state: CatalogueState): void {
    const { status, connection, list } = state;
    const isEmpty = status === 'ready' && list?.models.length === 0 && shownGroups(this.#catalogue).length === 0;
    const shown = isEmpty ? 'empty' : status;
    if (shown !== this.#shownState) {
      this.#shownState = shown;
      void vscode.commands.executeCommand('setContext', 'askModel.state', shown);
    }
    const { name } = this.#connections.all.find(({ id }) => id === connection?.id) ?? connection ?? {};
    const message = modelsMessage(state, {
      name,
      checkState: this.#checkState,
      newModels: this.#catalogue.view.newIds.size,
      filter: this.#filter && this.#matches && { text: this.#filter.text, matches: this.#matches.size },
    });
    // Setting it counts as a repaint.
    if (message !== this.#tree.view.message) {
      this.#tree.view.message = message;
    }
  }
}
