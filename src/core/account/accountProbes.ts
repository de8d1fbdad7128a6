import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifetime.ts';
import { parseJson } from '../base/loose.ts';
import type { Connection } from '../connections/connection.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import { boundedGet } from '../http/boundedGet.ts';
import { requestHeaders } from '../http/requestHeaders.ts';
import type { Transport } from '../http/transport.ts';
import { OwnKey } from '../secrets/ownKey.ts';
import type { AccountFacts } from './accountFacts.ts';
import { type Ask, askAccount } from './askAccount.ts';

const probeMs = 5_000;
const maxBytes = 256 * 1024;

export type AccountProbePorts = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly connectTimeoutMs: number;
  /** A keyed hash of a text: it names a key without telling it. */
  readonly fingerprint: (text: string) => Promise<string>;
};

/** What is remembered of one connection and key until the window closes. */
type Session = {
  facts: AccountFacts | undefined;
  running: { readonly result: Promise<void>; readonly abort: AbortController; waiting: number } | undefined;
  isDone: boolean;
  /** What a round that nobody waited for to its end found out for the next one. */
  readonly notOffered: Set<string>;
};

/**
 * The JSON of a good answer, or what kept it away: for `one` the endpoint failed and may be there another time; with
 * `all` the others would fare no better.
 */
type Got = { readonly body?: unknown; readonly trouble?: 'one' | 'all' };

/** Ends a round of questions. */
class NoUse extends Error {}

/**
 * What undocumented, unpaid endpoints tell of a key (wire section 5): its balance, its end, why it is rejected. Off
 * unless the connection says so, asked once a session, GET alone, to the connection's own origin alone. Whatever goes
 * wrong is nobody's trouble: there is no answer then.
 */
export class AccountProbes implements Disposable {
  readonly #ports: AccountProbePorts;
  readonly #sessions = new Map<string, Session>();
  #isDisposed = false;

  constructor(ports: AccountProbePorts) {
    this.#ports = ports;
  }

  /** Never rejects. Callers at the same time share one round of questions, which ends when none of them is left. */
  async read(
    connection: Pick<Connection, 'id' | 'url' | 'headers' | 'probes'>,
    key: string,
    signal: AbortSignal,
  ): Promise<AccountFacts | undefined> {
    if (!connection.probes || signal.aborted || this.#isDisposed) {
      return undefined;
    }
    let session: Session;
    try {
      session = this.#sessionOf(connection.id, await this.#ports.fingerprint(`${connection.url.base}\n${key}`));
    } catch {
      // Without a name for the key nothing can be remembered, and everything would be asked each time.
      return undefined;
    }
    if (signal.aborted || this.#isDisposed) {
      return undefined;
    }
    if (session.running === undefined && !session.isDone) {
      this.#start(session, connection, key);
    }
    await wait(session, signal);
    return signal.aborted ? undefined : session.facts;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const { running } of this.#sessions.values()) {
      running?.abort.abort();
    }
    this.#sessions.clear();
  }

  #sessionOf(id: string, fingerprint: string): Session {
    const name = `${id} ${fingerprint}`;
    const known = this.#sessions.get(name);
    const session = known ?? { facts: undefined, running: undefined, isDone: false, notOffered: new Set<string>() };
    this.#sessions.set(name, session);
    return session;
  }

  #start(session: Session, connection: Pick<Connection, 'url' | 'headers'>, key: string): void {
    const abort = new AbortController();
    const result = this.#round(session, connection, key, abort.signal)
      .catch(() => undefined)
      .then((facts) => {
        if (!abort.signal.aborted) {
          session.running = undefined;
          session.facts = facts;
          session.isDone = true;
        }
      });
    session.running = { result, abort, waiting: 0 };
  }

  async #round(
    { notOffered }: Session,
    { url, headers }: Pick<Connection, 'url' | 'headers'>,
    key: string,
    signal: AbortSignal,
  ): Promise<AccountFacts | undefined> {
    const ownKey = new OwnKey([key]);
    const ask: Ask = async (address, read, access) => {
      if (notOffered.has(address) || new URL(address).origin !== url.origin) {
        return undefined;
      }
      const all = requestHeaders(this.#ports.userAgent, headers, access === 'public' ? undefined : key);
      const { trouble, body } = await this.#get(address, all, ownKey, signal);
      if (trouble === 'all') {
        throw new NoUse();
      }
      const found = read(body);
      if (found === undefined && trouble === undefined) {
        notOffered.add(address);
      }
      return found;
    };
    return askAccount(ask, url.base, this.#ports.clock.now());
  }

  async #get(
    url: string,
    headers: Readonly<Record<string, string>>,
    ownKey: OwnKey,
    signal: AbortSignal,
  ): Promise<Got> {
    const limits = { totalMs: probeMs, maxBytes, connectTimeoutMs: this.#ports.connectTimeoutMs };
    try {
      const { status, text } = await boundedGet(this.#ports, url, headers, limits, signal);
      if (status === 429) {
        return { trouble: 'all' };
      }
      // A redirect is one more answer that is not what was asked for; it is not followed.
      return status >= 200 && status < 300
        ? { body: parseJson(ownKey.withoutInJson(text)) }
        : status >= 500
          ? { trouble: 'one' }
          : {};
    } catch (error) {
      const kind = error instanceof GatewayError ? error.problem.kind : undefined;
      return kind === 'tooLarge' ? {} : { trouble: 'all' };
    }
  }
}

/** Until the round is over or the person goes; the last one to go ends the round. */
async function wait(session: Session, signal: AbortSignal): Promise<void> {
  const { running } = session;
  if (running === undefined) {
    return;
  }
  running.waiting++;
  let leave = () => {};
  const stopped = new Promise<void>((resolve) => {
    leave = resolve;
  });
  signal.addEventListener('abort', leave, { once: true });
  await Promise.race([running.result, stopped]);
  signal.removeEventListener('abort', leave);
  running.waiting--;
  if (running.waiting === 0 && session.running === running) {
    session.running = undefined;
    running.abort.abort();
  }
}
