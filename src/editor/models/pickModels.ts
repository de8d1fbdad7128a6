import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CostRange, rangesText, rangeText, totalCosts } from '../../core/base/costRange.ts';
import { numberText } from '../../core/base/localization.ts';
import { maxCompared, minCompared } from '../../core/chat/conversation/comparison.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { type ShownModel, shownGroups, shownModels } from '../../core/models/catalogue/shownGroups.ts';
import type { ModelPrices } from '../../core/models/list/model.ts';
import type { PriceOf } from '../../core/usage/prices/prices.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';
import { pickDescription } from './modelItem.ts';

type Item = vscode.QuickPickItem & { readonly id?: string };

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });

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
  const pick = createQuickPick<Item>();
  const first = [...new Set(chosen)];
  let ids: readonly string[] = first;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.step = 1;
  pick.totalSteps = 2;
  pick.placeholder = l10n.t('Select {0}–{1} models. Each one is a paid call.', minCompared, maxCompared);
  const paint = () => {
    pick.items = rows(catalogue, first, priceOf, costOf).map(plainItem);
    pick.selectedItems = pick.items.filter(({ id }) => id !== undefined && ids.includes(id));
  };
  const subscription = catalogue.onDidChange(paint);
  const picked = new Promise<readonly string[] | undefined>((resolve) => {
    pick.onDidChangeSelection((items) => {
      ids = items.flatMap(({ id }) => id ?? []);
      pick.title = titleOf(ids, costOf);
    });
    pick.onDidAccept(() => {
      const problem = countProblem(ids.length);
      if (problem === undefined) {
        resolve(ids);
        pick.hide();
      } else {
        pick.title = problem;
      }
    });
    pick.onDidHide(() => resolve(undefined));
  });
  try {
    pick.title = titleOf(ids, costOf);
    paint();
    pick.busy = true;
    pick.show();
    await Promise.race([catalogue.load(), picked]);
    pick.busy = false;
    return await picked;
  } finally {
    subscription.dispose();
    pick.dispose();
  }
}

function titleOf(ids: readonly string[], costOf: (model: string) => CostRange | undefined): string {
  const title = l10n.t('Compare {0} Models ({0} Paid Calls)', numberText(ids.length));
  return (
    countProblem(ids.length) ?? [title, rangesText(totalCosts(ids.map((id) => costOf(id))))].filter(Boolean).join(' · ')
  );
}

/** The title when this number of models can't be compared, which says what to do; undefined when it can. */
export function countProblem(count: number): string | undefined {
  if (count < minCompared) {
    return count === 0
      ? l10n.t('Compare Models: Select {0}–{1}', minCompared, maxCompared)
      : l10n.t('Compare Models: Select at Least One More');
  }
  return count > maxCompared
    ? l10n.t('Compare Models: Select at Most {0} ({1} Selected)', maxCompared, numberText(count))
    : undefined;
}

/** Each model once, in the first group of the side bar that contains it. Initially picked models come first. */
function rows(
  catalogue: Catalogue,
  first: readonly string[],
  priceOf: PriceOf,
  costOf: (model: string) => CostRange | undefined,
): Item[] {
  const added = new Set<string>();
  const known = shownModels(catalogue);
  const chosen = first.map((id) => known.get(id) ?? unlisted(id));
  const groups = [{ name: l10n.t('Preselected'), models: chosen }, ...shownGroups(catalogue)];
  return groups.flatMap(({ name, models }) => {
    const fresh = models.filter(({ id }) => !added.has(id) && added.add(id));
    return fresh.length > 0
      ? [separator(name), ...fresh.map((each) => rowOf(each, priceOf(each.id), costOf(each.id)))]
      : [];
  });
}

function rowOf(shown: ShownModel, prices: ModelPrices | undefined, cost: CostRange | undefined): Item {
  // A lower end alone says nothing before the question is typed.
  const range = cost?.high === undefined ? '' : rangeText(cost);
  const description = [pickDescription(shown, prices), range].filter(Boolean).join(' · ');
  return { id: shown.id, label: shown.id, description };
}

/** A model that was compared before and is no longer in the list. */
function unlisted(id: string): ShownModel {
  return { id, isDefault: false, isFavourite: false, isNew: false, isGone: true, isManual: false };
}
