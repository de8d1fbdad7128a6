import type { Chunk } from './completion.ts';

/** One item of a stream, before it is framed: a chunk, other JSON, text that is sent as it is, or the end marker. */
export type StreamItem =
  | { readonly chunk: Chunk }
  | { readonly json: unknown; readonly event?: string }
  | { readonly text: string }
  | { readonly done: true };

/** Frames one item as a server-sent event. */
export function frameItem(item: StreamItem): string {
  if ('chunk' in item) {
    return `data: ${JSON.stringify(item.chunk)}\n\n`;
  }
  if ('json' in item) {
    return `${item.event === undefined ? '' : `event: ${item.event}\n`}data: ${JSON.stringify(item.json)}\n\n`;
  }
  return 'text' in item ? item.text : 'data: [DONE]\n\n';
}

/** Frames the items of a stream. */
export async function* frameItems(items: AsyncIterable<StreamItem>): AsyncGenerator<string> {
  for await (const item of items) {
    yield frameItem(item);
  }
}
