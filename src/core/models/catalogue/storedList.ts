import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { parseJson } from '../../base/loose.ts';
import { runInSlices } from '../../base/runInSlices.ts';
import type { ModelList, ModelListAnswer } from '../list/model.ts';
import { modelIdOf, readModelList } from '../list/modelList.ts';

/** A list and when it was read from the gateway, in Unix milliseconds. */
export type StoredList = { readonly list: ModelList; readonly readAt: number };

/**
 * Model lists that are stored between sessions, one per connection. A list belongs to the key it was read with, which
 * is identified by a fingerprint, because two keys can list different models.
 */
export type ModelLists = {
  /** @returns undefined when nothing is stored for exactly this connection and key. */
  read(connectionId: string, fingerprint: string): Promise<StoredList | undefined>;
  /** @returns the gateway's own item of one model; undefined when none is stored. */
  item(connectionId: string, fingerprint: string, id: string): Promise<unknown>;
  /** Replaces what is stored for this connection, whatever the key. */
  write(connectionId: string, fingerprint: string, answer: ModelListAnswer, readAt: number): Promise<void>;
  remove(connectionId: string): Promise<void>;
};

const format = 'ask-model/model-list';
/** Raised when the meaning of a line changes. Files of other versions are ignored, so the gateway is asked again. */
const version = 3;
const itemsPerChunk = 50;

const headLine = z.object({
  format: z.literal(format),
  version: z.literal(version),
  connection: z.string(),
  fingerprint: z.string(),
  readAt: z.number().check(z.nonnegative()),
  dropped: z.int().check(z.nonnegative()),
  isPartial: z.optional(z.literal(true)),
  items: z.int().check(z.nonnegative()),
});
type Head = z.infer<typeof headLine>;

/**
 * The lines of a stored list: a head, then the gateway's own items. They are read again as if they had just arrived. With
 * lines instead of one document, reading or writing 20,000 models doesn't block the process.
 */
export function* storedListLines(
  connection: string,
  fingerprint: string,
  { dropped, isPartial, items }: ModelListAnswer,
  readAt: number,
): Generator<string> {
  const head: Head = { format, version, connection, fingerprint, readAt, dropped, isPartial, items: items.length };
  yield `${JSON.stringify(head)}\n`;
  for (let start = 0; start < items.length; start += itemsPerChunk) {
    const lines = items.slice(start, start + itemsPerChunk).map((item) => JSON.stringify(item));
    yield `${lines.join('\n')}\n`;
  }
}

/** @returns the head and the items; undefined when the head isn't one of this version, connection and key. */
async function readItems(
  lines: AsyncIterable<string>,
  connectionId: string,
  fingerprint: string,
): Promise<{ readonly head: Head; readonly items: readonly unknown[] } | undefined> {
  let head: Head | undefined;
  const items: unknown[] = [];
  for await (const line of lines) {
    if (head !== undefined) {
      items.push(parseJson(line));
      continue;
    }
    head = z.safeParse(headLine, parseJson(line)).data;
    if (head?.connection !== connectionId || head.fingerprint !== fingerprint) {
      return undefined;
    }
  }
  return head && { head, items };
}

/** @returns undefined when the text is cut, damaged, of another version or for another key. */
export async function readStoredList(
  clock: Clock,
  lines: AsyncIterable<string>,
  connectionId: string,
  fingerprint: string,
): Promise<StoredList | undefined> {
  const { head, items = [] } = (await readItems(lines, connectionId, fingerprint)) ?? {};
  const { items: _, dropped, ...list } = await runInSlices(clock, readModelList(items));
  if (head?.items !== items.length || dropped > 0) {
    return undefined;
  }
  return { list: { ...list, dropped: head.dropped, ...(head.isPartial && { isPartial: true }) }, readAt: head.readAt };
}

/** @returns the gateway's own item of a model, the first one if there are several; undefined when there is none. */
export async function findStoredItem(
  lines: AsyncIterable<string>,
  connectionId: string,
  fingerprint: string,
  id: string,
): Promise<unknown> {
  return (await readItems(lines, connectionId, fingerprint))?.items.find((item) => modelIdOf(item) === id);
}
