import { type Chunk, deltaChunk } from '../chat/completion.ts';
import type { StreamItem } from '../chat/streamItem.ts';

type Items = AsyncIterable<StreamItem>;

/** Replaces every item by what the function makes of it; `index` counts from 0. */
export function eachItem(replace: (item: StreamItem, index: number) => readonly StreamItem[]) {
  return async function* (items: Items): AsyncGenerator<StreamItem> {
    let index = 0;
    for await (const item of items) {
      yield* replace(item, index);
      index += 1;
    }
  };
}

/** Replaces every chunk; other items pass. */
export function eachChunk(replace: (chunk: Chunk, index: number) => readonly StreamItem[]) {
  return eachItem((item, index) => ('chunk' in item ? replace(item.chunk, index) : [item]));
}

/** Replaces every chunk that carries text; other items pass. */
export function eachText(replace: (text: string, chunk: Chunk, index: number) => readonly StreamItem[]) {
  return eachChunk((chunk, index) => {
    const text = contentOf(chunk);
    return text === '' ? [{ chunk }] : replace(text, chunk, index);
  });
}

/** Replaces the end mark. */
export function atDone(replacement: readonly StreamItem[]) {
  return eachItem((item) => ('done' in item ? replacement : [item]));
}

/** Lets this many items pass, then says these and nothing more. */
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

/** The text of a chunk's first choice, or an empty string. */
export function contentOf(chunk: Chunk): string {
  const content = chunk.choices[0]?.delta.content;
  return typeof content === 'string' ? content : '';
}

/** Whether the chunk carries the finish reason. */
export function isFinish(chunk: Chunk): boolean {
  return (chunk.choices[0]?.finish_reason ?? null) !== null;
}

/** A chunk like this one with another delta. */
export function withDelta(chunk: Chunk, delta: Readonly<Record<string, unknown>>): StreamItem {
  return { chunk: deltaChunk({ id: chunk.id, created: chunk.created, model: chunk.model }, delta, null) };
}

/** A finish chunk with another reason. */
export function withFinishReason(reason: string) {
  return eachChunk((chunk) =>
    isFinish(chunk)
      ? [{ chunk: { ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, finish_reason: reason })) } }]
      : [{ chunk }],
  );
}
