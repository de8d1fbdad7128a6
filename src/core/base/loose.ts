/**
 * Readers for values from the wire that may be anything. Used where a schema per item would cost more than the item:
 * a stream can bring tens of thousands of chunks a second.
 */

export type LooseRecord = { readonly [name: string]: unknown };

export function isRecord(value: unknown): value is LooseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record itself, or one without anything in it. */
export function recordOf(value: unknown): LooseRecord {
  return isRecord(value) ? value : {};
}

/** A string that says something, or a number as text; else undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : value;
  }
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** A finite number of at least 0, also when it came as text; else undefined. */
export function amountOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** JSON of a value that came as JSON; undefined when it is nested too deep to be written again. */
export function jsonText(value: LooseRecord): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** JSON after a byte order mark and blanks; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
