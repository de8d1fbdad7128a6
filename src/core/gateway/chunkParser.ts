import { isRecord, parseJson } from './loose.ts';

/** Where a chunk carries its text. */
const fields = ['content', 'reasoning_content', 'reasoning'];
/** Chunks learned in vain before a stream is taken to be one whose chunks differ in more than their text. */
const maxVain = 8;
/** UTF-16 units of an event worth learning; to learn costs as much as to parse it once more. */
const maxLearned = 4_096;

type Loose = { [name: string]: unknown };

/** An event that was parsed: its JSON up to the text and from there on, its value, and where in that the text is. */
type Learned = {
  readonly before: string;
  readonly after: string;
  readonly value: unknown;
  readonly delta: Loose;
  readonly field: string;
};

/**
 * Parses the events of one stream. Nearly all of them are alike but for a few words, so once one has been parsed, the
 * next that differs inside of its text alone needs no JSON parser, which is most of what a stream costs.
 */
export class ChunkParser {
  #learned: Learned | undefined;
  #vain = 0;

  /** @returns what `parseJson` does. It may be the value of the call before, with another text: keep nothing of it. */
  parse(data: string): unknown {
    const learned = this.#learned;
    if (learned !== undefined) {
      const text = textBetween(data, learned.before, learned.after);
      if (text !== undefined) {
        this.#vain = 0;
        learned.delta[learned.field] = text;
        return learned.value;
      }
    }
    const value = parseJson(data);
    if (this.#vain < maxVain && data.length <= maxLearned) {
      this.#learn(data, value);
    }
    return value;
  }

  #learn(data: string, value: unknown): void {
    const delta = deltaOf(value);
    const field = delta && fields.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
    if (delta === undefined || field === undefined) {
      return;
    }
    this.#vain++;
    const text = String(delta[field]);
    let start = data.indexOf(`"${field}"`) + field.length + 2;
    while (data.charCodeAt(start) === 0x3a || data.charCodeAt(start) === 0x20) {
      start++;
    }
    const before = data.slice(0, start + 1);
    const after = data.slice(start + 1 + text.length);
    // The name may stand elsewhere too. Where another text in this place is the text that is read, it is the place.
    const changed = `${text}.`;
    const isPlace =
      before.endsWith('"') &&
      after.startsWith('"') &&
      deltaOf(parseJson(before + changed + after))?.[field] === changed;
    this.#learned = isPlace && this.#vain < maxVain ? { before, after, value, delta, field } : undefined;
  }
}

/** @returns the text whose JSON, without its quotes, stands between the two; undefined when something else does. */
function textBetween(data: string, before: string, after: string): string | undefined {
  const end = data.length - after.length;
  // Cut and compared: V8 compares whole strings at once, but goes through a long `startsWith` unit by unit.
  if (end < before.length || data.slice(end) !== after || data.slice(0, before.length) !== before) {
    return undefined;
  }
  for (let at = before.length; at < end; at++) {
    const unit = data.charCodeAt(at);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c) {
      // An escape, to be read with the quotes around it; or no text, and then this is no JSON.
      const text = parseJson(data.slice(before.length - 1, end + 1));
      return typeof text === 'string' ? text : undefined;
    }
  }
  return data.slice(before.length, end);
}

/** The delta of the first choice. */
function deltaOf(value: unknown): Loose | undefined {
  const choice: unknown = isRecord(value) && Array.isArray(value.choices) ? value.choices[0] : undefined;
  return isRecord(choice) && isRecord(choice.delta) ? choice.delta : undefined;
}
