import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifetime.ts';
import { parseJson } from '../base/loose.ts';
import type { Connection } from '../connections/connection.ts';
import type { Credit } from '../connections/consoleSettings.ts';
import { readRetryAfter } from '../errors/classify.ts';
import { GatewayError, type GatewayProblem } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { type BoundedAnswer, boundedGet } from '../http/boundedGet.ts';
import { requestHeaders } from '../http/requestHeaders.ts';
import type { Transport } from '../http/transport.ts';
import { KeyRemover, keyMark } from '../secrets/keyRemover.ts';
import { type Ask, askAccount, readSiteStatus, rootOf, type SiteUnit } from './accountDialects.ts';
import type { AccountFacts } from './accountFacts.ts';
import { type CallLog, readTokenLog } from './logEntries.ts';
import { type PriceList, readPriceList } from './priceList.ts';

const probeLimits = { totalMs: 5_000, maxBytes: 256 * 1024 };
const pricingLimits = { totalMs: 5_000, maxBytes: 4 * 1024 * 1024 };
const logLimits = { totalMs: 15_000, maxBytes: 8 * 1024 * 1024 };

/** How long new-api counts the requests to its endpoints of a key, of which it allows 20 (wire section 5). */
const limitMs = 20 * 60_000;

export type AccountProbePorts = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly connectTimeoutMs: number;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
};

type Asked = Pick<Connection, 'id' | 'url' | 'headers' | 'probes'>;

/** The log of a key, or why there is none. */
export type TokenLogAnswer =
  | ({ readonly status: 'read' } & CallLog)
  /** The gateway doesn't have such a log, or not for this key. */
  | { readonly status: 'notOffered' }
  /** Read too often; `retryAt` in Unix milliseconds. */
  | { readonly status: 'tooMany'; readonly retryAt: number }
  /** Damaged, or larger than 8 MB. */
  | { readonly status: 'unreadable' }
  | { readonly status: 'failed'; readonly problem: GatewayProblem };

/**
 * Reads what undocumented, free endpoints report about a key (wire section 5): balance, expiry, why it is rejected,
 * prices, and its log. Sends GETs only, to the connection's own origin only, and follows no redirects.
 */
export class AccountProbes implements Disposable {
  readonly #ports: AccountProbePorts;
  /** What was asked in this session. */
  readonly #asked = new Map<string, Promise<unknown>>();
  readonly #closed = new AbortController();

  constructor(ports: AccountProbePorts) {
    this.#ports = ports;
  }

  /**
   * What is known of the key; asked once per session and key, unless forgotten, if the connection enables it. On any
   * failure undefined. Never rejects.
   */
  async read(connection: Asked, key: string): Promise<AccountFacts | undefined> {
    const { id, url, probes } = connection;
    if (!probes) {
      return undefined;
    }
    try {
      const name = `account/${id}/${await this.#ports.fingerprint(`${url.base}\n${key}`)}`;
      const ask: Ask = (address, read) => this.#read(connection, address, key, read);
      return await this.#once(name, () =>
        askAccount(ask, () => this.#site(connection), url.base, this.#ports.clock.now()),
      );
    } catch {
      return undefined;
    }
  }

  /** Lets the next `read` of a connection ask again. A round that is still running continues for its callers. */
  forget(id: string): void {
    for (const name of this.#asked.keys()) {
      if (name.startsWith(`account/${id}/`)) {
        this.#asked.delete(name);
      }
    }
  }

  /**
   * The prices that the gateway publishes for everyone; asked once per session and again after a failure, without a key,
   * if the connection enables it. On any failure undefined. Never rejects.
   */
  async priceList(connection: Asked): Promise<PriceList | undefined> {
    const { id, url, probes } = connection;
    if (!probes) {
      return undefined;
    }
    try {
      return await this.#untilAnswered(`prices/${id}/${url.base}`, async () => {
        const site = await this.#site(connection);
        const address = `${rootOf(url.base)}/api/pricing`;
        return (
          site && (await this.#read(connection, address, undefined, (body) => readPriceList(body, site), pricingLimits))
        );
      });
    } catch {
      return undefined;
    }
  }

  /**
   * The gateway's log of the key's calls. Only for a person who asks for it: it is never cached, and sites limit it.
   *
   * @param credit what a dollar of the site is worth, if the person stated it.
   * @throws the signal's reason when it is aborted.
   */
  async tokenLog(connection: Asked, key: string, signal: AbortSignal, credit?: Credit): Promise<TokenLogAnswer> {
    const { base } = connection.url;
    try {
      const site = await this.#site(connection);
      signal.throwIfAborted();
      if (site?.quotaPerDollar === undefined) {
        return { status: 'notOffered' };
      }
      const address = `${rootOf(base)}/api/log/token`;
      const { status, text } = await this.#get(connection, address, key, logLimits, signal);
      if (status >= 500) {
        return { status: 'failed', problem: { kind: 'gatewayDown', status } };
      }
      const isJson = status >= 200 && status < 300 && text.trimStart().startsWith('{');
      const body = isJson ? withoutKey(text, key) : undefined;
      const log = readTokenLog(body, site, credit);
      if (log === undefined) {
        return { status: isJson && body === undefined ? 'unreadable' : 'notOffered' };
      }
      return log.entries.length === 0 && log.unreadable > 0 ? { status: 'unreadable' } : { status: 'read', ...log };
    } catch (error) {
      signal.throwIfAborted();
      const problem = error instanceof GatewayError ? error.problem : networkProblem(error, new URL(base).host, [key]);
      if (problem.kind === 'rateLimited') {
        return { status: 'tooMany', retryAt: this.#ports.clock.now() + (problem.retryAfterMs ?? limitMs) };
      }
      return problem.kind === 'tooLarge' ? { status: 'unreadable' } : { status: 'failed', problem };
    }
  }

  dispose(): void {
    this.#closed.abort();
  }

  /** Whether the gateway is a site of the new-api family. Asked once per session, and again after a failure. */
  async #site(connection: Asked): Promise<SiteUnit | undefined> {
    const { id, url } = connection;
    const address = `${rootOf(url.base)}/api/status`;
    return this.#untilAnswered(`site/${id}/${url.base}`, () =>
      this.#read(connection, address, undefined, readSiteStatus),
    );
  }

  /** As `#once`, but asks again after a failure. */
  async #untilAnswered<T>(name: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await this.#once(name, ask);
    } catch (error) {
      this.#asked.delete(name);
      throw error;
    }
  }

  #once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const answer = (this.#asked.get(name) as Promise<T> | undefined) ?? ask();
    this.#asked.set(name, answer);
    return answer;
  }

  /**
   * Undefined when the gateway doesn't offer the endpoint.
   *
   * @param key undefined for a public endpoint.
   * @throws an error that ends a round: the gateway limits the rate, or can't be reached.
   */
  async #read<T>(
    connection: Asked,
    address: string,
    key: string | undefined,
    read: (body: unknown) => T | undefined,
    limits = probeLimits,
  ): Promise<T | undefined> {
    try {
      const { status, text } = await this.#get(connection, address, key, limits, this.#closed.signal);
      const isAnswer = status >= 200 && status < 300;
      return isAnswer ? read(withoutKey(text, key)) : undefined;
    } catch (error) {
      if (error instanceof GatewayError && error.problem.kind === 'tooLarge') {
        return undefined;
      }
      throw error;
    }
  }

  /** @throws GatewayError of kind `rateLimited` on status 429. */
  async #get(
    { url, headers }: Asked,
    address: string,
    key: string | undefined,
    limits: typeof probeLimits,
    signal: AbortSignal,
  ): Promise<BoundedAnswer> {
    const { userAgent, connectTimeoutMs, clock } = this.#ports;
    if (new URL(address).origin !== url.origin) {
      throw new GatewayError({ kind: 'wrongAddress' });
    }
    const answer = await boundedGet(
      this.#ports,
      address,
      requestHeaders(userAgent, headers, key),
      { ...limits, connectTimeoutMs },
      AbortSignal.any([signal, this.#closed.signal]),
    );
    if (answer.status === 429) {
      const retryAfterMs = readRetryAfter(answer.headers, clock.now());
      throw new GatewayError({ kind: 'rateLimited', ...(retryAfterMs !== undefined && { retryAfterMs }) });
    }
    return answer;
  }
}

function withoutKey(json: string, key: string | undefined): unknown {
  return new KeyRemover(keyMark, true, key === undefined ? [] : [key]).withoutIn(parseJson(json));
}
