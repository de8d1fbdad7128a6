import * as z from 'zod/mini';
import { parseJson } from '../../base/loose.ts';
import { type Model, type ModelList, type ModelListAnswer, modelAbilities, modelKinds } from '../list/model.ts';

/** A list and when it was read from the gateway, in Unix milliseconds. */
export type StoredList = { readonly list: ModelList; readonly readAt: number };

/** What is stored: the list and the gateway's own item for each of its models. */
export type StoredAnswer = StoredList & Pick<ModelListAnswer, 'items'>;

/**
 * Model lists that are stored between sessions, one per connection. A list belongs to the key it was read with, which
 * is identified by a fingerprint, because two keys can list different models.
 */
export type ModelLists = {
  /** @returns undefined when nothing is stored for exactly this connection and key. */
  read(connectionId: string, fingerprint: string): Promise<StoredList | undefined>;
  /** @returns the gateway's own item of one model, as JSON; undefined when none is stored. */
  item(connectionId: string, fingerprint: string, id: string): Promise<string | undefined>;
  /** Replaces what is stored for this connection, whatever the key. */
  write(connectionId: string, fingerprint: string, answer: StoredAnswer): Promise<void>;
  remove(connectionId: string): Promise<void>;
};

const format = 'ask-model/model-list';
/** Raised when the meaning of a line changes. Files of other versions are ignored, so the gateway is asked again. */
const version = 2;

const headLine = z.object({
  format: z.literal(format),
  version: z.literal(version),
  connection: z.string(),
  fingerprint: z.string(),
  readAt: z.number().check(z.nonnegative()),
  dropped: z.int().check(z.nonnegative()),
  isPartial: z.optional(z.literal(true)),
  hasLookUps: z.optional(z.literal(true)),
  models: z.int().check(z.nonnegative()),
});

const amount = z.number().check(z.nonnegative());

const modelLine = z.object({
  id: z.string().check(z.minLength(1)),
  vendor: z.string(),
  kind: z.enum(modelKinds),
  isForChat: z.boolean(),
  contextTokens: z.optional(z.number().check(z.positive())),
  outputTokens: z.optional(z.number().check(z.positive())),
  prices: z.optional(
    z.object({
      input: z.optional(amount),
      output: z.optional(amount),
      cachedInput: z.optional(amount),
      cacheWrite: z.optional(amount),
      perRequest: z.optional(amount),
      unit: z.literal('USD'),
    }),
  ),
  endpoints: z.optional(z.array(z.string())),
  abilities: z.optional(z.array(z.enum(modelAbilities))),
  isDeprecated: z.optional(z.literal(true)),
  expiresAt: z.optional(z.number()),
  title: z.optional(z.string()),
});

/** Few enough to be serialized in one or two milliseconds. */
const modelsPerChunk = 50;
/** A longer item isn't stored, but its model is. */
const maxItemChars = 250_000;

/**
 * Writes a list as text, in chunks: a head line, then one line per model. A model's line has what we know of it, a tab,
 * and the gateway's own item, which can contain no tab (JSON escapes it as `\t`). With lines instead of one document,
 * reading or writing 20,000 models doesn't block the process, and an item is parsed only when it is needed.
 */
export function* storedListText(connectionId: string, fingerprint: string, answer: StoredAnswer): Generator<string> {
  const { list, readAt, items } = answer;
  const { models, ...leftOut } = list;
  yield `${JSON.stringify({ format, version, connection: connectionId, fingerprint, readAt, ...leftOut, models: models.length })}\n`;
  for (let start = 0; start < models.length; start += modelsPerChunk) {
    yield models
      .slice(start, start + modelsPerChunk)
      .map((model) => `${modelText(model)}\t${itemText(items.get(model.id))}\n`)
      .join('');
  }
}

/** Writes the id first, because `findStoredItem` searches for it. */
function modelText({ id, ...facts }: Model): string {
  return JSON.stringify({ id, ...facts });
}

/** Replaces line breaks and tabs, which in JSON occur only between tokens and never inside strings. */
function itemText(item = ''): string {
  return item.length > maxItemChars ? '' : item.replace(/[\t\n\r]+/g, ' ');
}

/** Reads a head line. @returns undefined when it isn't one of this connection and key. */
function readHead(line: string, connectionId: string, fingerprint: string): z.infer<typeof headLine> | undefined {
  const head = z.safeParse(headLine, parseJson(line)).data;
  return head?.connection === connectionId && head.fingerprint === fingerprint ? head : undefined;
}

/**
 * Reads a list from the lines that `storedListText` wrote.
 *
 * @returns undefined when the text is cut, damaged, of another version or for another key.
 */
export async function readStoredList(
  lines: AsyncIterable<string>,
  connectionId: string,
  fingerprint: string,
): Promise<StoredList | undefined> {
  let head: z.infer<typeof headLine> | undefined;
  const models: Model[] = [];
  for await (const line of lines) {
    if (head === undefined) {
      head = readHead(line, connectionId, fingerprint);
      if (head === undefined) {
        return undefined;
      }
      continue;
    }
    const [facts = '', item] = line.split('\t');
    const model = z.safeParse(modelLine, parseJson(facts));
    if (item === undefined || !model.success) {
      return undefined;
    }
    models.push(model.data);
  }
  if (head?.models !== models.length) {
    return undefined;
  }
  const { dropped, isPartial, hasLookUps, readAt } = head;
  const list = { models, dropped, ...(isPartial && { isPartial }), ...(hasLookUps && { hasLookUps }) };
  return { list, readAt };
}

/**
 * Finds the item of one model in the lines that `storedListText` wrote.
 *
 * @returns the item as JSON; undefined when there is none.
 */
export async function findStoredItem(
  lines: AsyncIterable<string>,
  connectionId: string,
  fingerprint: string,
  id: string,
): Promise<string | undefined> {
  const start = `{"id":${JSON.stringify(id)},`;
  let isHead = true;
  for await (const line of lines) {
    if (isHead && readHead(line, connectionId, fingerprint) === undefined) {
      return undefined;
    }
    isHead = false;
    if (line.startsWith(start)) {
      return line.slice(line.indexOf('\t') + 1) || undefined;
    }
  }
  return undefined;
}
