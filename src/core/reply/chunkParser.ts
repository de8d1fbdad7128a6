import { type LooseRecord, parseJson, recordOf } from '../base/loose.ts';

/** A template for chunks that differ in text alone: the JSON around the text, the parsed chunk and its `delta`. */
type Pattern = {
  readonly before: string;
  readonly after: string;
  readonly chunk: unknown;
  readonly delta: { content?: unknown };
};

/** Chunks to search for a pattern before giving up: a stream whose chunks differ in more than their text has none. */
const maxSearched = 16;

/**
 * Parses the chunks of one stream. Most chunks differ from the previous one in `delta.content` alone. Only the text of
 * those is parsed, which halves the time per stream.
 */
export class ChunkParser {
  #pattern: Pattern | undefined;
  #searched = 0;

  /** @returns the chunk; the next call may modify this object. Undefined when the text is not JSON. */
  parse(json: string): unknown {
    if (this.#pattern) {
      const { before, after, chunk, delta } = this.#pattern;
      const end = json.length - after.length;
      // Comparing slices is fast in V8; `startsWith` takes five times as long.
      if (end > before.length && json.slice(0, before.length) === before && json.slice(end) === after) {
        // The slice includes the quotes, so it parses only if it is a single string.
        const text = parseJson(json.slice(before.length, end));
        if (typeof text === 'string') {
          delta.content = text;
          return chunk;
        }
      }
    }
    const chunk = parseJson(json);
    const text = deltaOf(chunk).content;
    if (typeof text === 'string' && this.#searched < maxSearched) {
      this.#searched++;
      this.#pattern = patternOf(json, text);
    }
    return chunk;
  }
}

/** @returns undefined when the text occurs more than once or is escaped differently than `JSON.stringify` does it. */
function patternOf(json: string, text: string): Pattern | undefined {
  const literal = JSON.stringify(text);
  const [before = '', after, ...more] = json.split(literal);
  if (after === undefined || more.length > 0) {
    return undefined;
  }
  // Replace the text to verify that this position is the one `content` is read from.
  const other = `not ${text}`;
  const chunk = parseJson(before + JSON.stringify(other) + after);
  const delta = deltaOf(chunk);
  return delta.content === other ? { before, after, chunk, delta } : undefined;
}

function deltaOf(chunk: unknown): LooseRecord {
  const { choices } = recordOf(chunk);
  return recordOf(recordOf(Array.isArray(choices) ? choices[0] : undefined).delta);
}
