import { isRecord, recordOf, textOf } from '../../base/loose.ts';
import type { Steps } from '../../base/runInSlices.ts';
import type { KeyRemover } from '../../secrets/keyRemover.ts';
import type { Model, ModelListAnswer } from './model.ts';
import { bareName, couldBeVendor, knownVendor, otherVendor, pathVendor, vendorOf } from './modelFamily.ts';
import { kindByName } from './modelKind.ts';
import { type ReadModel, readModel } from './readModel.ts';
import { sortedByIds } from './sortedByIds.ts';

/**
 * Reads the items of a list. A bad item is counted and left out; it never makes the whole list fail. Duplicates are
 * merged, and the first one takes precedence. Models are sorted by id, because gateways send them in random order.
 *
 * @param ownKey the key, which no model may contain; omitted for a list that was read without a key.
 */
export function* readModelList(all: readonly unknown[], ownKey?: KeyRemover): Steps<ModelListAnswer> {
  const read = new Map<string, ReadModel>();
  const items = new Map<string, string>();
  let [dropped, withKey] = [0, 0];
  for (const item of all) {
    const named = readModel(item);
    if (named === undefined) {
      dropped++;
    } else if (ownKey?.isIn(named.id)) {
      withKey++;
    } else {
      const clean = ownKey?.withoutIn(item) ?? item;
      const model = readModel(clean) ?? named;
      const known = read.get(model.id);
      read.set(model.id, known ? merged(known, model) : model);
      items.set(model.id, items.get(model.id) ?? JSON.stringify(clean));
    }
    yield;
  }
  const models = yield* modelsOf(sortedByIds([...read.values()], ({ id }) => id));
  return { models, dropped, ...(withKey > 0 && { withKey }), items };
}

/** The items in any of the list shapes of wire 1.1 and wire Q81–Q84; undefined when the body is not a model list. */
export function itemsOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) {
    return body;
  }
  if (!isRecord(body)) {
    return undefined;
  }
  for (const name of ['data', 'models']) {
    const value = body[name];
    if (Array.isArray(value)) {
      return value;
    }
    if (isRecord(value)) {
      const inner = value.data ?? value.models;
      if (Array.isArray(inner)) {
        return inner;
      }
      // In a map by id, every value is a record; anything else is the data of another endpoint.
      const entries = Object.entries(value);
      return entries.every(([, item]) => isRecord(item))
        ? entries.map(([id, item]) => ({ id, ...recordOf(item) }))
        : undefined;
    }
  }
  // Go encodes a nil slice as null.
  return body.data === null || body.models === null ? [] : undefined;
}

/**
 * The query of the next page, in the shapes of wire 1.1; undefined after the last one. Of a link, only the query counts:
 * a relay may pass on an address of its upstream.
 */
export function nextQuery(body: unknown, items: readonly unknown[]): string | undefined {
  const { links, nextPageToken, has_more, next_cursor, last_id } = recordOf(body);
  const link = textOf(recordOf(links).next);
  if (link !== undefined) {
    return /\?[^#]*/.exec(link)?.[0] ?? '';
  }
  const token = textOf(nextPageToken);
  if (token === undefined && has_more !== true) {
    return undefined;
  }
  const cursor = textOf(next_cursor);
  const lastId = textOf(last_id) ?? textOf(recordOf(items.at(-1)).id);
  return `?${new URLSearchParams(token ? { pageToken: token } : cursor ? { cursor } : { after_id: lastId ?? '' })}`;
}

function merged(known: ReadModel, more: ReadModel): ReadModel {
  const abilities = union(known.facts.abilities, more.facts.abilities);
  const endpoints = union(known.facts.endpoints, more.facts.endpoints);
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

/** Gives each model its vendor and its kind. */
function* modelsOf(read: readonly ReadModel[]): Steps<Model[]> {
  const owners = counted(read.map(({ owner }) => owner));
  const paths = counted(read.map(({ id }) => pathVendor(id)));
  // Owners are useful only when several vendors occur; one value such as `openai` or `vllm` for all models, or the
  // channel types of a relay, say nothing.
  const known = [...owners.keys()].flatMap((owner) => (couldBeVendor(owner) ? (knownVendor(owner) ?? []) : []));
  const hasOwners = new Set(known).size > 1 && !read.some(({ isRelayed }) => isRelayed);
  /**
   * The vendor by the id; otherwise by the owner, if owners differ; otherwise by the path prefix, if prefixes differ.
   */
  const nameOf = ({ id, owner }: ReadModel) => {
    const byId = vendorOf(id);
    if (byId !== otherVendor) {
      return byId;
    }
    // An unknown vendor gets a group of its own only if it has more than one model.
    const isRepeated = (names: ReadonlyMap<string, number>, name: string) => (names.get(bareName(name)) ?? 0) > 1;
    const byOwner =
      hasOwners && owner && couldBeVendor(owner)
        ? (knownVendor(owner) ?? (isRepeated(owners, owner) ? owner : undefined))
        : undefined;
    const path = paths.size > 1 ? pathVendor(id) : undefined;
    return byOwner ?? (path && isRepeated(paths, path) ? path : otherVendor);
  };
  // By bare name, so that two spellings are one vendor. The spelling of the first model by id is used.
  const spelled = new Map<string, string>();
  const models: Model[] = [];
  for (const each of read) {
    const { id, facts } = each;
    const name = nameOf(each);
    const vendor = spelled.get(bareName(name)) ?? name;
    spelled.set(bareName(name), vendor);
    const kind = each.kind ?? kindByName(id) ?? 'chat';
    models.push({ id, vendor, kind, isForChat: kind === 'chat', ...facts });
    yield;
  }
  return models;
}

/** Counts how often each name occurs, by its bare form. */
function counted(names: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name !== undefined) {
      counts.set(bareName(name), (counts.get(bareName(name)) ?? 0) + 1);
    }
  }
  return counts;
}
