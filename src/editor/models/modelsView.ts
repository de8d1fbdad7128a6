import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { CheckState, UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { ListState } from '../../core/models/catalogue/currentList.ts';
import { type ModelGroupRow, ModelRow, ModelRows } from '../../core/models/catalogue/modelRows.ts';
import { type CatalogueView, type ModelGroup, shownGroups } from '../../core/models/catalogue/shownGroups.ts';
import type { CommandId } from '../ui/commandIds.ts';
import type { LazyTree, TreeRows } from '../ui/lazyTree.ts';
import type { Log } from '../ui/log.ts';
import { withProgress } from '../ui/messages.ts';
import { failedListActions, type ListAction, listAction } from './failedListActions.ts';
import { modelGroupItem, modelItem, modelTooltip } from './modelItem.ts';
import type { ModelPricing } from './modelPricing.ts';
import { modelsMessage } from './modelsMessage.ts';

type Row = ModelGroupRow | ModelRow | ListAction;

/** A filter of the list: the words as typed, and the models that match them now. */
export type ModelsFilter = {
  readonly text: string;
  /** Called again whenever the list changes. @returns exact ids. */
  readonly matches: () => ReadonlySet<string>;
};

/** Longer than any model id; another extension can pass any text to a command. */
const maxIdChars = 1_000;
/** Up to this number of models, groups are unfolded at first. */
const unfoldedModels = 40;

/** The list of models in the side bar: favourites, vendors, exact ids, and actions when there is no list. */
export class ModelsView implements TreeRows, vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #connections: Connections;
  readonly #unchecked: UncheckedConnections;
  readonly #log: Log;
  readonly #pricing: ModelPricing;
  readonly #store = new DisposableStore();
  readonly #tree: LazyTree;
  readonly #rows = new ModelRows();
  #shownState: string | undefined;
  /** What the rows were made from when they were last repainted. */
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
    pricing: ModelPricing,
  ) {
    this.#catalogue = catalogue;
    this.#connections = connections;
    this.#unchecked = unchecked;
    this.#log = log;
    this.#tree = tree;
    this.#pricing = pricing;
    // VS Code keeps rows and their tooltips until they are repainted.
    this.#store.add(pricing.onDidChange(() => tree.repaint()));
    this.#store.add(catalogue.onDidChange(() => this.#repaint()));
    this.#store.add(unchecked.onDidChange(() => this.#repaint()));
    // A connection that is only renamed keeps its list.
    this.#store.add(connections.onDidChange(() => this.#describe(catalogue.state)));
  }

  /**
   * The exact id of the model that a command was called for: with a row, as VS Code passes it from the row's menu, or
   * with an id. Any extension can pass any value; undefined for one that isn't a model.
   */
  static modelOf(row: unknown): string | undefined {
    if (typeof row === 'string') {
      return row.trim() === '' || row.length > maxIdChars || /\p{Cc}/u.test(row) ? undefined : row;
    }
    return row instanceof ModelRow ? row.shown.id : undefined;
  }

  /** The exact ids of the models of the selected rows if `row` is one of them, or otherwise of `row` alone. */
  static idsOf(row: unknown, selected?: unknown): readonly string[] {
    const rows: readonly unknown[] = Array.isArray(selected) && selected.includes(row) ? selected : [row];
    return [...new Set(rows.flatMap((each) => ModelsView.modelOf(each) ?? []))];
  }

  get filter(): ModelsFilter | undefined {
    return this.#filter;
  }

  /** Filters the list; undefined removes the filter. */
  setFilter(filter: ModelsFilter | undefined): void {
    this.#filter = filter;
    void vscode.commands.executeCommand('setContext', 'askModel.isFiltered', filter !== undefined);
    this.#repaint();
  }

  /** Reveals and selects the row of a model; removes a filter that hides it. */
  async reveal(id: string): Promise<void> {
    if (this.#matches && !this.#matches.has(id)) {
      this.setFilter(undefined);
    }
    // VS Code asks for the rows later and receives the same objects.
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
      // The list is read when the tree is first shown, and its events repaint the tree. Not awaited, so that a stored
      // list is shown while the gateway's response is pending.
      withProgress({ location: { viewId: 'askModel.models' } }, () => this.#catalogue.load()).then(undefined, (error) =>
        this.#log.defect('The list of models', error),
      );
    }
    return this.#topRows(this.#catalogue.state);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    // With another id, groups of a filtered list are unfolded even if they were folded in the whole list.
    const idPrefix = this.#matches ? 'filtered ' : '';
    switch (row.kind) {
      case 'group':
        return modelGroupItem(row, idPrefix);
      case 'model': {
        const price = this.#pricing.priceOf(row.shown.id);
        const item = modelItem(row.shown, `${idPrefix}${row.parent.group.key}`, price);
        // A click and Enter open the question box.
        item.command = { command: 'askModel.askWithModel' satisfies CommandId, title: '', arguments: [row] };
        return item;
      }
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
      const { shown } = row;
      const [description] = await Promise.all([this.#catalogue.description(shown.id), this.#pricing.load()]);
      item.tooltip = modelTooltip(shown, description, this.#pricing.lines(shown.id));
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * Repaints the rows that changed, if any. VS Code delays a second repaint by 200 ms and allocates memory for every
   * row of each repaint, so there is no repaint without a change, and a choice of the person repaints only its own
   * rows.
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

  /** The groups, reduced to the models that match the filter. */
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

  /** What is known about a connection that was saved without a check; undefined for any other. */
  get #checkState(): CheckState | undefined {
    const { connection } = this.#catalogue.state;
    return connection && this.#unchecked.stateOf(connection.id);
  }

  #topRows({ status, list, advice }: ListState): Row[] {
    if (list === undefined && status !== 'ready' && status !== 'failed') {
      // Models that were added manually aren't shown alone: a group that appears in two steps would stay unfolded.
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
      rows.push(listAction(l10n.t('No models match. Clear Filter'), 'askModel.clearFilter', 'clear-all'));
    }
    return status === 'failed' && advice
      ? [...failedListActions(advice, list !== undefined, this.#checkState), ...rows]
      : rows;
  }

  /** Updates the message above the rows and the context key of the welcome views. */
  #describe(state: ListState): void {
    const { status, connection, list } = state;
    const isEmpty = status === 'ready' && list?.models.length === 0 && shownGroups(this.#catalogue).length === 0;
    const shown = isEmpty ? 'empty' : status;
    if (shown !== this.#shownState) {
      this.#shownState = shown;
      void vscode.commands.executeCommand('setContext', 'askModel.state', shown);
    }
    const { name } = (connection && this.#connections.find(connection.id)) ?? connection ?? {};
    const message = modelsMessage(state, {
      name,
      checkState: this.#checkState,
      newModels: this.#catalogue.view.newIds.size,
      filter: this.#filter && this.#matches && { text: this.#filter.text, matches: this.#matches.size },
    });
    // Setting the message counts as a repaint.
    if (message !== this.#tree.view.message) {
      this.#tree.view.message = message;
    }
  }
}
