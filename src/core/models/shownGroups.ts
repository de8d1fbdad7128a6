import type { Model, ModelList } from './model.ts';
import type { ModelChoices } from './modelChoices.ts';
import { vendorOf } from './modelFamily.ts';
import { sortedByIds } from './sortedByIds.ts';

/** All that decides what is shown of a connection's models; a new object whenever any of it changed. */
export type CatalogueView = {
  readonly list?: ModelList;
  readonly choices: ModelChoices;
  /** Exact ids that the list had not before. */
  readonly newIds: ReadonlySet<string>;
};

/** One model as a list of the editor shows it. */
export type ShownModel = {
  readonly id: string;
  /** What the gateway lists of it; not there for a model that is gone or was typed by hand. */
  readonly model?: Model;
  readonly isDefault: boolean;
  readonly isFavourite: boolean;
  /** The list read before had it not. */
  readonly isNew: boolean;
  /** There is a list and it has not this model, which was not typed by hand either. */
  readonly isGone: boolean;
  readonly isManual: boolean;
};

export type ModelGroup = {
  /** Tells groups apart, whatever a vendor is called. */
  readonly key: string;
  readonly name: string;
  readonly kind: 'favourites' | 'recent' | 'vendor' | 'notForChat';
  readonly models: readonly ShownModel[];
};

type Shown = { readonly groups: readonly ModelGroup[]; readonly byId: ReadonlyMap<string, ShownModel> };

const made = new WeakMap<CatalogueView, Shown>();

/**
 * Favourites, recent ones, one group a vendor by name with `Other` last, and what can not chat at the end. Empty groups
 * are left out. Favourites stand in the order they were chosen, recent ones newest first, all others by id. A model can
 * stand in several groups. Made once for each state of the catalogue.
 */
export function shownGroups({ view }: { readonly view: CatalogueView }): readonly ModelGroup[] {
  return shownOf(view).groups;
}

/** Every model once, by its exact id: those of the list in its order, then those that only the person knows of. */
export function shownModels({ view }: { readonly view: CatalogueView }): ReadonlyMap<string, ShownModel> {
  return shownOf(view).byId;
}

function shownOf(view: CatalogueView): Shown {
  let shown = made.get(view);
  if (shown === undefined) {
    shown = makeShown(view);
    made.set(view, shown);
  }
  return shown;
}

function makeShown(view: CatalogueView): Shown {
  const { defaultModel, favourites, recent, manual } = view.choices;
  const [favourite, typed] = [new Set(favourites), new Set(manual)];
  const byId = new Map<string, ShownModel>();
  const flagsOf = (id: string) => ({
    isDefault: id === defaultModel,
    isFavourite: favourite.has(id),
    isManual: typed.has(id),
  });
  for (const model of view.list?.models ?? []) {
    const { id } = model;
    byId.set(id, { id, model, isNew: view.newIds.has(id), isGone: false, ...flagsOf(id) });
  }
  for (const id of [...manual, ...favourites, ...recent]) {
    if (!byId.has(id)) {
      const isGone = view.list !== undefined && !typed.has(id);
      byId.set(id, { id, isNew: false, isGone, ...flagsOf(id) });
    }
  }
  const chosen = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const groups: ModelGroup[] = [
    { key: 'favourites', name: 'Favourites', kind: 'favourites', models: chosen(favourites) },
    { key: 'recent', name: 'Recent', kind: 'recent', models: chosen(recent) },
    ...vendorGroups([...byId.values()]),
  ];
  return { groups: groups.filter(({ models }) => models.length > 0), byId };
}

function vendorGroups(shown: readonly ShownModel[]): ModelGroup[] {
  const byVendor = new Map<string, ShownModel[]>();
  const unlisted = new Set<ShownModel[]>();
  const notForChat: ShownModel[] = [];
  for (const each of shown) {
    if (each.model === undefined && !each.isManual) {
      continue;
    }
    if (each.model?.isForChat === false) {
      notForChat.push(each);
      continue;
    }
    const vendor = each.model?.vendor ?? vendorOf(each.id);
    const group = byVendor.get(vendor) ?? [];
    if (group.length === 0) {
      byVendor.set(vendor, group);
    }
    group.push(each);
    if (each.model === undefined) {
      unlisted.add(group);
    }
  }
  const rank = (name: string) => (name === 'Other' ? 1 : 0);
  const groups = sortedByIds([...byVendor], ([name]) => name)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, models]): ModelGroup => {
      // What was typed by hand stands at the end until it is put in its place.
      const inOrder = unlisted.has(models) ? sortedByIds(models, ({ id }) => id) : models;
      return { key: `vendor ${name}`, name, kind: 'vendor', models: inOrder };
    });
  return [...groups, { key: 'notForChat', name: 'Not for chat', kind: 'notForChat', models: notForChat }];
}
