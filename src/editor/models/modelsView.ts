import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isOpenRouter } from '../../core/account/accountDialects.ts';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { dateText, factsText, numberText, sentences } from '../../core/base/localization.ts';
import { visibleText } from '../../core/base/visibleText.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { creditUnitText } from '../../core/connections/consoleSettings.ts';
import { type Advice, adviceText, quotedWords } from '../../core/errors/advice.ts';
import type { AdviceAction } from '../../core/errors/gatewayProblem.ts';
import type { Catalogue, ListState } from '../../core/models/catalogue/catalogue.ts';
import { manualId } from '../../core/models/catalogue/modelChoices.ts';
import type { ModelGroup, ShownModel } from '../../core/models/catalogue/shownGroups.ts';
import { leftOutModels, type ModelList, modelCount } from '../../core/models/list/model.ts';
import type { Log } from '../ui/log.ts';
import { withProgress } from '../ui/messages.ts';
import type { CommandId, LazyTree, TreeRows } from '../ui/registrations.ts';
import { modelGroupItem, modelItem, modelTooltip } from './modelItem.ts';
import type { ModelPricing } from './modelPricing.ts';
import { filterOf } from './pickModel.ts';

type Row = ModelGroup | ModelRow | ListAction;

/** The row of a model in one of its groups. A class, so that other extensions can't make one. */
export class ModelRow {
  readonly kind = 'model';
  readonly group: ModelGroup;
  readonly shown: ShownModel;

  constructor(group: ModelGroup, shown: ShownModel) {
    this.group = group;
    this.shown = shown;
  }
}

/** A row that runs a command. */
type ListAction = {
  readonly kind: 'action';
  readonly title: string;
  readonly command: CommandId;
  /** Name of a codicon. */
  readonly icon: string;
};

function listAction(title: string, command: CommandId, icon: string): ListAction {
  return { kind: 'action', title, command, icon };
}

function membersOf(group: ModelGroup): ModelRow[] {
  return group.models.map((shown) => new ModelRow(group, shown));
}

/** Up to this number of models, groups are unfolded at first. */
const unfoldedModels = 40;

/** The list of models in the side bar: favourites, vendors, exact ids, and actions when there is no list. */
export class ModelsView extends DisposableStore implements TreeRows {
  readonly #catalogue: Catalogue;
  readonly #connections: Connections;
  readonly #log: Log;
  readonly #pricing: ModelPricing;
  readonly #tree: LazyTree;
  #shownState: string | undefined;
  /** What the rows were made from when they were last repainted. */
  #painted: readonly unknown[] = [];
  #filter: string | undefined;
  #matches: ReadonlySet<string> | undefined;

  constructor(catalogue: Catalogue, connections: Connections, log: Log, tree: LazyTree, pricing: ModelPricing) {
    super();
    this.#catalogue = catalogue;
    this.#connections = connections;
    this.#log = log;
    this.#tree = tree;
    this.#pricing = pricing;
    // VS Code keeps rows and their tooltips until they are repainted.
    this.add(pricing.onDidChange(() => tree.repaint()));
    this.add(catalogue.onDidChange(() => this.#repaint()));
    // A connection that is only renamed keeps its list.
    this.add(connections.onDidChange(() => this.#repaint()));
  }

  /**
   * The exact id of the model that a command was called for: with a row, as VS Code passes it from the row's menu, or
   * with an id. Any extension can pass any value; undefined for one that isn't a model.
   */
  static modelOf(row: unknown): string | undefined {
    if (typeof row === 'string') {
      return manualId(row) === undefined ? undefined : row;
    }
    return row instanceof ModelRow ? row.shown.id : undefined;
  }

  /** The exact ids of the models of the selected rows if `row` is one of them, or otherwise of `row` alone. */
  static idsOf(row: unknown, selected?: unknown): readonly string[] {
    const rows: readonly unknown[] = Array.isArray(selected) && selected.includes(row) ? selected : [row];
    return [...new Set(rows.flatMap((each) => ModelsView.modelOf(each) ?? []))];
  }

  /** The words by which the list is filtered, as typed. */
  get filter(): string | undefined {
    return this.#filter;
  }

  /** Filters the list; undefined removes the filter. */
  setFilter(filter: string | undefined): void {
    this.#filter = filter;
    void vscode.commands.executeCommand('setContext', 'askModel.isFiltered', filter !== undefined);
    this.#repaint();
  }

  /** Reveals and selects the row of a model; removes a filter that hides it. */
  async reveal(id: string): Promise<void> {
    if (this.#matches && !this.#matches.has(id)) {
      this.setFilter(undefined);
    }
    const members = this.#topRows(this.#catalogue.state).flatMap((row) => ('models' in row ? membersOf(row) : []));
    const row = members.findLast(({ shown }) => shown.id === id);
    await (row && this.#tree.view.reveal(row));
  }

  getChildren(row?: Row): Row[] {
    if (row !== undefined) {
      return 'models' in row ? membersOf(row) : [];
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
      case 'model': {
        const price = this.#pricing.priceOf(row.shown.id);
        const item = modelItem(row.shown, `${idPrefix}${row.group.key}`, price);
        // A click and Enter open the question box.
        item.command = { command: 'askModel.askWithModel' satisfies CommandId, title: '', arguments: [row] };
        return item;
      }
      case 'action': {
        const item = new vscode.TreeItem(row.title);
        item.iconPath = new vscode.ThemeIcon(row.icon);
        item.command = { command: row.command, title: row.title };
        item.contextValue = row.command === 'askModel.readAccount' ? 'offer' : 'action';
        item.tooltip = row.title;
        return item;
      }
      default:
        return modelGroupItem(row, this.#isFolded(row), idPrefix);
    }
  }

  getParent(row: Row): Row | undefined {
    return row.kind === 'model' ? row.group : undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    if (row.kind === 'model') {
      const { shown } = row;
      const [description] = await Promise.all([this.#catalogue.description(shown.id), this.#pricing.load()]);
      item.tooltip = modelTooltip(shown, description, this.#pricing.lines(shown.id));
    }
    return item;
  }

  /** Repaints the rows if what they are made from changed: VS Code delays a second repaint by 200 ms. */
  #repaint(): void {
    const { state, view } = this.#catalogue;
    const isListless = state.list === undefined ? state.status : '';
    const failure = state.status === 'failed' && state.advice;
    const offers = state.list !== undefined && this.#offersLookUps(state.list);
    // Prices of a site's own list are in this unit.
    const { creditUnit: unit } = (state.connection && this.#connections.find(state.connection.id)) ?? {};
    const shown = [view, this.#filter, failure, isListless, offers, unit && creditUnitText(unit)];
    if (shown.some((each, index) => each !== this.#painted[index])) {
      this.#painted = shown;
      this.#matches =
        this.#filter === undefined
          ? undefined
          : new Set(
              filterOf(this.#catalogue, this.#pricing)
                .search(this.#filter, Number.POSITIVE_INFINITY)
                .matches.map(({ id }) => id),
            );
      this.#tree.repaint();
    }
    this.#describe(state);
  }

  #topRows({ status, list, advice }: ListState): Row[] {
    if (list === undefined && status !== 'ready' && status !== 'failed') {
      // Models that were added manually aren't shown alone: a group that appears in two steps would stay unfolded.
      return [];
    }
    const matches = this.#matches;
    const rows: Row[] = this.#catalogue.view.groups.flatMap((group) => {
      const models = matches ? group.models.filter(({ id }) => matches.has(id)) : group.models;
      return models.length > 0 ? [{ ...group, models }] : [];
    });
    if (matches && rows.length === 0 && list) {
      rows.push(listAction(l10n.t('No models match. Clear Filter'), 'askModel.clearFilter', 'clear-all'));
    }
    if (list && this.#offersLookUps(list)) {
      rows.unshift(listAction(l10n.t('Read Balance and Prices (Free)'), 'askModel.readAccount', 'search'));
    }
    return status === 'failed' && advice ? [...failedListActions(advice, list !== undefined), ...rows] : rows;
  }

  /** Whether the gateway would say its balance and prices, and the person has not decided about that yet. */
  #offersLookUps({ hasLookUps }: ModelList): boolean {
    const { connection } = this.#catalogue.state;
    const { url, probes } = (connection && this.#connections.find(connection.id)) ?? {};
    return url !== undefined && probes === undefined && (hasLookUps === true || isOpenRouter(url.base));
  }

  /** Whether a group is folded at first. */
  #isFolded({ kind }: ModelGroup): boolean {
    if (this.#matches) {
      return false;
    }
    const isSmall = (this.#catalogue.state.list?.models.length ?? 0) <= unfoldedModels;
    return kind === 'notForChat' || !(isSmall || kind === 'favourites' || kind === 'recent');
  }

  /** Updates the message above the rows and the context key of the welcome views. */
  #describe(state: ListState): void {
    const { status, list } = state;
    const isEmpty = status === 'ready' && list?.models.length === 0 && this.#catalogue.view.groups.length === 0;
    const shown = isEmpty ? 'empty' : status;
    if (shown !== this.#shownState) {
      this.#shownState = shown;
      void vscode.commands.executeCommand('setContext', 'askModel.state', shown);
    }
    const message = this.#message(state);
    // Setting the message counts as a repaint.
    if (message !== this.#tree.view.message) {
      this.#tree.view.message = message;
    }
  }

  /**
   * The message above the rows: why there is no list, its connection, the number of models, its age, and what was left out
   * of it. Empty when there is nothing to show, because a message hides the welcome views.
   */
  #message({ status, connection, list, readAt, isCached, problem, advice }: ListState): string {
    const all = list?.models.length ?? 0;
    const [newModels, filter, matches] = [this.#catalogue.view.newIds.size, this.#filter, this.#matches];
    const failure =
      status === 'failed' && connection && problem && advice
        ? sentences(
            adviceText(advice),
            list === undefined && l10n.t('If the gateway has no model list, add models by ID.'),
            quotedWords(problem, connection.url.host),
          )
        : '';
    const source = factsText(
      filter !== undefined && matches && l10n.t('"{0}": {1} of {2}', filter, numberText(matches.size), modelCount(all)),
      connection && (this.#connections.find(connection.id) ?? connection).name,
      filter === undefined && modelCount(all),
      readAt !== undefined && (isCached ? l10n.t('as of {0}', timeText(readAt)) : timeText(readAt)),
      isCached && status === 'loading' && l10n.t('refreshing…'),
      newModels > 0 &&
        l10n.t({ message: '{0} new', args: [numberText(newModels)], comment: ['A number of new models'] }),
    );
    return visibleText([failure, all > 0 && source, list && leftOutModels(list)].filter(Boolean).join(' '));
  }
}

/** What the person can do about a list that can't be read, the remedy first. */
function failedListActions({ action }: Advice, hasList: boolean): readonly ListAction[] {
  const remedies: Partial<Record<AdviceAction, ListAction>> = {
    replaceKey: listAction(l10n.t('Replace Key…'), 'askModel.replaceKey', 'key'),
    editAddress: listAction(l10n.t('Change Address…'), 'askModel.editAddress', 'link'),
    checkConnection: listAction(l10n.t('Check Connection'), 'askModel.checkConnection', 'pulse'),
    proxySettings: listAction(l10n.t('Check Connection'), 'askModel.checkConnection', 'pulse'),
    editConnection: listAction(l10n.t('Edit Connection…'), 'askModel.editConnection', 'edit'),
    openConsole: listAction(l10n.t('Open Console in Browser'), 'askModel.openConsole', 'globe'),
  };
  return [
    remedies[action] ?? [],
    listAction(l10n.t('Retry'), 'askModel.refreshModels', 'refresh'),
    hasList ? [] : listAction(l10n.t('Add Model by ID…'), 'askModel.addModel', 'edit'),
  ].flat();
}

/** The time, with the date if it isn't today. Non-breaking spaces keep the time on one line in a narrow side bar. */
function timeText(at: number): string {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return dateText(at, isToday ? clock : { month: 'short', day: 'numeric', ...clock }).replaceAll(' ', '\u00A0');
}
