import { jsonrepair } from 'jsonrepair';

/**
 * Readers for untyped values from the wire. Used where validating each item against a schema would cost too much: a
 * stream can bring tens of thousands of chunks a second.
 */

/** What a person typed, as it was read; or why it can't be used, in words that repeat nothing of it. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

export type LooseRecord = { readonly [name: string]: unknown };

export function isRecord(value: unknown): value is LooseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a record, otherwise an empty record. */
export function recordOf(value: unknown): LooseRecord {
  return isRecord(value) ? value : {};
}

/** The fields of a record by their names in lower case without separators. */
export function fieldsOf(record: LooseRecord): Map<string, unknown> {
  return new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase().replace(/[-_]/g, ''), value]));
}

/** A string that isn't blank, or a finite number as text; otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : value;
  }
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** A finite number of at least 0, given as a number or as text; otherwise undefined. */
export function amountOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** An ISO 8601 date or Unix seconds as Unix milliseconds; undefined for anything else, and for 0 and -1, which mean never. */
export function unixTimeOf(value: unknown): number | undefined {
  const date = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  const time = typeof value === 'number' ? value * 1_000 : date;
  return time > 0 && time < 1e14 ? time : undefined;
}

/** The texts in a stored list. */
export function textsIn(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
}

/** The message of an error; anything else that was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error, such as `ENOENT`; empty without one. */
export function errorCode(error: unknown): string {
  return textOf(recordOf(error).code) ?? '';
}

/** Decodes a part of an address; as it is if it has escapes that can't be decoded. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The JSON of a value that was parsed from JSON; undefined when it is nested too deeply to be serialized. */
export function jsonText(value: LooseRecord): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The JSON of what is sent: many vendors reject a request with half of a character, where a text was cut. */
export function jsonToSend(value: object): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'string' ? each.toWellFormed() : each));
}

/** Parses JSON, with or without a byte order mark; undefined when the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON that is complete but not strict: `NaN` and `Infinity`, which are read as null, raw control characters,
 * commas too many, and the like. Undefined when it can't be read without guessing. The caller makes sure that its
 * end is there, because a missing one would be added too.
 */
export function parseLooseJson(text: string): unknown {
  const strict = text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[-+]?\b(?:NaN|Infinity)\b/g, (each) =>
    each.startsWith('"')
      ? each.replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\|\p{Cc}/gu, (unit) => (unit.length > 1 ? unit : escaped(unit)))
      : 'null',
  );
  try {
    const repaired = jsonrepair(strict);
    return contentOf(repaired) === contentOf(strict) ? JSON.parse(repaired) : undefined;
  } catch {
    return undefined;
  }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What a repair must not change: all but quotes, escapes, commas, white space, and what Python writes for null. */
function contentOf(json: string): string {
  return json
    .replace(/["'\\,\s]/g, '')
    .toLowerCase()
    .replaceAll('none', 'null');
}
