import { isRecord, type LooseRecord, parseJson } from '../base/loose.ts';

/** Where the delta of a chunk carries its text. */
const textFields = ['content', 'reasoning_content', 'reasoning'];
/** Beside them, OpenAI pads every chunk to hide the length of its text. */
const padding = 'obfuscation';
/** Chunks learned in vain before a stream is taken to be one whose chunks differ in more than these. */
const maxVain = 8;
/** UTF-16 units of an event worth learning; to learn costs as much as to parse it once more. */
const maxLearned = 4_096;

/** One string that changes from chunk to chunk, in the value that was parsed. */
type Place = {
  /** The JSON in front of it, from the place before on, its opening quote included. */
  readonly before: string;
  readonly owner: { [name: string]: unknown };
  readonly field: string;
};

type Learned = { readonly value: unknown; readonly places: readonly Place[]; readonly after: string };

/**
 * Parses the events of one stream. Nearly all of them are alike but for a few words, so once one has been parsed, the
 * next that differs inside of its text alone needs no JSON parser, which is most of what a stream costs.
 */
export class ChunkParser {
  #learned: Learned | undefined;
  #vain = 0;

  /** @returns what `parseJson` does. It may be the value of the call before, with another text: keep nothing of it. */
  parse(data: string): unknown {
    if (this.#learned !== undefined && fill(this.#learned, data)) {
      this.#vain = 0;
      return this.#learned.value;
    }
    const value = parseJson(data);
    if (this.#vain < maxVain && data.length <= maxLearned && placesIn(value).length > 0) {
      this.#vain++;
      this.#learned = this.#vain < maxVain ? learn(data, value) : undefined;
    }
    return value;
  }
}

/** Puts the texts of an event into the learned value. @returns false when the event is another one. */
function fill({ places, after }: Learned, data: string): boolean {
  let at = 0;
  for (const { before, owner, field } of places) {
    // Cut and compared: V8 compares whole strings at once, but goes through a long `startsWith` unit by unit.
    const start = at + before.length;
    if (data.slice(at, start) !== before) {
      return false;
    }
    const end = endOfString(data, start);
    const isPlain = end > 0;
    at = Math.abs(end);
    const text = isPlain ? data.slice(start, at) : parseJson(data.slice(start - 1, at + 1));
    if (typeof text !== 'string') {
      return false;
    }
    owner[field] = text;
  }
  return data.slice(at) === after;
}

/** @returns where the quote stands that ends a JSON string; negative when there are escapes in it, or what is none. */
function endOfString(data: string, start: number): number {
  let isPlain = true;
  let at = start;
  for (; at < data.length; at++) {
    const unit = data.charCodeAt(at);
    if (unit === 0x22) {
      break;
    }
    if (unit === 0x5c) {
      at++;
    }
    isPlain &&= unit >= 0x20 && unit !== 0x5c;
  }
  return isPlain ? at : -at;
}

function learn(data: string, value: unknown): Learned | undefined {
  const found = placesIn(value)
    .map(({ owner, field }) => ({ owner, field, text: String(owner[field]), start: startOfString(data, field) }))
    .sort((a, b) => a.start - b.start);
  const places: Place[] = [];
  let changed = '';
  let at = 0;
  for (const { owner, field, start } of found) {
    const before = data.slice(at, start);
    if (!before.endsWith('"')) {
      return undefined;
    }
    at = Math.abs(endOfString(data, start));
    places.push({ before, owner, field });
    changed += before + data.slice(start, at) + '.'.repeat(places.length);
  }
  const after = data.slice(at);
  // A name may stand elsewhere too. Where other texts in these places are the texts that are read, they are the places.
  const read = placesIn(parseJson(changed + after));
  const isRight = found.every(({ field, text }, index) =>
    read.some((place) => place.field === field && place.owner[field] === text + '.'.repeat(index + 1)),
  );
  return isRight ? { value, places, after } : undefined;
}

/** Behind the quote that opens the string of the first field with this name. */
function startOfString(data: string, field: string): number {
  let at = data.indexOf(`"${field}"`) + field.length + 2;
  while (data.charCodeAt(at) === 0x3a || data.charCodeAt(at) === 0x20) {
    at++;
  }
  return at + 1;
}

/** The strings of a parsed chunk that change, if there is text among them. */
function placesIn(value: unknown): { owner: { [name: string]: unknown }; field: string }[] {
  const choice: unknown = isRecord(value) && Array.isArray(value.choices) ? value.choices[0] : undefined;
  if (!isRecord(value) || !isRecord(choice) || !isRecord(choice.delta)) {
    return [];
  }
  const delta = choice.delta;
  const places = textFields.filter((field) => hasText(delta, field)).map((field) => ({ owner: delta, field }));
  return places.length > 0 && hasText(value, padding) ? [...places, { owner: value, field: padding }] : places;
}

function hasText(record: LooseRecord, field: string): boolean {
  return typeof record[field] === 'string' && record[field] !== '';
}
