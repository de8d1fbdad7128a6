import type { Steps } from '../../base/shortTurns.ts';
import type { OwnKey } from '../../secrets/ownKey.ts';
import type { Model, ModelListAnswer } from './model.ts';
import { bareName, couldBeVendor, knownVendor, pathVendor, vendorOf } from './modelFamily.ts';
import { kindByName } from './modelKind.ts';
import { type ReadModel, readModel } from './readModel.ts';
import { sortedByIds } from './sortedByIds.ts';

/** How many items of one id are kept word by word. */
const maxItemsOfOneId = 16;

/**
 * Makes a list out of items that come one by one. A bad one is counted and left out, never the list. Duplicates are
 * merged, the first one winning; the order is by id, because gateways send it at random.
 */
export class ModelListBuilder {
  readonly #read = new Map<string, ReadModel>();
  /** As JSON. */
  readonly #items = new Map<string, string[]>();
  readonly #owners = new Map<string, number>();
  readonly #paths = new Map<string, number>();
  readonly #ownKey: OwnKey | undefined;
  #dropped = 0;
  #withKey = 0;
  #isRelayed = false;

  /** @param ownKey what no model may hold. */
  constructor(ownKey: OwnKey | undefined) {
    this.#ownKey = ownKey;
  }

  add(item: unknown): void {
    const text = JSON.stringify(item);
    const clean = this.#ownKey?.withoutInJson(text) ?? text;
    const named = readModel(item);
    if (named === undefined) {
      this.#dropped++;
      return;
    }
    if (this.#ownKey?.isIn(named.id)) {
      this.#withKey++;
      return;
    }
    const model = clean === text ? named : (readModel(JSON.parse(clean)) ?? named);
    const { id, owner } = model;
    const known = this.#read.get(id);
    this.#read.set(id, known ? merged(known, model) : model);
    this.#isRelayed ||= model.isRelayed;
    const items = this.#items.get(id);
    if (items === undefined) {
      this.#items.set(id, [clean]);
      count(this.#paths, pathVendor(id));
    } else if (items.length < maxItemsOfOneId) {
      items.push(clean);
    }
    count(this.#owners, owner);
  }

  *finish(): Steps<ModelListAnswer> {
    const hasOwners = !this.#isRelayed && (yield* severalVendors(this.#owners));
    const hasPaths = this.#paths.size > 1;
    // By the bare name, so that two spellings are one vendor; spelled as it comes first in the order of ids.
    const spelled = new Map<string, string>();
    const models: Model[] = [];
    for (const { id, facts, kind, owner } of sortedByIds([...this.#read.values()], (model) => model.id)) {
      const named = this.#vendorOf(id, hasOwners ? owner : undefined, hasPaths);
      const vendor = spelled.get(bareName(named)) ?? named;
      spelled.set(bareName(named), vendor);
      const ownKind = kind ?? kindByName(id) ?? 'chat';
      models.push({ id, vendor, kind: ownKind, isForChat: ownKind === 'chat', ...facts });
      yield;
    }
    const withKey = this.#withKey;
    const get = (id: string) => {
      const [item, ...more] = this.#items.get(id) ?? [];
      return more.length === 0 ? item : `[${[item, ...more].join(',')}]`;
    };
    return { models, dropped: this.#dropped, ...(withKey > 0 && { withKey }), items: { get } };
  }

  /** By the id; else by the owner, where owners tell vendors apart; else by the path in front, where that does. */
  #vendorOf(id: string, owner: string | undefined, hasPaths: boolean): string {
    const byId = vendorOf(id);
    if (byId !== 'Other') {
      return byId;
    }
    // A name nobody told us of has to stand for more than one model to be worth a group.
    const byOwner =
      owner && couldBeVendor(owner)
        ? (knownVendor(owner) ?? (isRepeated(this.#owners, owner) ? owner : undefined))
        : undefined;
    const path = hasPaths ? pathVendor(id) : undefined;
    return byOwner ?? (path && isRepeated(this.#paths, path) ? path : 'Other');
  }
}

function merged(known: ReadModel, more: ReadModel): ReadModel {
  const [abilities, endpoints] = [
    union(known.facts.abilities, more.facts.abilities),
    union(known.facts.endpoints, more.facts.endpoints),
  ];
  return {
    ...more,
    ...known,
    facts: {
      ...more.facts,
      ...known.facts,
      ...(abilities.length > 0 && { abilities }),
      ...(endpoints.length > 0 && { endpoints }),
    },
  };
}

function union<T>(a: readonly T[] = [], b: readonly T[] = []): readonly T[] {
  return [...new Set([...a, ...b])];
}

function count(names: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) {
    const bare = bareName(name);
    names.set(bare, (names.get(bare) ?? 0) + 1);
  }
}

function isRepeated(names: ReadonlyMap<string, number>, name: string): boolean {
  return (names.get(bareName(name)) ?? 0) > 1;
}

/** One value for all, such as `openai` or `vllm`, says nothing; nor do types of channels. */
function* severalVendors(owners: ReadonlyMap<string, number>): Steps<boolean> {
  const known = new Set<string>();
  for (const owner of owners.keys()) {
    const vendor = couldBeVendor(owner) ? knownVendor(owner) : undefined;
    if (vendor !== undefined && known.add(vendor).size > 1) {
      return true;
    }
    yield;
  }
  return false;
}
