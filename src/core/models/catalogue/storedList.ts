import * as z from 'zod/mini';
import { LineCutter } from '../../base/lineCutter.ts';
import { parseJson } from '../../base/loose.ts';
import { type Model, type ModelList, type ModelListAnswer, modelKinds } from '../list/model.ts';

/** A list and when it was read from the gateway, in Unix milliseconds. */
export type KeptList = { readonly list: ModelList; readonly readAt: number };

/** What is kept: besides the list, the gateway's own words about its models. */
export type KeptAnswer = KeptList & Pick<ModelListAnswer, 'items'>;

/**
 * Model lists kept between sessions, one a connection. A list belongs to the key it was read with, named by its
 * fingerprint, because two keys can see different models.
 */
export type ModelLists = {
  /** @returns undefined when nothing is kept for exactly this connection and key. */
  read(connectionId: string, fingerprint: string): Promise<KeptList | undefined>;
  /** @returns the gateway's own item of one model, as JSON; undefined when none is kept. */
  item(connectionId: string, fingerprint: string, id: string): Promise<string | undefined>;
  /** Replaces what was kept for this connection, whatever the key. */
  write(connectionId: string, fingerprint: string, kept: KeptAnswer): Promise<void>;
  remove(connectionId: string): Promise<void>;
};

const format = 'ask-model/model-list';
/** Raised when a line means something else than before; files of other versions are then read anew from the gateway. */
const version = 2;

const headLine = z.object({
  format: z.literal(format),
  version: z.literal(version),
  connection: z.string(),
  fingerprint: z.string(),
  readAt: z.number().check(z.nonnegative()),
  dropped: z.int().check(z.nonnegative()),
  withKey: z.exactOptional(z.int().check(z.positive())),
  models: z.int().check(z.nonnegative()),
});

const amount = z.number().check(z.nonnegative());
const abilities = ['vision', 'tools', 'reasoning', 'audio', 'video', 'files'] as const;

const modelLine = z.object({
  id: z.string().check(z.minLength(1)),
  vendor: z.string(),
  kind: z.enum(modelKinds),
  isForChat: z.boolean(),
  contextTokens: z.exactOptional(z.number().check(z.positive())),
  outputTokens: z.exactOptional(z.number().check(z.positive())),
  prices: z.exactOptional(
    z.object({
      input: z.exactOptional(amount),
      output: z.exactOptional(amount),
      cachedInput: z.exactOptional(amount),
      perRequest: z.exactOptional(amount),
      unit: z.literal('USD'),
    }),
  ),
  endpoints: z.exactOptional(z.array(z.string())),
  abilities: z.exactOptional(z.array(z.enum(abilities))),
  isDeprecated: z.exactOptional(z.literal(true)),
  expiresAt: z.exactOptional(z.number()),
  title: z.exactOptional(z.string()),
});

/** Few enough to be written out in a millisecond or two. */
const modelsAPiece = 50;
/** A line longer than any of ours. */
const maxLineChars = 1_000_000;
/** An item longer than this is left out of what is kept; its model is not. */
const maxItemChars = 250_000;

/**
 * The text of a kept list in pieces: a head line, then one line a model: what we know of it, a tab, and the gateway's
 * own item, in which no tab can be (JSON writes it `\t`). Lines and not one document, so that neither writing nor
 * reading a list of 20,000 models holds up the program that does it, and an item is parsed only when somebody asks.
 */
export function* storedListText(connectionId: string, fingerprint: string, kept: KeptAnswer): Generator<string> {
  const { list, readAt, items } = kept;
  const { models, dropped, withKey } = list;
  const left = { dropped, ...(withKey !== undefined && { withKey }) };
  yield `${JSON.stringify({ format, version, connection: connectionId, fingerprint, readAt, ...left, models: models.length })}\n`;
  for (let start = 0; start < models.length; start += modelsAPiece) {
    yield models
      .slice(start, start + modelsAPiece)
      .map((model) => `${modelText(model)}\t${itemText(items.get(model.id))}\n`)
      .join('');
  }
}

/** The id first: that is what `StoredItemReader` looks for. */
function modelText({ id, ...facts }: Model): string {
  return JSON.stringify({ id, ...facts });
}

/** Line ends and tabs of a JSON text stand between its tokens, never inside of strings. */
function itemText(item = ''): string {
  return item.length > maxItemChars ? '' : item.replace(/[\t\n\r]+/g, ' ');
}

/** @returns undefined when the line begins no list of this connection and key. */
function readHead(line: string, connectionId: string, fingerprint: string): z.infer<typeof headLine> | undefined {
  const head = z.safeParse(headLine, parseJson(line)).data;
  return head?.connection === connectionId && head.fingerprint === fingerprint ? head : undefined;
}

/** Reads such a text piece by piece, and believes it only when all of it is there and meant for this key. */
export class StoredListReader {
  readonly #connectionId: string;
  readonly #fingerprint: string;
  readonly #models: Model[] = [];
  readonly #lines = new LineCutter();
  #head: z.infer<typeof headLine> | undefined;
  #isGood = true;

  constructor(connectionId: string, fingerprint: string) {
    this.#connectionId = connectionId;
    this.#fingerprint = fingerprint;
  }

  /** @returns whether it is worth reading on. */
  feed(text: string): boolean {
    this.#isGood &&=
      this.#lines.push(text).every((line) => this.#take(line)) && this.#lines.rest.length <= maxLineChars;
    return this.#isGood;
  }

  /** @returns undefined when the text was cut, damaged, of another version, or kept for another key. */
  end(): KeptList | undefined {
    const head = this.#head;
    if (!this.#isGood || this.#lines.rest !== '' || head === undefined || head.models !== this.#models.length) {
      return undefined;
    }
    const { dropped, withKey, readAt } = head;
    return { list: { models: this.#models, dropped, ...(withKey !== undefined && { withKey }) }, readAt };
  }

  #take(line: string): boolean {
    if (this.#head === undefined) {
      this.#head = readHead(line, this.#connectionId, this.#fingerprint);
      return this.#head !== undefined;
    }
    const tab = line.indexOf('\t');
    const model = z.safeParse(modelLine, parseJson(tab < 0 ? line : line.slice(0, tab)));
    if (tab < 0 || !model.success) {
      return false;
    }
    this.#models.push(model.data);
    return true;
  }
}

/** Looks in such a text for the item of one model. */
export class StoredItemReader {
  readonly #connectionId: string;
  readonly #fingerprint: string;
  readonly #start: string;
  readonly #lines = new LineCutter();
  #isHeadRead = false;
  #item: string | undefined;

  constructor(connectionId: string, fingerprint: string, id: string) {
    this.#connectionId = connectionId;
    this.#fingerprint = fingerprint;
    this.#start = `{"id":${JSON.stringify(id)},`;
  }

  /** @returns whether it is worth reading on. */
  feed(text: string): boolean {
    return this.#lines.push(text).every((line) => this.#take(line)) && this.#lines.rest.length <= maxLineChars;
  }

  /** @returns the item as JSON; undefined when there is none. */
  get item(): string | undefined {
    return this.#item;
  }

  #take(line: string): boolean {
    if (!this.#isHeadRead) {
      this.#isHeadRead = true;
      return readHead(line, this.#connectionId, this.#fingerprint) !== undefined;
    }
    if (!line.startsWith(this.#start)) {
      return true;
    }
    this.#item = line.slice(line.indexOf('\t') + 1) || undefined;
    return false;
  }
}
