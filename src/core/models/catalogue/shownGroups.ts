import * as l10n from '@vscode/l10n';
import type { Model, ModelList } from '../list/model.ts';
import { otherVendor, vendorOf, vendorText } from '../list/modelFamily.ts';
import { sortedByIds } from '../list/modelList.ts';
import type { ModelChoices } from './modelChoices.ts';

/** How a connection's models are shown; a new object whenever any part of it changes. */
export type CatalogueView = {
  readonly list: ModelList | undefined;
  readonly choices: ModelChoices;
  /** Exact ids that the previous list didn't contain. */
  readonly newIds: ReadonlySet<string>;
  /**
   * Favourites, recent models, one group per vendor sorted by name with `Other` last, and models that aren't for chat. Empty
   * groups are left out. Favourites are in the order they were chosen, recent models are newest first, and all others are
   * sorted by id. A model can be in several groups.
   */
  readonly groups: readonly ModelGroup[];
  /** Every model once, by its exact id: those of the list in its order, then those that only the choices name. */
  readonly models: ReadonlyMap<string, ShownModel>;
};

/** One model as VS Code's lists show it. */
export type ShownModel = {
  readonly id: string;
  /** The model as the gateway lists it; absent when the list lacks it or isn't read yet. */
  readonly model?: Model;
  readonly isDefault: boolean;
  readonly isFavourite: boolean;
  /** The previous list didn't contain it. */
  readonly isNew: boolean;
  /** The list was read and lacks this model, and the person didn't add the model manually. */
  readonly isGone: boolean;
  readonly isManual: boolean;
};

export type ModelGroup = {
  /** Unique among the groups, whatever a vendor is called. */
  readonly key: string;
  readonly name: string;
  readonly kind: 'favourites' | 'recent' | 'vendor' | 'notForChat';
  readonly models: readonly ShownModel[];
};

/** @param newIds see `CatalogueView`. */
export function catalogueView(
  list: ModelList | undefined,
  choices: ModelChoices,
  newIds: ReadonlySet<string>,
): CatalogueView {
  const { defaultModel, favourites, recent, manual } = choices;
  const [favourite, typed] = [new Set(favourites), new Set(manual)];
  const shown = new Map<string, ShownModel>();
  const flagsOf = (id: string) => ({
    isDefault: id === defaultModel,
    isFavourite: favourite.has(id),
    isManual: typed.has(id),
  });
  for (const model of list?.models ?? []) {
    const { id } = model;
    shown.set(id, { id, model, isNew: newIds.has(id), isGone: false, ...flagsOf(id) });
  }
  for (const id of [...manual, ...favourites, ...recent]) {
    if (!shown.has(id)) {
      const isGone = list !== undefined && !typed.has(id);
      shown.set(id, { id, isNew: false, isGone, ...flagsOf(id) });
    }
  }
  const chosen = (ids: readonly string[]) => ids.flatMap((id) => shown.get(id) ?? []);
  const groups: ModelGroup[] = [
    { key: 'favourites', name: l10n.t('Favorites'), kind: 'favourites', models: chosen(favourites) },
    {
      key: 'recent',
      name: l10n.t({ message: 'Recent', comment: ['Models used recently'] }),
      kind: 'recent',
      models: chosen(recent),
    },
    ...vendorGroups(shown.values()),
  ];
  return { list, choices, newIds, groups: groups.filter(({ models }) => models.length > 0), models: shown };
}

function vendorGroups(shown: Iterable<ShownModel>): ModelGroup[] {
  const known = [...shown].filter(({ model, isManual }) => model || isManual);
  const notForChat = known.filter(({ model }) => model?.isForChat === false);
  const forChat = known.filter(({ model }) => model?.isForChat !== false);
  const byVendor = Map.groupBy(forChat, ({ id, model }) => model?.vendor ?? vendorOf(id));
  const rank = (vendor: string) => (vendor === otherVendor ? 1 : 0);
  const groups = sortedByIds([...byVendor], ([vendor]) => vendor)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([vendor, models]): ModelGroup => {
      return { key: `vendor ${vendor}`, name: vendorText(vendor), kind: 'vendor', models: inOrder(models) };
    });
  return [...groups, { key: 'notForChat', name: l10n.t('Not for chat'), kind: 'notForChat', models: notForChat }];
}

/** Sorts a vendor's models by id. Only models that were added manually, which come last, can be out of order. */
function inOrder(models: readonly ShownModel[]): readonly ShownModel[] {
  return models.at(-1)?.model ? models : sortedByIds(models, ({ id }) => id);
}
