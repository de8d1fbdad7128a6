import { atOnce, type Steps } from '../../base/shortTurns.ts';
import { byId, orderedId } from '../list/idOrder.ts';
import type { Model, ModelList } from '../list/model.ts';
import { vendorOf } from '../list/modelFamily.ts';
import { sortedByIds } from '../list/sortedByIds.ts';
import type { ModelChoices } from './modelChoices.ts';

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
/** Looked at in one step. */
const modelsAStep = 200;

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
    shown = atOnce(makeShown(view));
    made.set(view, shown);
  }
  return shown;
}

/** Makes what is shown of a view before anybody asks for it, so that a long list holds nobody up. */
export function* prepareShown(view: CatalogueView): Steps<void> {
  made.set(view, yield* makeShown(view));
}

function* makeShown(view: CatalogueView): Steps<Shown> {
  const { defaultModel, favourites, recent, manual } = view.choices;
  const [favourite, typed] = [new Set(favourites), new Set(manual)];
  const shown = new Map<string, ShownModel>();
  const flagsOf = (id: string) => ({
    isDefault: id === defaultModel,
    isFavourite: favourite.has(id),
    isManual: typed.has(id),
  });
  for (const [index, model] of (view.list?.models ?? []).entries()) {
    const { id } = model;
    shown.set(id, { id, model, isNew: view.newIds.has(id), isGone: false, ...flagsOf(id) });
    if (index % modelsAStep === 0) {
      yield;
    }
  }
  for (const id of [...manual, ...favourites, ...recent]) {
    if (!shown.has(id)) {
      const isGone = view.list !== undefined && !typed.has(id);
      shown.set(id, { id, isNew: false, isGone, ...flagsOf(id) });
    }
  }
  const chosen = (ids: readonly string[]) => ids.flatMap((id) => shown.get(id) ?? []);
  const groups: ModelGroup[] = [
    { key: 'favourites', name: 'Favourites', kind: 'favourites', models: chosen(favourites) },
    { key: 'recent', name: 'Recent', kind: 'recent', models: chosen(recent) },
    ...(yield* vendorGroups([...shown.values()])),
  ];
  return { groups: groups.filter(({ models }) => models.length > 0), byId: shown };
}

function* vendorGroups(shown: readonly ShownModel[]): Steps<ModelGroup[]> {
  const byVendor = new Map<string, ShownModel[]>();
  const typed = new Map<string, ShownModel[]>();
  const notForChat: ShownModel[] = [];
  for (const [index, each] of shown.entries()) {
    if (index % modelsAStep === 0) {
      yield;
    }
    if (each.model === undefined && !each.isManual) {
      continue;
    }
    if (each.model?.isForChat === false) {
      notForChat.push(each);
      continue;
    }
    const vendor = each.model?.vendor ?? vendorOf(each.id);
    const groups = each.model ? byVendor : typed;
    const group = groups.get(vendor);
    if (group) {
      group.push(each);
    } else {
      groups.set(vendor, [each]);
    }
  }
  for (const [vendor, models] of typed) {
    byVendor.set(vendor, inTheirPlaces(byVendor.get(vendor) ?? [], models));
    yield;
  }
  const rank = (name: string) => (name === 'Other' ? 1 : 0);
  const groups = sortedByIds([...byVendor], ([name]) => name)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, models]): ModelGroup => {
      return { key: `vendor ${name}`, name, kind: 'vendor', models };
    });
  return [...groups, { key: 'notForChat', name: 'Not for chat', kind: 'notForChat', models: notForChat }];
}

/** Puts a few that were typed by hand among many in the order of ids, which are not sorted again for that. */
function inTheirPlaces(listed: readonly ShownModel[], typed: readonly ShownModel[]): ShownModel[] {
  const all: ShownModel[] = [];
  let from = 0;
  for (const each of sortedByIds(typed, ({ id }) => id)) {
    const place = placeOf(each, listed, from);
    for (const before of listed.slice(from, place)) {
      all.push(before);
    }
    all.push(each);
    from = place;
  }
  return [...all, ...listed.slice(from)];
}

/** @returns where among those from `from` on, which are in order, the first one stands that comes behind it. */
function placeOf({ id }: ShownModel, listed: readonly ShownModel[], from: number): number {
  const ordered = orderedId(id);
  let [low, high] = [from, listed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byId(orderedId(listed[middle]?.id ?? ''), ordered) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
