import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CostRange, rangeText, totalText } from '../../core/base/costRange.ts';
import { listText, numberText, sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import { maxCompared, minCompared } from '../../core/chat/conversation/comparison.ts';
import { adviceText } from '../../core/errors/advice.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { ModelFilter } from '../../core/models/catalogue/modelFilter.ts';
import { type ShownModel, shownGroups, shownModels } from '../../core/models/catalogue/shownGroups.ts';
import type { ModelPrices } from '../../core/models/list/model.ts';
import type { PriceOf } from '../../core/usage/prices/prices.ts';
import { showErrorMessage, showInformationMessage } from '../ui/messages.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';
import { pickDescription } from './modelItem.ts';
import type { ModelPricing } from './modelPricing.ts';
import type { ModelsView } from './modelsView.ts';

/** Whether a new row is for the same model or action as a previous one. */
function isSame({ id, action }: PickRow, before: { readonly id?: string; readonly action?: string } | undefined) {
  return (id ?? action) !== undefined && id === before?.id && action === before?.action;
}

type Picked = { readonly id: string } | { readonly filter: string };

/**
 * Lets the person pick a model.
 *
 * @param otherThan exact id of the model that the pick is to replace.
 * @param value the text that is in the box at first.
 * @returns the exact id; undefined when the person cancelled, or the connection has changed.
 */
export async function pickModel(
  catalogue: Catalogue,
  pricing: ModelPricing,
  title = l10n.t('Choose a Model'),
  otherThan?: string,
  value = '',
): Promise<string | undefined> {
  const { connection } = catalogue.state;
  const picked = await find(catalogue, pricing, { title, otherThan, value });
  if (picked === undefined || !('id' in picked)) {
    return undefined;
  }
  if (connection !== undefined && catalogue.state.connection?.id !== connection.id) {
    void showInformationMessage(l10n.t('The connection has changed. Choose one of its models.'));
    return undefined;
  }
  if (!shownModels(catalogue).has(picked.id)) {
    // A typed id is stored as added manually, so that it isn't shown as gone from the gateway's list.
    await catalogue.addManual(picked.id);
  }
  return picked.id;
}

/**
 * Runs *Ask a Specific Model*, where the typed words can also become the filter of the side bar.
 *
 * @returns the exact id of the picked model; undefined when none was picked.
 */
export async function findModel(
  catalogue: Catalogue,
  pricing: ModelPricing,
  view: ModelsView,
): Promise<string | undefined> {
  const picked = await find(catalogue, pricing, {
    title: l10n.t('Ask a Specific Model'),
    canFilter: true,
    value: view.filter?.text ?? '',
  });
  if (picked === undefined) {
    return undefined;
  }
  if ('id' in picked) {
    return picked.id;
  }
  const text = picked.filter;
  view.setFilter({
    text,
    matches: () => {
      const { matches } = filterOf(catalogue, pricing).search(text, Number.POSITIVE_INFINITY);
      return new Set(matches.map(({ id }) => id));
    },
  });
  await vscode.commands.executeCommand('askModel.models.focus');
  return undefined;
}

/** The initially active model: the one that is asked otherwise or, with `otherThan`, the last one used of the others. */
function firstChoice(catalogue: Catalogue, otherThan: string | undefined): string | undefined {
  const { defaultModel, recent } = catalogue.view.choices;
  const listed = shownGroups(catalogue).flatMap(({ models }) => models.map(({ id }) => id));
  return [...(otherThan === undefined ? [defaultModel] : []), ...recent, defaultModel, ...listed].find(
    (id) => id !== undefined && id !== otherThan && !catalogue.isGone(id),
  );
}

/** Finds models, also by prices that the model list doesn't state. */
export function filterOf(catalogue: Pick<Catalogue, 'view'>, { priceOf }: Pick<ModelPricing, 'priceOf'>): ModelFilter {
  return new ModelFilter(
    [...shownModels(catalogue).values()].map((shown) => {
      const { id, model } = shown;
      const prices = model && priceOf(id);
      return prices ? { ...shown, model: { ...model, prices } } : shown;
    }),
  );
}

async function find(
  catalogue: Catalogue,
  pricing: ModelPricing,
  options: {
    readonly title: string;
    readonly canFilter?: boolean;
    readonly value: string;
    readonly otherThan?: string;
  },
): Promise<Picked | undefined> {
  const pick = createQuickPick<PickRow>();
  let filter: ModelFilter | undefined;
  pick.title = plainLabel(options.title);
  pick.placeholder = l10n.t('Type to search models, or filter with {0}', '@vendor, @context:>100k, @price:<1, @new');
  pick.value = options.value;
  const paint = (keepsActive = false) => {
    const [active] = pick.activeItems;
    // VS Code activates the first row by itself. If that is an action, the person hasn't chosen it.
    const first = pick.items.find(({ kind }) => kind === undefined);
    const isChosen = active !== undefined && (active.id !== undefined || !(first && isSame(active, first)));
    const previous = keepsActive && isChosen ? active : undefined;
    filter ??= filterOf(catalogue, pricing);
    const rows =
      pick.value.trim() === ''
        ? allRows(catalogue, pricing)
        : foundRows(filter, pick.value, options.canFilter, pricing);
    const items = rows.map(plainItem);
    pick.items = items;
    const wanted =
      previous ?? (pick.value.trim() === '' ? { id: firstChoice(catalogue, options.otherThan) } : undefined);
    // Always set: VS Code tells late which row it made active, and until then it seems to be one of earlier rows.
    const current = items.find((item) => isSame(item, wanted)) ?? items.find(({ kind }) => kind === undefined);
    pick.activeItems = current ? [current] : [];
  };
  const repaint = () => {
    filter = undefined;
    paint(true);
  };
  const read = async () => {
    await catalogue.load();
    const { list, advice } = catalogue.state;
    if (list === undefined && advice) {
      pick.placeholder = plainLabel(sentences(adviceText(advice), l10n.t('You can also enter an exact model ID.')));
    }
    await pricing.load();
    repaint();
  };
  paint();
  return untilPicked<Picked>(catalogue, pick, repaint, read, (finish) => {
    pick.onDidChangeValue(() => paint());
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.id) {
        catalogue.setFavourite(item.id, !catalogue.isFavourite(item.id)).catch(showNotSaved);
      }
    });
    pick.onDidAccept(() => {
      const typed = pick.value.trim();
      // Enter can come before the rows are updated, so an exact id takes precedence over the active row.
      const exact = pick.items.find((item) => item.id === typed);
      const selected = exact ?? pick.selectedItems[0];
      if (selected?.action === 'clear') {
        pick.value = '';
        paint();
      } else if (selected?.action === 'filter') {
        finish({ filter: typed });
      } else if (selected?.action === 'typed') {
        if (typed !== '') {
          finish({ id: typed });
        }
      } else if (selected?.id) {
        finish({ id: selected.id });
      }
    });
  });
}

/**
 * Shows a list of models until the person decides.
 *
 * @param repaint called when the models have changed.
 * @param read reads what the list shows; it is busy until then.
 * @param listen calls what it gets with the result.
 * @returns undefined when the person cancelled.
 */
async function untilPicked<T>(
  catalogue: Catalogue,
  pick: vscode.QuickPick<PlainItem<PickRow>>,
  repaint: () => void,
  read: () => Promise<void>,
  listen: (finish: (result: T) => void) => void,
): Promise<T | undefined> {
  const subscription = catalogue.onDidChange(repaint);
  const picked = new Promise<T | undefined>((resolve) => {
    listen((result) => {
      resolve(result);
      pick.hide();
    });
    pick.onDidHide(() => resolve(undefined));
  });
  try {
    pick.ignoreFocusOut = true;
    pick.busy = true;
    pick.show();
    await Promise.race([read(), picked]);
    pick.busy = false;
    return await picked;
  } finally {
    subscription.dispose();
    pick.dispose();
  }
}

/** Shows the error but leaves the pick open, because the person is still picking a model. */
function showNotSaved(error: unknown): void {
  void showErrorMessage(l10n.t("The favorite couldn't be saved: {0}", messageOf(error)));
}

/** A row of the list in which one model is picked: a model, an action or a separator. */
export type PickRow = vscode.QuickPickItem & { readonly id?: string; readonly action?: 'typed' | 'filter' | 'clear' };

/** What rows say about prices. */
type RowPricing = Pick<ModelPricing, 'priceOf' | 'cheaperElsewhere'>;

/** More rows than anyone reads; typing a word finds the others. */
const maxRows = 250;

/** The rows before anything is typed: the groups of the side bar. */
export function allRows(catalogue: Catalogue, pricing: RowPricing): PickRow[] {
  const rows: PickRow[] = [];
  let shown = 0;
  let left = 0;
  for (const { name, models } of shownGroups(catalogue)) {
    const part = models.slice(0, maxRows - shown);
    left += models.length - part.length;
    if (part.length > 0) {
      rows.push(separator(name), ...part.map((each) => rowOf(each, pricing)));
      shown += part.length;
    }
  }
  return [...rows, ...moreRows(left), separator(''), typedRow('')];
}

/** The rows for a typed text: the models that match it, and what else can be done with the text. */
export function foundRows(
  filter: ModelFilter,
  text: string,
  canFilter: boolean | undefined,
  pricing: RowPricing,
): PickRow[] {
  const { matches, total, unknown } = filter.search(text, maxRows);
  return [
    ...unknownRows(unknown),
    ...matches.map((each) => rowOf(each, pricing)),
    ...moreRows(total - matches.length),
    separator(''),
    ...(canFilter && total > 0 ? [filterRow(total)] : []),
    ...(text.includes('@') ? [] : [typedRow(text.trim())]),
    ...(total === 0 ? [clearRow()] : []),
  ];
}

function rowOf(shown: ShownModel, { priceOf, cheaperElsewhere }: RowPricing): PickRow {
  const { id, isFavourite, isDefault, isGone } = shown;
  return {
    id,
    label: id,
    description: pickDescription(shown, priceOf(id)),
    detail: cheaperElsewhere(id),
    iconPath: new vscode.ThemeIcon(isGone ? 'circle-slash' : isDefault ? 'pass-filled' : 'circle-small'),
    buttons: [
      isFavourite
        ? { iconPath: new vscode.ThemeIcon('star-full'), tooltip: l10n.t('Remove from Favorites') }
        : { iconPath: new vscode.ThemeIcon('star-empty'), tooltip: l10n.t('Add to Favorites') },
    ],
    // We do the search: VS Code's own would hide every row for words such as `@new`.
    alwaysShow: true,
  };
}

function separator(label: string): PickRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function unknownRows(unknown: readonly string[]): PickRow[] {
  const label = l10n.t('Unknown filter: {0}', listText(unknown));
  return unknown.length === 0 ? [] : [{ label, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true }];
}

function filterRow(count: number): PickRow {
  return {
    label: l10n.t('Show Only These in the Side Bar ({0})', numberText(count)),
    iconPath: new vscode.ThemeIcon('filter'),
    action: 'filter',
    alwaysShow: true,
  };
}

function moreRows(count: number): PickRow[] {
  return count > 0
    ? [
        {
          label: l10n.t({ message: '{0} more', args: [numberText(count)], comment: ['A number of further models'] }),
          description: l10n.t('type to narrow the list'),
          iconPath: new vscode.ThemeIcon('ellipsis'),
          alwaysShow: true,
        },
      ]
    : [];
}

function clearRow(): PickRow {
  return {
    label: l10n.t('No models match. Show All Models'),
    iconPath: new vscode.ThemeIcon('clear-all'),
    action: 'clear',
    alwaysShow: true,
  };
}

/** Uses the text as typed, because some gateways don't list all models they serve. */
function typedRow(typed: string): PickRow {
  return {
    label: typed === '' ? l10n.t('Type to use any model ID') : l10n.t('Use "{0}" as the model ID', typed),
    description: l10n.t("for a model that isn't in the list"),
    iconPath: new vscode.ThemeIcon('edit'),
    action: 'typed',
    alwaysShow: true,
  };
}

/**
 * Lets the person pick the models of a comparison. If there are too few or too many, the title says so and the pick
 * stays open.
 *
 * @param chosen exact ids that are picked initially and listed first.
 * @param priceOf finds the prices that the rows show.
 * @param costOf finds what the question may cost with a model.
 * @returns exact ids in the order of the list; undefined when the person cancelled.
 */
export async function pickModels(
  catalogue: Catalogue,
  chosen: readonly string[],
  priceOf: PriceOf,
  costOf: (model: string) => CostRange | undefined,
): Promise<readonly string[] | undefined> {
  const pick = createQuickPick<PickRow>();
  const first = [...new Set(chosen)];
  let ids: readonly string[] = first;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.placeholder = l10n.t('Select {0}–{1} models. Each one is a paid call.', minCompared, maxCompared);
  const paint = () => {
    pick.items = rows(catalogue, first, priceOf, costOf).map(plainItem);
    pick.selectedItems = pick.items.filter(({ id }) => id !== undefined && ids.includes(id));
  };
  pick.title = titleOf(ids, costOf);
  paint();
  return untilPicked<readonly string[]>(
    catalogue,
    pick,
    paint,
    () => catalogue.load(),
    (finish) => {
      pick.onDidChangeSelection((items) => {
        ids = items.flatMap(({ id }) => id ?? []);
        pick.title = titleOf(ids, costOf);
      });
      pick.onDidAccept(() => {
        const problem = countProblem(ids.length);
        if (problem === undefined) {
          finish(ids);
        } else {
          pick.title = problem;
        }
      });
    },
  );
}

function titleOf(ids: readonly string[], costOf: (model: string) => CostRange | undefined): string {
  const title = l10n.t('Compare {0} Models ({0} Paid Calls)', numberText(ids.length));
  return countProblem(ids.length) ?? [title, totalText(ids.map((id) => costOf(id)))].filter(Boolean).join(' · ');
}

/** The title when this number of models can't be compared, which says what to do; undefined when it can. */
export function countProblem(count: number): string | undefined {
  return count < minCompared || count > maxCompared
    ? l10n.t('Compare Models: Select {0}–{1} ({2} Selected)', minCompared, maxCompared, numberText(count))
    : undefined;
}

/** Each model once, in the first group of the side bar that contains it. Initially picked models come first. */
function rows(
  catalogue: Catalogue,
  first: readonly string[],
  priceOf: PriceOf,
  costOf: (model: string) => CostRange | undefined,
): PickRow[] {
  const added = new Set<string>();
  const known = shownModels(catalogue);
  const chosen = first.map((id) => known.get(id) ?? unlisted(id));
  const offered = shownGroups(catalogue).map(({ name, models }) => ({
    name,
    models: models.filter(({ model }) => model?.isForChat !== false),
  }));
  const groups = [{ name: l10n.t('Preselected'), models: chosen }, ...offered];
  return groups.flatMap(({ name, models }) => {
    const fresh = models.filter(({ id }) => !added.has(id) && added.add(id));
    return fresh.length > 0
      ? [separator(name), ...fresh.map((each) => comparedRow(each, priceOf(each.id), costOf(each.id)))]
      : [];
  });
}

function comparedRow(shown: ShownModel, prices: ModelPrices | undefined, cost: CostRange | undefined): PickRow {
  // A lower end alone says nothing before the question is typed.
  const range = cost?.high === undefined ? '' : rangeText(cost);
  const description = [pickDescription(shown, prices), range].filter(Boolean).join(' · ');
  return { id: shown.id, label: shown.id, description };
}

/** A model that was compared before and is no longer in the list. */
function unlisted(id: string): ShownModel {
  return { id, isDefault: false, isFavourite: false, isNew: false, isGone: true, isManual: false };
}
