import type { Clock } from '../../base/clock.ts';
import { JsonItems, type ListPlace } from '../../base/jsonItems.ts';
import { isRecord } from '../../base/loose.ts';
import { ShortTurns, type Steps } from '../../base/shortTurns.ts';
import type { AnswerFacts } from '../../errors/classify.ts';
import { readErrorBody } from '../../errors/errorBody.ts';
import type { OwnKey } from '../../secrets/ownKey.ts';
import type { ModelListAnswer } from './model.ts';
import { ModelListBuilder } from './modelListBuilder.ts';
import { readModelsAnswer } from './readModelsAnswer.ts';

/** Decoded and searched at a time. */
const pieceBytes = 32 * 1024;

/**
 * Reads the answer to `GET /v1/models` while it arrives, item by item and in short turns: parsing ten megabytes at once
 * would hold up the editor's other extensions. What comes of it is what `readModelsAnswer` makes of the whole text; an
 * answer of any unusual shape, every failure among them, is handed to that.
 */
export class ModelsAnswerReader {
  readonly #turns: ShortTurns;
  readonly #ownKey: OwnKey;
  readonly #decoder = new TextDecoder();
  /** The whole answer, until it is known that nobody needs it; as bytes, for the reason `PackedItems` gives. */
  readonly #bytes: Uint8Array[] = [];
  readonly #items = new JsonItems();
  readonly #lists: ModelListBuilder[] = [];
  #isOdd = false;

  /** @param ownKey what no model may hold. */
  constructor(clock: Clock, ownKey: OwnKey) {
    this.#turns = new ShortTurns(clock);
    this.#ownKey = ownKey;
  }

  async feed(bytes: Uint8Array): Promise<void> {
    this.#bytes.push(bytes);
    await this.#turns.run(this.#read(bytes));
  }

  /** @throws GatewayError when there is no list. */
  async end(answer: AnswerFacts): Promise<ModelListAnswer> {
    await this.#turns.run(this.#take(this.#decoder.decode()));
    const list = this.#isOdd ? undefined : this.#listMeant();
    return list ? this.#turns.run(list.finish()) : readModelsAnswer(this.#text(), answer, this.#ownKey);
  }

  *#read(bytes: Uint8Array): Steps<void> {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield* this.#take(this.#decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }));
    }
  }

  #text(): string {
    const decoder = new TextDecoder();
    const pieces = this.#bytes.map((bytes) => decoder.decode(bytes, { stream: true }));
    return pieces.join('') + decoder.decode();
  }

  *#take(piece: string): Steps<void> {
    if (this.#isOdd) {
      return;
    }
    for (const { list, text } of this.#items.push(piece)) {
      const item = parsed(text);
      if (item === undefined) {
        this.#isOdd = true;
        return;
      }
      this.#listAt(list).add(item.value, text.trim());
      yield;
    }
    this.#isOdd = this.#items.isOdd;
  }

  #listAt(index: number): ModelListBuilder {
    const list = this.#lists[index] ?? new ModelListBuilder(this.#ownKey);
    this.#lists[index] = list;
    return list;
  }

  /** The list that `readModelList` would choose; undefined when it takes the whole text to tell. */
  #listMeant(): ModelListBuilder | undefined {
    const envelope = this.#items.end();
    const body = envelope === undefined ? undefined : parsed(envelope)?.value;
    if (body === undefined || readErrorBody(body)) {
      return undefined;
    }
    if (Array.isArray(body)) {
      const list = this.#listOf('document');
      return list?.hasError ? undefined : list;
    }
    if (!isRecord(body)) {
      return undefined;
    }
    return Array.isArray(body.data)
      ? this.#listOf('data')
      : Array.isArray(body.models) && !isRecord(body.data)
        ? this.#listOf('models')
        : undefined;
  }

  /** Of two fields of one name JSON takes the last. */
  #listOf(place: ListPlace): ModelListBuilder | undefined {
    const index = this.#items.places.lastIndexOf(place);
    return index < 0 ? undefined : this.#listAt(index);
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
