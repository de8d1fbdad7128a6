import * as z from 'zod/mini';
import { parseJson } from '../gateway/loose.ts';
import type { Model, ModelList } from './model.ts';

/** A list and when it was read from the gateway, in Unix milliseconds. */
export type KeptList = { readonly list: ModelList; readonly readAt: number };

/**
 * Model lists kept between sessions, one a connection. A list belongs to the key it was read with, named by its
 * fingerprint, because two keys can see different models.
 */
export type ModelLists = {
  /** @returns undefined when nothing is kept for exactly this connection and key. */
  read(connectionId: string, fingerprint: string): Promise<KeptList | undefined>;
  /** Replaces what was kept for this connection, whatever the key. */
  write(connectionId: string, fingerprint: string, kept: KeptList): Promise<void>;
  remove(connectionId: string): Promise<void>;
};

const format = 'ask-model/model-list';
/** Raised when a line means something else than before; files of other versions are then read anew from the gateway. */
const version = 1;

const headLine = z.object({
  format: z.literal(format),
  version: z.literal(version),
  connection: z.string(),
  fingerprint: z.string(),
  readAt: z.number().check(z.nonnegative()),
  dropped: z.int().check(z.nonnegative()),
  models: z.int().check(z.nonnegative()),
});

const modelLine = z.object({
  id: z.string().check(z.minLength(1)),
  vendor: z.string(),
  isForChat: z.boolean(),
  contextTokens: z.exactOptional(z.number().check(z.positive())),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
});

/** Few enough to be written out in a millisecond or two. */
const modelsAPiece = 100;
const maxLineChars = 1_000_000;

/**
 * The text of a kept list in pieces: a head line, then one line a model. Lines and not one document, so that neither
 * writing nor reading a list of 20,000 models holds up the program that does it.
 */
export function* storedListText(connectionId: string, fingerprint: string, kept: KeptList): Generator<string> {
  const { list, readAt } = kept;
  const { models, dropped } = list;
  yield `${JSON.stringify({ format, version, connection: connectionId, fingerprint, readAt, dropped, models: models.length })}\n`;
  for (let start = 0; start < models.length; start += modelsAPiece) {
    yield models
      .slice(start, start + modelsAPiece)
      .map((model) => `${JSON.stringify(model)}\n`)
      .join('');
  }
}

/** Reads such a text piece by piece, and believes it only when all of it is there and meant for this key. */
export class StoredListReader {
  readonly #connectionId: string;
  readonly #fingerprint: string;
  readonly #models: Model[] = [];
  #head: z.infer<typeof headLine> | undefined;
  #rest = '';
  #isGood = true;

  constructor(connectionId: string, fingerprint: string) {
    this.#connectionId = connectionId;
    this.#fingerprint = fingerprint;
  }

  /** @returns whether it is worth reading on. */
  feed(text: string): boolean {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.#isGood &&= this.#rest.length <= maxLineChars && lines.every((line) => this.#take(line));
    return this.#isGood;
  }

  /** @returns undefined when the text was cut, damaged, of another version, or kept for another key. */
  end(): KeptList | undefined {
    const head = this.#head;
    if (!this.#isGood || this.#rest !== '' || head === undefined || head.models !== this.#models.length) {
      return undefined;
    }
    return { list: { models: this.#models, dropped: head.dropped }, readAt: head.readAt };
  }

  #take(line: string): boolean {
    if (this.#head === undefined) {
      const head = z.safeParse(headLine, parseJson(line));
      this.#head = head.data;
      return head.success && head.data.connection === this.#connectionId && head.data.fingerprint === this.#fingerprint;
    }
    const model = z.safeParse(modelLine, parseJson(line));
    if (!model.success) {
      return false;
    }
    this.#models.push(model.data);
    return true;
  }
}
