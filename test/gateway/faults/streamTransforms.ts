import { type Chunk, deltaChunk } from '../chat/completion.ts';
import type { StreamItem } from '../chat/streamItem.ts';

type Items = AsyncIterable<StreamItem>;

/** Replaces every item with the result of `replace`; `index` counts from 0. */
export function eachItem(replace: (item: StreamItem, index: number) => readonly StreamItem[]) {
  return async function* (items: Items): AsyncGenerator<StreamItem> {
    let index = 0;
    for await (const item of items) {
      yield* replace(item, index);
      index += 1;
    }
  };
}

/** Replaces every chunk; other items stay. */
export function eachChunk(replace: (chunk: Chunk, index: number) => readonly StreamItem[]) {
  return eachItem((item, index) => ('chunk' in item ? replace(item.chunk, index) : [item]));
}

/** Replaces every chunk that has text; other items stay. */
export function eachText(replace: (text: string, chunk: Chunk, index: number) => readonly StreamItem[]) {
  return eachChunk((chunk, index) => {
    const text = contentOf(chunk);
    return text === '' ? [{ chunk }] : replace(text, chunk, index);
  });
}

/** Replaces the end marker. */
export function atDone(replacement: readonly StreamItem[]) {
  return eachItem((item) => ('done' in item ? replacement : [item]));
}

/** Keeps the first `count` items and replaces the rest with `ending`. */
export function after(count: number, ending: readonly StreamItem[]) {
  return async function* (items: Items): AsyncGenerator<StreamItem> {
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

/** Returns the text of a chunk's first choice, or an empty string. */
export function contentOf(chunk: Chunk): string {
  const content = chunk.choices[0]?.delta.content;
  return typeof content === 'string' ? content : '';
}

/** Whether the chunk has the finish reason. */
export function isFinish(chunk: Chunk): boolean {
  return (chunk.choices[0]?.finish_reason ?? null) !== null;
}

/** Returns a copy of a chunk with another delta. */
export function withDelta(chunk: Chunk, delta: Readonly<Record<string, unknown>>): StreamItem {
  return { chunk: deltaChunk({ id: chunk.id, created: chunk.created, model: chunk.model }, delta, null) };
}

/** Replaces the finish reason. */
export function withFinishReason(reason: string) {
  return eachChunk((chunk) =>
    isFinish(chunk)
      ? [{ chunk: { ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, finish_reason: reason })) } }]
      : [{ chunk }],
  );
}
