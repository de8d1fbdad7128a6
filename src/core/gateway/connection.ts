import * as z from 'zod/mini';
import { type BaseUrl, parseBaseUrl } from './baseUrl.ts';

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
  /** The secret store does not answer; the reason is its own. */
  | { readonly status: 'keyUnreadable'; readonly connection: Connection; readonly reason: string }
  | { readonly status: 'ready'; readonly connection: Connection; readonly key: string };

/** As it stands in the person's settings. */
const connectionSetting = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  name: z.optional(z.string()),
  baseUrl: z.string(),
});

/**
 * Reads the list a person may have edited by hand. A bad entry is named and left out, the others stay.
 *
 * @param value the setting's value, of any type.
 */
export function readConnections(value: unknown): { connections: Connection[]; problems: string[] } {
  const connections: Connection[] = [];
  const problems: string[] = [];
  if (value !== undefined && !Array.isArray(value)) {
    return { connections, problems: ['askModel.connections is not a list.'] };
  }
  for (const [index, item] of (value ?? []).entries()) {
    const parsed = z.safeParse(connectionSetting, item);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.join('.') || 'entry';
      problems.push(`Entry ${index + 1} of askModel.connections: ${where} is missing or of the wrong type.`);
      continue;
    }
    const { id, name, baseUrl } = parsed.data;
    const url = parseBaseUrl(baseUrl);
    if (!url.ok) {
      problems.push(`Entry ${index + 1} of askModel.connections: ${url.reason}`);
    } else if (connections.some((each) => each.id === id)) {
      problems.push(`Entry ${index + 1} of askModel.connections: its id is used twice.`);
    } else {
      connections.push({
        id,
        name: name?.trim() || new URL(url.value.base).host,
        url: url.value,
        headers: {},
        probes: false,
      });
    }
  }
  return { connections, problems };
}

/** The key as it is kept in the secret store: never without the origin it was given for. */
const storedKey = z.object({ origin: z.string(), key: z.string() });

export function writeStoredKey(origin: string, key: string): string {
  return JSON.stringify({ origin, key });
}

/** @returns the key, only when it was given for this origin. */
export function readStoredKey(
  stored: string | undefined,
  origin: string,
): { status: 'found'; key: string } | { status: 'missing' } | { status: 'otherOrigin'; origin: string } {
  if (stored === undefined) {
    return { status: 'missing' };
  }
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return { status: 'missing' };
  }
  const parsed = z.safeParse(storedKey, value);
  if (!parsed.success) {
    return { status: 'missing' };
  }
  return parsed.data.origin === origin
    ? { status: 'found', key: parsed.data.key }
    : { status: 'otherOrigin', origin: parsed.data.origin };
}
