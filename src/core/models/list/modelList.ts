import { isRecord, recordOf } from '../../base/loose.ts';
import type { Steps } from '../../base/shortTurns.ts';
import type { OwnKey } from '../../secrets/ownKey.ts';
import type { ModelListAnswer } from './model.ts';
import { ModelListBuilder } from './modelListBuilder.ts';

/**
 * Reads any of the list shapes of wire 1.1 and Q81–Q84.
 *
 * @param ownKey what no model may hold; left out for a list that was read without a key.
 * @returns undefined when the body is no model list at all.
 */
export function* readModelList(body: unknown, ownKey?: OwnKey): Steps<ModelListAnswer | undefined> {
  const items = itemsOf(body);
  if (items === undefined) {
    return undefined;
  }
  const builder = new ModelListBuilder(ownKey);
  for (const item of items) {
    builder.add(item);
    yield;
  }
  return yield* builder.finish();
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
