import type { Connection, Destination } from '../connections/connection.ts';
import { redact } from '../secrets/redact.ts';
import type { RecentError } from './recentErrors.ts';

/** A setting of the extension that has a value of its own. */
export type ChangedSetting = {
  readonly name: string;
  readonly scope: 'user' | 'workspace' | 'folder';
  /** As it is in the settings, of any type. */
  readonly value: unknown;
  /** The values that the setting can have, where the manifest lists them. Only such a text is shown. */
  readonly choices?: readonly unknown[];
};

export type Diagnostics = {
  /** Unix milliseconds. */
  readonly at: number;
  /** The versions and the platform, each with its label. */
  readonly system: readonly (readonly [label: string, text: string])[];
  /** The usable connections, the active one first. */
  readonly connections: readonly { readonly connection: Connection; readonly status: Destination['status'] }[];
  readonly settings: readonly ChangedSetting[];
  readonly errors: readonly RecentError[];
};

export type DiagnosticsOptions = {
  /** Whether the person chose to show the origins of gateways and consoles. */
  readonly withAddresses: boolean;
  /** Removes the known keys from a text. */
  readonly redact: (text: string) => string;
};

/** Gives a host a name for the report. */
type HostName = (address: string) => string;

const width = 24;
/** A home folder. Its name may contain blanks only if another folder follows. */
const homes =
  /(?:(?<![\w.\]])\/(?:home|Users)\/|\b[a-z]:[\\/]+Users[\\/]+)(?:[^\s\\/:"'“”]{1,255}(?: [^\s\\/:"'“”]{1,255}){0,20}(?=[\\/])|[^\s\\/:"'“”]{1,255})/gi;

/**
 * Formats facts about the extension as Markdown for its maintainers, in English. Shows addresses only on request, and
 * then only origins; never a key, the value of a header, a user name, a password, a query or a name that the person
 * gave. Values that may hold any of these are described instead.
 */
export function diagnosticsReport(
  facts: Diagnostics,
  { withAddresses, redact: withoutKeys }: DiagnosticsOptions,
): string {
  const hostName = hostNames(withAddresses);
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      'System',
      [line('Created', new Date(facts.at).toISOString()), ...facts.system.map(([label, text]) => line(label, text))],
    ],
    [
      'Connections',
      facts.connections.map(({ connection: { url }, status }, index) =>
        line(index === 0 ? '1 (active)' : `${index + 1}`, `${hostName(url.base)}, ${status}`),
      ),
    ],
    ['Changed settings', facts.settings.map(settingLine)],
    ['Recent errors', facts.errors.map((error) => errorLine(error, hostName))],
  ];
  const fence = '`'.repeat(3);
  const text = sections.flatMap(([title, lines]) => {
    const content = lines.length > 0 ? [`${fence}text`, ...lines, fence] : ['None.'];
    return ['', `## ${title}`, '', ...content];
  });
  return withoutKeys(['# Ask Model: diagnostics', ...text, ''].join('\n'));
}

function settingLine({ name, scope, value, choices }: ChangedSetting): string {
  return `${inert(name)} (${scope}): ${valueText(value, choices)}`;
}

/** Shows values that can't hold anything personal, and describes all others. */
function valueText(value: unknown, choices: readonly unknown[] = []): string {
  switch (typeof value) {
    case 'string':
      return choices.includes(value) ? inert(value) : `a text of ${value.length} characters`;
    case 'boolean':
    case 'number':
      return String(value);
    case 'object':
      return value === null ? 'null' : entries(Array.isArray(value) ? value.length : Object.keys(value).length);
    default:
      return typeof value;
  }
}

function errorLine({ at, where, kind, cause, name, ...rest }: RecentError, hostName: HostName): string {
  const { status, code, requestId, origin, place } = rest;
  const parts = [
    cause === undefined ? kind : `${kind} (${cause})`,
    name !== undefined && plainToken(name),
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${plainToken(code)}`,
    requestId !== undefined && `request ${plainToken(requestId)}`,
    origin !== undefined && hostName(origin),
    place !== undefined && `at ${place}`,
  ];
  return `${new Date(at).toISOString()} ${inert(where)}: ${parts.filter(Boolean).join(', ')}`;
}

/** A code or an id. Gateways may write anything there, so what has the shape of a sentence or an address isn't shown. */
function plainToken(text: string): string {
  return /^[\w=+-]{1,100}$/.test(text) ? inert(text) : '(not shown)';
}

/** Names hosts "host 1", "host 2" and so on in the order of their mention, or shows origins. */
function hostNames(withAddresses: boolean): HostName {
  const names = new Map<string, string>();
  return (address) => {
    if (!URL.canParse(address)) {
      return 'unknown host';
    }
    const { host, origin } = new URL(address);
    if (withAddresses) {
      return inert(origin);
    }
    const name = names.get(host) ?? `host ${names.size + 1}`;
    names.set(host, name);
    return name;
  };
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

function line(label: string, text: string): string {
  return `${label.padEnd(width)}${inert(text)}`;
}

/** Converts text to one line that can't end the fenced block, without secrets and personal names. */
export function inert(text: string): string {
  return redact(text)
    .replace(/(:\/\/)[^\s/@]*@/g, '$1[user]@')
    .replace(homes, '~')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/`{3,}/g, (run) => 'ʼ'.repeat(run.length))
    .trim();
}
