import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { numberText, sentences } from '../base/localization.ts';
import { isRecord, recordOf } from '../base/loose.ts';
import type { ClearRoute } from '../network/networkErrors.ts';
import { holdsKey } from '../secrets/redact.ts';
import { type BaseUrl, parseBaseUrl } from './baseUrl.ts';
import { type ConsoleSettings, readConsoleSettings } from './consoleSettings.ts';
import { readExtraHeaders } from './extraHeaders.ts';
import { type ConnectionDefaults, readDefaults, withChanges } from './questionDefaults.ts';

/** One gateway that a person connected to. Holds no secret: keys are found by `id` and `origin`. */
export type Connection = {
  readonly id: string;
  readonly name: string;
  readonly url: BaseUrl;
  /** A note by the person, for instance which group the key is in. */
  readonly note?: string;
  /** Extra headers sent with every request; headers that could hold a key are refused. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whether undocumented, free endpoints may be queried for the key's balance and validity, and for prices; undefined
   * until the person decides.
   */
  readonly probes?: boolean;
} & ConsoleSettings &
  ConnectionDefaults;

/** Where the next call goes, or why no call is possible. */
export type Destination =
  | { readonly status: 'disconnected' }
  | { readonly status: 'keyMissing'; readonly connection: Connection }
  /** There is a key, but it was entered for another origin and is not sent to this one. */
  | { readonly status: 'keyElsewhere'; readonly connection: Connection; readonly origin: string }
  /** Others could read the key on the route to this gateway, and the person has not accepted that. */
  | { readonly status: 'keyInClear'; readonly connection: Connection; readonly route: ClearRoute }
  /** The secret storage failed; `reason` is its own error message. */
  | { readonly status: 'keyUnreadable'; readonly connection: Connection; readonly reason: string }
  | { readonly status: 'ready'; readonly connection: Connection; readonly key: string };

/** Says why nothing can be sent. */
export function whyNotReady(destination: Exclude<Destination, { status: 'ready' }>): string {
  switch (destination.status) {
    case 'disconnected':
      return l10n.t("You aren't connected to a gateway.");
    case 'keyMissing':
      return l10n.t('No key is stored for {0}.', destination.connection.name);
    case 'keyElsewhere':
      return l10n.t("The key was entered for {0} and isn't sent to another address.", destination.origin);
    case 'keyInClear':
      return sentences(
        whoCouldRead(destination.route, destination.connection.url.host),
        l10n.t('Review the route in the Ask Model view.'),
      );
    case 'keyUnreadable':
      return l10n.t("VS Code's secret storage can't be read: {0}", destination.reason);
  }
}

/** Says who could read the key on a route. */
export function whoCouldRead({ proxy }: ClearRoute, host: string): string {
  return proxy
    ? l10n.t('The proxy {0} could read the key on its way to {1}.', proxy, host)
    : l10n.t('Others on the network could read the key on its way to {0}.', host);
}

const settingName = 'askModel.connections';

/** The longest texts, in UTF-16 units. The schema in package.json has the same limits. */
export const connectionLimits = { name: 80, note: 200 } as const;

/** Refuses names on `Object.prototype`: records keyed by id would find the inherited member. */
const isId = (id: string) => /^[\w-]{1,64}$/.test(id) && !(id in Object.prototype);

/** What an entry in the settings must have; the rest is read field by field. */
const connectionSetting = z.looseObject({
  id: z.string().check(z.refine(isId)),
  baseUrl: z.string(),
});
type ConnectionSetting = z.infer<typeof connectionSetting>;

/**
 * Reads the list of connections, which a person may have edited. Reports and skips an entry without a valid id and
 * address; reports and skips an invalid optional property of any other entry.
 *
 * @param value the setting's value, of any type.
 * @returns `problems` as sentences that repeat no value.
 */
export function readConnections(value: unknown): { connections: Connection[]; problems: string[] } {
  const connections: Connection[] = [];
  const problems: string[] = [];
  if (value !== undefined && !Array.isArray(value)) {
    return { connections, problems: [l10n.t('{0} must be a list.', settingName)] };
  }
  const ids = new Set<string>();
  for (const [index, item] of (value ?? []).entries()) {
    const report = (problem: string) =>
      problems.push(l10n.t('Entry {0} of {1}: {2}', numberText(index + 1), settingName, problem));
    const parsed = z.safeParse(connectionSetting, item);
    if (!parsed.success) {
      const property = parsed.error.issues[0]?.path.join('.');
      report(
        property
          ? l10n.t('{0} is missing or invalid.', property)
          : l10n.t("The entry isn't an object with properties."),
      );
      continue;
    }
    const url = parseBaseUrl(parsed.data.baseUrl);
    if (!url.ok) {
      report(url.reason);
    } else if (ids.has(parsed.data.id)) {
      report(l10n.t('Another entry has the same id.'));
    } else {
      ids.add(parsed.data.id);
      connections.push(connectionOf(parsed.data, url.value, report));
    }
  }
  return { connections, problems };
}

function connectionOf(entry: ConnectionSetting, url: BaseUrl, report: (problem: string) => void): Connection {
  const name = readLine('name', entry.name, connectionLimits.name, report);
  const note = readLine('note', entry.note, connectionLimits.note, report);
  const { headers, problems } = readExtraHeaders(entry.headers);
  problems.forEach(report);
  return {
    id: entry.id,
    name: name ?? url.host,
    url,
    ...(note && { note }),
    ...readConsoleSettings(entry, url, report),
    headers,
    probes: typeof entry.probes === 'boolean' ? entry.probes : undefined,
    ...readDefaults(entry, report),
  };
}

/** Reads one line of text. A value of another type is left out: VS Code underlines it by the schema. */
function readLine(
  property: string,
  value: unknown,
  maxLength: number,
  report: (problem: string) => void,
): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  if (holdsKey(value)) {
    report(l10n.t('{0} looks like a key. Keys belong in secret storage, because settings are plain text.', property));
    return undefined;
  }
  return value.replace(/\s+/g, ' ').trim().slice(0, maxLength) || undefined;
}

/**
 * The list with one entry changed; everything else, including unknown properties and invalid entries, stays as it is.
 *
 * @param change the properties to set; undefined removes one.
 */
export function withEntry(
  entries: readonly unknown[],
  id: string,
  change: Readonly<Record<string, unknown>>,
): unknown[] {
  const at = indexOfEntry(entries, id);
  return entries.map((entry, index) =>
    index === at && isRecord(entry) ? (withChanges(entry, change) ?? entry) : entry,
  );
}

/** The list with an entry moved to its start, which makes it the active connection. */
export function withEntryFirst(entries: readonly unknown[], id: string): unknown[] {
  return [...entries.filter((entry) => recordOf(entry).id === id), ...withoutEntry(entries, id)];
}

/**
 * The list with the system prompt or the parameters of a connection, or of one of its models, changed; all others stay as
 * they are written.
 *
 * @param model exact id of the model; undefined for the connection itself.
 * @param change gets the value as it is written, of any type, and returns undefined to remove it.
 */
export function withSetting(
  entries: readonly unknown[],
  id: string,
  model: string | undefined,
  property: 'systemPrompt' | 'parameters',
  change: (written: unknown) => unknown,
): unknown[] {
  const entry = recordOf(entries[indexOfEntry(entries, id)]);
  if (model === undefined) {
    return withEntry(entries, id, { [property]: change(entry[property]) });
  }
  const name = property === 'parameters' ? 'modelParameters' : 'modelSystemPrompts';
  const written = recordOf(entry[name]);
  return withEntry(entries, id, { [name]: withChanges(written, { [model]: change(written[model]) }) });
}

/** The list without the entries that have this id. */
export function withoutEntry(entries: readonly unknown[], id: string): unknown[] {
  return entries.filter((entry) => recordOf(entry).id !== id);
}

function indexOfEntry(entries: readonly unknown[], id: string): number {
  return entries.findIndex((entry) => recordOf(entry).id === id);
}
