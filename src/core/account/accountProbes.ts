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
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
};

/**
 * Reads what undocumented, free endpoints report about a key (wire section 5): balance, expiry and why it is rejected.
 * Off unless the connection turns it on. Runs once per session and key, until `forget` is called; sends GETs only, to the connection's own origin
 * only. On any failure the result is undefined.
 */
export class AccountProbes implements Disposable {
  readonly #ports: AccountProbePorts;
  /** The queries of this session, by connection and key. */
  readonly #rounds = new Map<string, Promise<AccountFacts | undefined>>();
  readonly #closed = new AbortController();

  constructor(ports: AccountProbePorts) {
    this.#ports = ports;
  }

  /** Never rejects. Callers share one round of queries, which continues when one of them aborts. */
  async read(
    connection: Pick<Connection, 'id' | 'url' | 'headers' | 'probes'>,
    key: string,
    signal: AbortSignal,
  ): Promise<AccountFacts | undefined> {
    if (!connection.probes || signal.aborted) {
      return undefined;
    }
    try {
      const name = `${connection.id} ${await this.#ports.fingerprint(`${connection.url.base}\n${key}`)}`;
      const round = this.#rounds.get(name) ?? this.#ask(connection, key);
      this.#rounds.set(name, round);
      const facts = await round;
      return signal.aborted ? undefined : facts;
    } catch {
      return undefined;
    }
  }

  /** Lets the next `read` of a connection ask again. A round that is still running continues for its callers. */
  forget(id: string): void {
    for (const name of this.#rounds.keys()) {
      if (name.startsWith(`${id} `)) {
        this.#rounds.delete(name);
      }
    }
  }

  dispose(): void {
    this.#closed.abort();
  }

  /** @throws an error that ends the round: the gateway limits the rate, or can't be reached. */
  async #ask({ url, headers }: Pick<Connection, 'url' | 'headers'>, key: string): Promise<AccountFacts | undefined> {
    const { userAgent, connectTimeoutMs, clock } = this.#ports;
    const ownKey = new OwnKey([key]);
    const limits = { totalMs: probeMs, maxBytes, connectTimeoutMs };
    const ask: Ask = async (address, read, access) => {
      if (new URL(address).origin !== url.origin) {
        return undefined;
      }
      const all = requestHeaders(userAgent, headers, access === 'public' ? undefined : key);
      try {
        const { status, text } = await boundedGet(this.#ports, address, all, limits, this.#closed.signal);
        if (status === 429) {
          throw new GatewayError({ kind: 'rateLimited' });
        }
        // Redirects are not followed; they count as an endpoint that isn't offered.
        return status >= 200 && status < 300 ? read(parseJson(ownKey.withoutInJson(text))) : undefined;
      } catch (error) {
        if (error instanceof GatewayError && error.problem.kind === 'tooLarge') {
          return undefined;
        }
        throw error;
      }
    };
    return askAccount(ask, url.base, clock.now());
  }
}
