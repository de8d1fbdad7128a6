import type { How } from './fault.ts';

/** Token counts with their names on the wire. */
export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** What chunks and completions have in common. */
interface Reply<Choice> {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ({ readonly index: number; readonly finish_reason: string | null } & Choice)[];
}

/** One streamed chunk as OpenAI sends it. */
export interface Chunk extends Reply<{ readonly delta: Fields }> {
  readonly usage?: WireUsage;
}

/** A completion in a single body. */
export interface Completion extends Reply<{ readonly message: Fields }> {
  readonly usage: WireUsage;
}

/** One item of a stream before it is framed: a chunk or other JSON, or text that is sent as it is. */
export type Item = object | string;

/** The end marker of a stream. */
export const doneEvent = 'data: [DONE]\n\n';

/** Frames one item as a server-sent event. */
export function frame(item: Item): string {
  return typeof item === 'string' ? item : `data: ${JSON.stringify(item)}\n\n`;
}

/** Estimates tokens as one for every four UTF-16 code units, so that a test can calculate it. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The usage of a reply so far. */
export function wireUsage(promptTokens: number, completionTokens: number): WireUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Makes a chunk with one delta. */
export function deltaChunk(
  { id, created, model }: Pick<Chunk, 'id' | 'created' | 'model'>,
  delta: Fields,
  finishReason: string | null = null,
): Chunk {
  return {
    id,
    created,
    model,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

/** All JSON in the stream of a model is a chunk, until a fault changes it. */
export function isChunk(item: Item): item is Chunk {
  return typeof item === 'object';
}

/** Returns the text of a chunk's first choice, or an empty string. */
export function contentOf(chunk: Chunk): string {
  const content = chunk.choices[0]?.delta.content;
  return typeof content === 'string' ? content : '';
}

/** Whether the chunk has the finish reason. */
export function isFinish(item: Item): item is Chunk {
  return isChunk(item) && (item.choices[0]?.finish_reason ?? null) !== null;
}

type Items = AsyncIterable<Item>;

/** Replaces every item with the result of `replace`; `index` counts from 0. */
export function eachItem(replace: (item: Item, index: number) => readonly Item[]) {
  return async function* (items: Items): AsyncGenerator<Item> {
    let index = 0;
    for await (const item of items) {
      yield* replace(item, index);
      index += 1;
    }
  };
}

/** Replaces every chunk; other items stay. */
export function eachChunk(replace: (chunk: Chunk, index: number) => readonly Item[]) {
  return eachItem((item, index) => (isChunk(item) ? replace(item, index) : [item]));
}

/** Replaces every chunk that has text; other items stay. */
export function eachText(replace: (text: string, chunk: Chunk, index: number) => readonly Item[]) {
  return eachChunk((chunk, index) => {
    const text = contentOf(chunk);
    return text === '' ? [chunk] : replace(text, chunk, index);
  });
}

/** Replaces the finish chunk. */
export function atFinish(replace: (chunk: Chunk) => readonly Item[]) {
  return eachItem((item) => (isFinish(item) ? replace(item) : [item]));
}

/** Replaces the finish reason. */
export function finishes(reason: string) {
  return atFinish((chunk) => [
    { ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, finish_reason: reason })) },
  ]);
}

/** Replaces the end marker. */
export function atDone(...replacement: readonly Item[]) {
  return eachItem((item) => (item === doneEvent ? replacement : [item]));
}

/** Keeps the first `count` items and replaces the rest with `ending`. */
export function after(count: number, ...ending: readonly Item[]) {
  return async function* (items: Items): AsyncGenerator<Item> {
    let index = 0;
    for await (const item of items) {
      if (index === count) {
        break;
      }
      yield item;
      index += 1;
    }
    yield* ending;
  };
}

/** Changes every chunk of a stream, and a reply in one body. */
export function everywhere(change: (reply: Chunk | Completion) => object): How {
  return { items: eachChunk((chunk) => [change(chunk)]), completion: change };
}

/** Changes the message of a completion. */
export function inMessage(change: (message: Fields) => Fields): Pick<How, 'completion'> {
  return {
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map((choice) => ({ ...choice, message: change(choice.message) })),
    }),
  };
}
