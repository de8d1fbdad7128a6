import * as z from 'zod/mini';
import { amountOf, isRecord, recordOf, textOf } from '../gateway/loose.ts';
import type { Model, ModelListAnswer } from './model.ts';
import { isForChat, vendorOf } from './modelFamily.ts';

/** One item of the list; only the id is promised (service.md section 2), all else may be missing or of any type. */
const modelItem = z.looseObject({ id: z.union([z.string(), z.number()]) });

/**
 * Reads any of the list shapes of wire 1.1 and Q81–Q84. Items are read one by one: a bad one is dropped, never the
 * list. Duplicates are merged, the first one winning; order is by id, because gateways send it at random.
 *
 * @returns undefined when the body is no model list at all.
 */
export function readModelList(body: unknown): ModelListAnswer | undefined {
  const items = itemsOf(body);
  if (items === undefined) {
    return undefined;
  }
  const models = new Map<string, Model>();
  const texts = new Map<string, string>();
  let dropped = 0;
  for (const item of items) {
    const model = readModel(item);
    if (model === undefined) {
      dropped++;
    } else {
      const known = models.get(model.id);
      models.set(model.id, known ? { ...model, ...known } : model);
      texts.set(model.id, texts.get(model.id) ?? JSON.stringify(item));
    }
  }
  return { models: sortedByIds([...models.values()], ({ id }) => id), dropped, items: texts };
}

function itemsOf(body: unknown): readonly unknown[] | undefined {
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
      // A map by id holds records; anything else is data of another endpoint.
      const entries = Object.entries(value);
      return entries.every(([, item]) => isRecord(item))
        ? entries.map(([id, item]) => ({ id, ...recordOf(item) }))
        : undefined;
    }
  }
  // Go sends a nil slice as null.
  return body.data === null || body.models === null ? [] : undefined;
}

function readModel(item: unknown): Model | undefined {
  const value =
    typeof item === 'string'
      ? { id: item }
      : isRecord(item) && (item.id === undefined || item.id === null)
        ? { ...item, id: item.name }
        : item;
  const parsed = z.safeParse(modelItem, value);
  if (!parsed.success) {
    return undefined;
  }
  const id = String(parsed.data.id);
  if (id.trim() === '') {
    return undefined;
  }
  const contextTokens =
    amountOf(parsed.data.context_length) ??
    amountOf(parsed.data.context_window) ??
    amountOf(parsed.data.max_model_len) ??
    amountOf(parsed.data.max_context_length);
  const title = textOf(parsed.data.display_name) ?? textOf(parsed.data.name);
  const description = textOf(parsed.data.description);
  return {
    id,
    vendor: vendorOf(id),
    kind: isForChat(id, parsed.data) ? 'chat' : 'other',
    isForChat: isForChat(id, parsed.data),
    ...(contextTokens !== undefined && contextTokens > 0 && { contextTokens }),
    ...(title && title !== id && { title }),
    ...(description && { description: description.slice(0, 1_000) }),
  };
}

/** The same order on every machine: by letters without case, then exactly. */
export function sortedByIds<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  // Lower case once an item and not once a comparison: a list can have 20,000.
  const named = items.map((item) => ({ item, id: idOf(item), lower: idOf(item).toLowerCase() }));
  named.sort((a, b) => (a.lower < b.lower ? -1 : a.lower > b.lower ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return named.map(({ item }) => item);
}
