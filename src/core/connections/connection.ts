import * as z from 'zod/mini';
import { isRecord, parseJson } from '../base/loose.ts';
import type { ClearRoute } from '../network/clearRoute.ts';
import { holdsKey } from '../secrets/redact.ts';
import { type BaseUrl, parseBaseUrl } from './baseUrl.ts';
import { readConsoleUrl } from './consoleUrl.ts';
import { readExtraHeaders } from './extraHeaders.ts';

/** One gateway a person connected to. It holds no secret; keys are found by `id` and `origin`. */
export type Connection = {
  readonly id: string;
  readonly name: string;
  readonly url: BaseUrl;
  /** The person's own words, for instance which group the key is in. */
  readonly note?: string;
  /** Where the gateway's web pages are, opened in a browser. */
  readonly consoleUrl?: string;
  /** Sent with every request besides the key; none of them can hold one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether undocumented, unpaid endpoints may be asked for balance and validity. */
  readonly probes: boolean;
};

/** Where the next call goes, or why there is nowhere to go. */
export type Destination =
  | { readonly status: 'disconnected' }
  | { readonly status: 'keyMissing'; readonly connection: Connection }
  /** There is a key, but it was given for another origin and is not sent to this one. */
  | { readonly status: 'keyElsewhere'; readonly connection: Connection; readonly origin: string }
  /** Others could read the key on the route to this gateway, and the person has not accepted that. */
  | { readonly status: 'keyInClear'; readonly connection: Connection; readonly route: ClearRoute }
  /** The secret store does not answer; the reason is its own. */
  | { readonly status: 'keyUnreadable'; readonly connection: Connection; readonly reason: string }
  | { readonly status: 'ready'; readonly connection: Connection; readonly key: string };

/** How much is read of the setting; lengths in UTF-16 units. The manifest's schema says the same. */
export const connectionLimits = { count: 200, id: 64, name: 80, note: 200, problems: 20 } as const;

const idPattern = /^[\w-]{1,64}$/;

/** What an entry must have, as it stands in the person's settings; the rest is read field by field. */
const connectionSetting = z.looseObject({
  id: z.string().check(z.regex(idPattern)),
  baseUrl: z.string(),
});
type ConnectionSetting = z.infer<typeof connectionSetting>;

/**
 * Reads the list a person may have edited by hand. An entry without a good id and address is named and left out, the
 * others stay; of an entry that stays, a bad optional part is named and left out.
 *
 * @param value the setting's value, of any type.
 * @returns `problems` in sentences that repeat no value; of very many, the first ones and how many more there are.
 */
export function readConnections(value: unknown): { connections: Connection[]; problems: string[] } {
  const connections: Connection[] = [];
  const problems: string[] = [];
  if (value !== undefined && !Array.isArray(value)) {
    return { connections, problems: ['askModel.connections is not a list.'] };
  }
  const ids = new Set<string>();
  for (const [index, item] of (value ?? []).entries()) {
    const tell = (problem: string) => problems.push(`Entry ${index + 1} of askModel.connections: ${problem}`);
    if (connections.length === connectionLimits.count) {
      tell(`only ${connectionLimits.count} connections are read, so this and what follows is left out.`);
      break;
    }
    const parsed = z.safeParse(connectionSetting, item);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.join('.') || 'entry';
      tell(`${where} is missing or of the wrong type.`);
      continue;
    }
    const url = parseBaseUrl(parsed.data.baseUrl);
    if (!url.ok) {
      tell(url.reason);
    } else if (parsed.data.id in Object.prototype) {
      // Whoever keeps something by id in an object would find what every object has.
      tell('its id is a name that JavaScript keeps for itself.');
    } else if (ids.has(parsed.data.id)) {
      tell('its id is used twice.');
    } else {
      ids.add(parsed.data.id);
      connections.push(connectionOf(parsed.data, url.value, tell));
    }
  }
  const { problems: most } = connectionLimits;
  return {
    connections,
    problems:
      problems.length > most ? [...problems.slice(0, most), `There are ${problems.length - most} more.`] : problems,
  };
}

function connectionOf(entry: ConnectionSetting, url: BaseUrl, tell: (problem: string) => void): Connection {
  const name = readLine('name', entry.name, connectionLimits.name, tell);
  const note = readLine('note', entry.note, connectionLimits.note, tell);
  const consoleUrl = readConsole(entry.consoleUrl, tell);
  const { headers, problems } = readExtraHeaders(entry.headers);
  problems.forEach(tell);
  if (entry.probes !== undefined && typeof entry.probes !== 'boolean') {
    tell('its probes is neither true nor false.');
  }
  return {
    id: entry.id,
    name: name ?? new URL(url.base).host,
    url,
    ...(note && { note }),
    ...(consoleUrl && { consoleUrl }),
    headers,
    probes: entry.probes === true,
  };
}

/** One line of a person's words, without what would break a row of a list or turn its direction around. */
function readLine(
  what: string,
  value: unknown,
  maxLength: number,
  tell: (problem: string) => void,
): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== 'string') {
    tell(`its ${what} is no text.`);
    return undefined;
  }
  if (holdsKey(value)) {
    tell(`its ${what} looks like a key; a key belongs in secret storage, because settings are plain text.`);
    return undefined;
  }
  const line = value
    .slice(0, 16 * maxLength)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    // Joiners are part of emoji and of several scripts; everything else that nobody sees goes.
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .trim();
  // A cut may leave half of a character.
  return (
    line
      .slice(0, maxLength)
      .replace(/\p{Cs}/gu, '')
      .trim() || undefined
  );
}

function readConsole(value: unknown, tell: (problem: string) => void): string | undefined {
  if (value === undefined || value === '') {
    return undefined;
  }
  const read = typeof value === 'string' ? readConsoleUrl(value) : undefined;
  if (read?.ok) {
    return read.value;
  }
  tell(`its consoleUrl is left out. ${read?.reason ?? 'It is no text.'}`);
  return undefined;
}

/**
 * The list with one entry changed; all else in it, unknown properties and bad entries included, stays as it is. Of
 * several entries with this id it is the one that `readConnections` takes.
 *
 * @param change the properties to set; undefined takes one away.
 */
export function withEntry(
  entries: readonly unknown[],
  id: string,
  change: Readonly<Record<string, unknown>>,
): unknown[] {
  const at = indexOfEntry(entries, id);
  return entries.map((entry, index) => (index === at && isRecord(entry) ? changed(entry, change) : entry));
}

/** The list with an entry at its head, where the connection in use stands. */
export function withEntryFirst(entries: readonly unknown[], id: string): unknown[] {
  const at = indexOfEntry(entries, id);
  return at < 0 ? [...entries] : [entries[at], ...entries.slice(0, at), ...entries.slice(at + 1)];
}

/**
 * The list with one extra header set, renamed or taken away. Names are compared as HTTP does, without case; all other
 * headers stay as they are written, those that are not taken too.
 */
export function withHeader(
  entries: readonly unknown[],
  id: string,
  edited: string | undefined,
  header?: { readonly name: string; readonly value: string },
): unknown[] {
  const entry = entries[indexOfEntry(entries, id)];
  const written = isRecord(entry) && isRecord(entry.headers) ? Object.entries(entry.headers) : [];
  const gone = new Set([edited, header?.name].map((name) => name?.toLowerCase()));
  const at = written.findIndex(([name]) => name.toLowerCase() === edited?.toLowerCase());
  const added = header ? [[header.name, header.value] as const] : [];
  const rest = (some: typeof written) => some.filter(([name]) => !gone.has(name.toLowerCase()));
  const [before, after] = at < 0 ? [written, []] : [written.slice(0, at), written.slice(at + 1)];
  // In the place of the one that was edited.
  const headers = [...rest(before), ...added, ...rest(after)];
  return withEntry(entries, id, { headers: headers.length > 0 ? Object.fromEntries(headers) : undefined });
}

/** The list without any entry of this id. */
export function withoutEntry(entries: readonly unknown[], id: string): unknown[] {
  return entries.filter((entry) => idOf(entry) !== id);
}

function indexOfEntry(entries: readonly unknown[], id: string): number {
  const isOf = (entry: unknown) => idOf(entry) === id;
  const isGood = (entry: unknown) => isOf(entry) && readConnections([entry]).connections.length === 1;
  const good = entries.findIndex(isGood);
  return good < 0 ? entries.findIndex(isOf) : good;
}

function idOf(entry: unknown): unknown {
  return isRecord(entry) ? entry.id : undefined;
}

function changed(entry: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>): unknown {
  // Entries and not assignment: a property may have any name, `__proto__` too.
  const kept = Object.entries(entry).filter(([name]) => !Object.hasOwn(change, name));
  const set = Object.entries(change).filter(([, value]) => value !== undefined);
  const order = [...Object.keys(entry), ...Object.keys(change)];
  const sorted = [...kept, ...set].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return Object.fromEntries(sorted);
}

/** The key as it is kept in the secret store: never without the origin it was given for. */
const storedKey = z.object({ origin: z.string(), key: z.string() });

export type StoredKey = z.infer<typeof storedKey>;

export function writeStoredKey(origin: string, key: string): string {
  return JSON.stringify({ origin, key } satisfies StoredKey);
}

/** @returns the key with its origin, whatever that is; undefined when it is none that can be read. */
export function parseStoredKey(stored: string | undefined): StoredKey | undefined {
  return stored === undefined ? undefined : z.safeParse(storedKey, parseJson(stored)).data;
}

/** @returns the key, only when it was given for this origin. */
export function readStoredKey(
  stored: string | undefined,
  origin: string,
): { status: 'found'; key: string } | { status: 'missing' } | { status: 'otherOrigin'; origin: string } {
  const kept = parseStoredKey(stored);
  if (kept === undefined) {
    return { status: 'missing' };
  }
  return kept.origin === origin ? { status: 'found', key: kept.key } : { status: 'otherOrigin', origin: kept.origin };
}
