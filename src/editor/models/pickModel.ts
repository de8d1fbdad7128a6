import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CostRange, rangeText, totalText } from '../../core/base/costRange.ts';
import { factsText, numberText, sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import { maxCompared, minCompared } from '../../core/chat/conversation/comparison.ts';
import { adviceText } from '../../core/errors/advice.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { ModelFilter } from '../../core/models/catalogue/modelFilter.ts';
import type { ShownModel } from '../../core/models/catalogue/shownGroups.ts';
import type { PriceOf } from '../../core/usage/prices/prices.ts';
import { showErrorMessage, showInformationMessage } from '../ui/messages.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';
import { pickDescription } from './modelItem.ts';
import type { ModelPricing } from './modelPricing.ts';

/**
 * Lets the person pick a model.
 *
 * @param otherThan exact id of the model that the pick is to replace.
 * @param value the text that is in the box at first.
 * @param onFilter offers the typed words as a filter of the side bar, and gets them when the person picks that.
 * @returns the exact id; undefined when the person cancelled, or the connection has changed.
 */
export async function pickModel(
  catalogue: Catalogue,
  pricing: ModelPricing,
  title = l10n.t('Choose a Model'),
  otherThan?: string,
  value = '',
  onFilter?: (text: string) => void,
): Promise<string | undefined> {
  const { connection } = catalogue.state;
  const pick = createQuickPick<PickRow>();
  let filter: ModelFilter | undefined;
  pick.title = plainLabel(title);
  pick.placeholder = l10n.t('Type to search models, or filter with {0}', '@vendor, @context:>100k, @price:<1, @new');
  pick.value = value;
  const paint = (keepsActive = false) => {
    const [active] = pick.activeItems;
    // VS Code activates the first row by itself. If that is an action, the person hasn't chosen it.
    const first = pick.items.find(({ kind }) => kind === undefined);
    const isChosen = active !== undefined && (active.id !== undefined || active.action !== first?.action);
    filter ??= filterOf(catalogue, pricing);
    pick.items = pickRows(catalogue, filter, pick.value, onFilter !== undefined, pricing).map(plainItem);
    const wanted =
      keepsActive && isChosen
        ? active
        : { id: pick.value.trim() === '' ? firstChoice(catalogue, otherThan) : undefined, action: undefined };
    const current =
      pick.items.find(({ id, action }) => (id ?? action) && id === wanted.id && action === wanted.action) ??
      pick.items.find(({ kind }) => kind === undefined);
    // Always set: VS Code tells late which row it made active, and until then it seems to be one of earlier rows.
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
  const picked = await untilPicked<string | undefined>(catalogue, pick, repaint, read, (finish) => {
    pick.onDidChangeValue(() => paint());
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.id) {
        // The pick stays open, because the person is still picking a model.
        catalogue.setFavourite(item.id, !catalogue.isFavourite(item.id)).catch((error: unknown) => {
          void showErrorMessage(l10n.t("The favorite couldn't be saved: {0}", messageOf(error)));
        });
      }
    });
    pick.onDidAccept(() => {
      const typed = pick.value.trim();
      // Enter can come before the rows are updated, so an exact id takes precedence over the active row.
      const { id, action } = pick.items.find((item) => item.id === typed) ?? pick.selectedItems[0] ?? {};
      if (action === 'filter') {
        onFilter?.(typed);
        finish(undefined);
      } else if (id !== undefined || (action === 'typed' && typed !== '')) {
        finish(id ?? typed);
      }
    });
  });
  if (picked === undefined) {
    return undefined;
  }
  if (connection !== undefined && catalogue.state.connection?.id !== connection.id) {
    void showInformationMessage(l10n.t('The connection has changed. Choose one of its models.'));
    return undefined;
  }
  if (!catalogue.view.models.has(picked)) {
    // A typed id is stored as added manually, so that it isn't shown as gone from the gateway's list.
    await catalogue.addManual(picked);
  }
  return picked;
}

/** The initially active model: the one that is asked otherwise or, with `otherThan`, the last one used of the others. */
function firstChoice(catalogue: Catalogue, otherThan: string | undefined): string | undefined {
  const { defaultModel, recent } = catalogue.view.choices;
  const listed = catalogue.view.groups.flatMap(({ models }) => models.map(({ id }) => id));
  return [...(otherThan === undefined ? [defaultModel] : []), ...recent, defaultModel, ...listed].find(
    (id) => id !== undefined && id !== otherThan && !catalogue.isGone(id),
  );
}

/** Finds models, also by prices that the model list doesn't state. */
export function filterOf(catalogue: Pick<Catalogue, 'view'>, { priceOf }: Pick<ModelPricing, 'priceOf'>): ModelFilter {
  return new ModelFilter(
    [...catalogue.view.models.values()].map((shown) => {
      const { id, model } = shown;
      const prices = model && priceOf(id);
      return prices ? { ...shown, model: { ...model, prices } } : shown;
    }),
  );
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

/** A row of a list of models: a model, an action, a note or a separator. */
type PickRow = vscode.QuickPickItem & { readonly id?: string; readonly action?: 'typed' | 'filter' };

/** More rows than anyone reads; typing a word finds the others. */
const maxRows = 250;

/** The groups of the side bar while nothing is typed, or else the models that match the text; and what else can be done. */
export function pickRows(
  catalogue: Pick<Catalogue, 'view'>,
  filter: ModelFilter,
  text: string,
  canFilter: boolean,
  pricing: Pick<ModelPricing, 'priceOf' | 'cheaperElsewhere'>,
): PickRow[] {
  const typed = text.trim();
  const rows: PickRow[] = [];
  let [shown, total] = [0, 0];
  const add = (models: readonly ShownModel[], name?: string) => {
    const part = models.slice(0, maxRows - shown);
    const heading = name === undefined || part.length === 0 ? [] : [separator(name)];
    rows.push(...heading, ...part.map((each) => rowOf(each, pricing)));
    shown += part.length;
  };
  if (typed === '') {
    for (const { name, models } of catalogue.view.groups) {
      total += models.length;
      add(models, name);
    }
  } else {
    const found = filter.search(text, maxRows);
    total = found.total;
    add(found.matches);
  }
  const count = numberText(total - shown);
  const useTyped = typed === '' ? l10n.t('Type to use any model ID') : l10n.t('Use "{0}" as the model ID', typed);
  return [
    ...rows,
    ...(total > shown
      ? [
          note('ellipsis', l10n.t({ message: '{0} more', args: [count], comment: ['A number of further models'] }), {
            description: l10n.t('type to narrow the list'),
          }),
        ]
      : []),
    ...(rows.length > 0 ? [separator('')] : []),
    ...(canFilter && typed !== '' && total > 0
      ? [note('filter', l10n.t('Show Only These in the Side Bar ({0})', numberText(total)), { action: 'filter' })]
      : []),
    // Some gateways don't list all models they serve.
    ...(typed.includes('@')
      ? total === 0
        ? [note('info', l10n.t('No models match'))]
        : []
      : [note('edit', useTyped, { description: l10n.t("for a model that isn't in the list"), action: 'typed' })]),
  ];
}

function rowOf(
  shown: ShownModel,
  { priceOf, cheaperElsewhere }: Pick<ModelPricing, 'priceOf' | 'cheaperElsewhere'>,
): PickRow {
  const { id, isFavourite, isDefault, isGone } = shown;
  return note(isGone ? 'circle-slash' : isDefault ? 'pass-filled' : 'circle-small', id, {
    id,
    description: pickDescription(shown, priceOf(id)),
    detail: cheaperElsewhere(id),
    buttons: [
      isFavourite
        ? { iconPath: new vscode.ThemeIcon('star-full'), tooltip: l10n.t('Remove from Favorites') }
        : { iconPath: new vscode.ThemeIcon('star-empty'), tooltip: l10n.t('Add to Favorites') },
    ],
  });
}

/** A row that is shown whatever is typed. We do the search: VS Code's own would hide every row for words such as `@new`. */
function note(icon: string, label: string, more: Partial<PickRow> = {}): PickRow {
  return { label, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, ...more };
}

function separator(label: string): PickRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
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
  const describe = () => {
    const title = l10n.t('Compare {0} Models ({0} Paid Calls)', numberText(ids.length));
    pick.title = countProblem(ids.length) ?? factsText(title, totalText(ids.map(costOf)));
  };
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.placeholder = l10n.t('Select {0}–{1} models. Each one is a paid call.', minCompared, maxCompared);
  const paint = () => {
    pick.items = comparedRows(catalogue, first, priceOf, costOf).map(plainItem);
    pick.selectedItems = pick.items.filter(({ id }) => id !== undefined && ids.includes(id));
  };
  describe();
  paint();
  return untilPicked<readonly string[]>(
    catalogue,
    pick,
    paint,
    () => catalogue.load(),
    (finish) => {
      pick.onDidChangeSelection((items) => {
        ids = items.flatMap(({ id }) => id ?? []);
        describe();
      });
      pick.onDidAccept(() => countProblem(ids.length) === undefined && finish(ids));
    },
  );
}

/** The title when this number of models can't be compared, which says what to do; undefined when it can. */
export function countProblem(count: number): string | undefined {
  return count < minCompared || count > maxCompared
    ? l10n.t('Compare Models: Select {0}–{1} ({2} Selected)', minCompared, maxCompared, numberText(count))
    : undefined;
}

/** Each model once, in the first group of the side bar that contains it. Initially picked models come first. */
function comparedRows(
  catalogue: Catalogue,
  first: readonly string[],
  priceOf: PriceOf,
  costOf: (model: string) => CostRange | undefined,
): PickRow[] {
  const added = new Set<string>();
  const known = catalogue.view.models;
  const unlisted = { isDefault: false, isFavourite: false, isNew: false, isGone: true, isManual: false };
  const chosen = first.map((id) => known.get(id) ?? { id, ...unlisted });
  return [{ name: l10n.t('Preselected'), models: chosen }, ...catalogue.view.groups].flatMap(({ name, models }) => {
    const fresh = models.filter(
      ({ id, model }) => !added.has(id) && (models === chosen || model?.isForChat !== false) && added.add(id),
    );
    const rows = fresh.map((each): PickRow => {
      const cost = costOf(each.id);
      // A lower end alone says nothing before the question is typed.
      const range = cost?.high === undefined ? '' : rangeText(cost);
      const description = factsText(pickDescription(each, priceOf(each.id)), range);
      return { id: each.id, label: each.id, description };
    });
    return rows.length > 0 ? [separator(name), ...rows] : [];
  });
}
