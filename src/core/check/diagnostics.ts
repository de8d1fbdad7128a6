import type { Clock } from '../base/clock.ts';
import { errorCode } from '../base/loose.ts';
import type { Connection, Destination } from '../connections/connection.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';
import { redact } from '../secrets/redact.ts';

/** A setting of the extension that has a value of its own. */
export type ChangedSetting = {
  readonly name: string;
  readonly scope: 'user' | 'workspace' | 'folder';
  /** As it is in the settings, of any type. */
  readonly value: unknown;
  /** The values that the setting can have, where the manifest lists them. Only such a text is shown. */
  readonly choices?: readonly unknown[];
};

/** What a report says about an error: no message, because a message may quote anything, such as a question. */
export type RecentError = {
  /** Unix milliseconds. */
  readonly at: number;
  /** What failed, and the facts about it. */
  readonly text: string;
  /** The origin of the gateway. */
  readonly origin?: string;
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

const maxErrors = 5;
/** UTF-16 units of a stack that are read. */
const maxStack = 8_192;
/** A line of a stack that names a file of the built extension. */
const ownFrame = /^ {4}at [^\n]{0,400}[\\/]dist[\\/]([\w-]{1,60}\.c?js:\d{1,7}:\d{1,7})\)?$/m;

/** The last errors of this window, for *Copy Diagnostics*. They are only in memory, and gone when the window closes. */
export class RecentErrors {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #all: RecentError[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The oldest first; at most 5. */
  get all(): readonly RecentError[] {
    return this.#all;
  }

  problem(where: string, origin: string, problem: GatewayProblem): void {
    const { kind, status, code, requestId } = problem;
    const cause = 'cause' in problem ? problem.cause : 'timer' in problem ? problem.timer : undefined;
    this.#add(
      origin,
      `${where}: ${cause === undefined ? kind : `${kind} (${cause})`}`,
      status !== undefined && `status ${status}`,
      code && `code ${plainToken(code)}`,
      requestId && `request ${plainToken(requestId)}`,
    );
  }

  /** An unexpected error, with its place in the extension. */
  defect(where: string, error: unknown): void {
    const { name, stack = '' } = error instanceof Error ? error : { name: typeof error, stack: undefined };
    const code = errorCode(error);
    const place = ownFrame.exec(stack.slice(0, maxStack))?.[1];
    const shownCode = code && `code ${plainToken(code)}`;
    this.#add(undefined, `${where}: defect`, plainToken(name), shownCode, place && `at ${place}`);
  }

  #add(origin: string | undefined, ...parts: readonly (string | false | undefined)[]): void {
    this.#all.push({ at: this.#clock.now(), text: parts.filter(Boolean).join(', '), origin });
    this.#all.splice(0, this.#all.length - maxErrors);
  }
}

/**
 * Formats facts about the extension as Markdown for its maintainers, in English. Shows addresses only on request, and
 * then only origins; never a key, the value of a header, a user name, a password, a query or a name that the person
 * gave. Values that may hold any of these are described instead.
 *
 * @param withoutKeys removes the known keys from a text.
 */
export function diagnosticsReport(
  facts: Diagnostics,
  withAddresses: boolean,
  withoutKeys: (text: string) => string,
): string {
  const line = (label: string, text: string) => `${label.padEnd(24)}${text}`;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      'System',
      [line('Created', new Date(facts.at).toISOString()), ...facts.system.map(([label, text]) => line(label, text))],
    ],
    [
      'Connections',
      facts.connections.map(({ connection: { url }, status }, index) =>
        line(index === 0 ? '1 (active)' : `${index + 1}`, withAddresses ? `${url.origin}, ${status}` : status),
      ),
    ],
    [
      'Changed settings',
      facts.settings.map(({ name, scope, value, choices }) => `${name} (${scope}): ${valueText(value, choices)}`),
    ],
    [
      'Recent errors',
      facts.errors.map(({ at, text, origin }) => {
        const known = withAddresses && URL.parse(origin ?? '')?.origin;
        return `${new Date(at).toISOString()} ${text}${known ? `, ${known}` : ''}`;
      }),
    ],
  ];
  const fence = '`'.repeat(3);
  const text = sections.flatMap(([title, lines]) => {
    const content = lines.length > 0 ? [`${fence}text`, ...lines.map(inert), fence] : ['None.'];
    return ['', `## ${title}`, '', ...content];
  });
  return withoutKeys(['# Ask Model: diagnostics', ...text, ''].join('\n'));
}

/** Shows values that can't hold anything personal, and describes all others. */
function valueText(value: unknown, choices: readonly unknown[] = []): string {
  if (typeof value === 'string') {
    return choices.includes(value) ? value : `a text of ${value.length} characters`;
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const { length } = Object.keys(value);
  return length === 1 ? '1 entry' : `${length} entries`;
}

/** A code or an id. Gateways may write anything there, so what has the shape of a sentence or an address isn't shown. */
function plainToken(text: string): string {
  return /^[\w=+-]{1,100}$/.test(text) ? text : '(not shown)';
}

/** Converts text to one line that can't end a fenced block, without secrets and user names of addresses. */
export function inert(text: string): string {
  const line = redact(text)
    .replace(/(:\/\/)[^\s/@]*@/g, '$1[user]@')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/`{3,}/g, (run) => 'ʼ'.repeat(run.length));
  return line.trim();
}
