import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore, Emitter } from '../base/lifetime.ts';
import { dateText } from '../base/localization.ts';
import { parseJson } from '../base/loose.ts';
import type { Money } from '../base/money.ts';
import { RequestTimers } from '../client/gatewayClient.ts';
import type { Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import { readRetryAfter } from '../errors/classify.ts';
import { GatewayError, type GatewayProblem } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { readText, requestHeaders, type Transport } from '../http/transport.ts';
import type { ModelPrices } from '../models/list/model.ts';
import { KeyRemover, keyMark } from '../secrets/keyRemover.ts';
import { type Ask, askAccount, readSiteStatus, rootOf, type SiteUnit } from './accountDialects.ts';
import { type AccountFacts, accountWords, balanceText, shortageText } from './accountFacts.ts';
import { type CallLog, readTokenLog } from './logEntries.ts';
import { type PriceList, pricesIn, readPriceList } from './priceList.ts';

const factLimits = { totalMs: 5_000, maxBytes: 256 * 1024 };
const pricingLimits = { totalMs: 5_000, maxBytes: 4 * 1024 * 1024 };
const logLimits = { totalMs: 15_000, maxBytes: 8 * 1024 * 1024 };

/** How long new-api counts the requests to its endpoints of a key, of which it allows 20 (wire section 5). */
const limitMs = 20 * 60_000;
/** How long after a look-up a refused question doesn't cause another one. */
const refusalPauseMs = 60_000;

/** The log of a key, or why there is none. */
export type TokenLogAnswer =
  | ({ readonly status: 'read' } & CallLog)
  /** The gateway doesn't have such a log, or not for this key, or it is damaged or larger than 8 MB. */
  | { readonly status: 'notOffered' }
  /** The connection doesn't allow look-ups, or has no key. */
  | { readonly status: 'notAllowed' | 'noKey' }
  | { readonly status: 'failed'; readonly problem: GatewayProblem };

type Known = { readonly facts: AccountFacts; readonly at: number };

/** What a gateway was asked in this session; its status again after a failure. */
type Asked = {
  account?: Promise<AccountFacts | undefined>;
  known?: Known | undefined;
  /** Whether it is a site of the new-api family. */
  site?: Promise<SiteUnit | undefined>;
  prices?: Promise<PriceList | undefined>;
  hasPrices?: boolean;
};

/**
 * What undocumented, free endpoints report about keys (wire section 5), for the connections that allow look-ups: balance,
 * expiry, prices, and the log of a key. Sends GETs only, to the connection's own origin only, and follows no redirects.
 */
export class Accounts implements Disposable {
  readonly #connections: Pick<Connections, 'find' | 'destinationOf'>;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #connectTimeoutMs: number;
  /** By id of the connection and its address. */
  readonly #asked = new Map<string, Asked>();
  readonly #closed = new AbortController();
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** Fires when something else is known of an account than before. */
  readonly onDidChange = this.#didChange.event;

  constructor(
    connections: Pick<Connections, 'find' | 'destinationOf' | 'onDidChangeKey'>,
    transport: Transport,
    clock: Clock,
    userAgent: string,
    connectTimeoutMs: number,
  ) {
    this.#connections = connections;
    this.#transport = transport;
    this.#clock = clock;
    this.#userAgent = userAgent;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#store.add(connections.onDidChangeKey((id) => this.forget({ id })));
  }

  /** What is known of the key of a connection. Asks nothing. */
  facts(connection: Connection): AccountFacts | undefined {
    return this.#of(connection)?.facts;
  }

  /** Asks the gateway, once per session and key unless forgotten. Never rejects; undefined when it reports nothing. */
  async read(connection: Connection): Promise<AccountFacts | undefined> {
    const key = await this.#keyOf(connection);
    if (key === undefined) {
      return undefined;
    }
    const ask: Ask = (address, read) => this.#read(connection, address, key, read);
    const asked = this.#askedOf(connection);
    asked.account ??= askAccount(ask, () => this.#site(connection), connection.url.base).catch(() => undefined);
    const { account } = asked;
    const facts = await account;
    // Meanwhile, the key may have been replaced.
    if (asked.account === account) {
      this.#know(asked, facts);
    }
    return facts;
  }

  /**
   * The gateway's own log of the calls with the key of a connection. Only for a person who asks for it: it is never
   * cached, and sites limit it.
   *
   * @throws the signal's reason when it is aborted.
   */
  async log(connectionId: string, signal: AbortSignal): Promise<TokenLogAnswer> {
    const connection = this.#connections.find(connectionId);
    if (!connection?.probes) {
      return { status: 'notAllowed' };
    }
    const key = await this.#keyOf(connection);
    if (key === undefined) {
      return { status: 'noKey' };
    }
    const { base } = connection.url;
    try {
      const site = await this.#site(connection);
      signal.throwIfAborted();
      if (site?.quotaPerDollar === undefined) {
        return { status: 'notOffered' };
      }
      const { status, text } = await this.#get(connection, `${rootOf(base)}/api/log/token`, key, logLimits, signal);
      if (status >= 500) {
        return { status: 'failed', problem: { kind: 'gatewayDown', status } };
      }
      const isJson = status >= 200 && status < 300 && text.trimStart().startsWith('{');
      const log = isJson ? readTokenLog(withoutKey(text, key), site, connection.creditUnit) : undefined;
      const hasNone = !log || (log.entries.length === 0 && log.unreadable > 0);
      return hasNone ? { status: 'notOffered' } : { status: 'read', ...log };
    } catch (error) {
      signal.throwIfAborted();
      const problem = networkProblem(error, new URL(base).host, [key]);
      if (problem.kind === 'rateLimited') {
        return { status: 'failed', problem: { ...problem, retryAfterMs: problem.retryAfterMs ?? limitMs } };
      }
      return problem.kind === 'tooLarge' ? { status: 'notOffered' } : { status: 'failed', problem };
    }
  }

  /**
   * The prices that the gateway publishes for everyone; undefined when it publishes none. Asked once per session, and
   * again after `forget` if there are none, without the key. Never rejects.
   *
   * @param groupRatio of the key, if it is known.
   */
  async prices(
    connectionId: string,
    groupRatio: () => number | undefined,
  ): Promise<((model: string) => ModelPrices | undefined) | undefined> {
    const connection = this.#connections.find(connectionId);
    if (!connection?.probes) {
      return undefined;
    }
    const address = `${rootOf(connection.url.base)}/api/pricing`;
    const asked = this.#askedOf(connection);
    asked.prices ??= this.#site(connection)
      .then(
        (site) =>
          site && this.#read(connection, address, undefined, (body) => readPriceList(body, site), pricingLimits),
      )
      .catch(() => undefined);
    const list = await asked.prices;
    asked.hasPrices = list !== undefined;
    return list && ((model) => pricesIn(list, model, groupRatio(), this.#connections.find(connectionId)?.creditUnit));
  }

  /** Forgets what is known of a key, so that the next `read` asks again, and the next `prices` if there are none. */
  forget({ id }: Pick<Connection, 'id'>): void {
    for (const [name, asked] of this.#asked) {
      if (name.startsWith(`${id}/`)) {
        asked.account = undefined;
        // Prices are the same for all keys, and reading them once more may fail.
        asked.prices = asked.hasPrices ? asked.prices : undefined;
        this.#know(asked, undefined);
      }
    }
  }

  /**
   * Asks again after the gateway refused a question for its key or balance. Not if that was just done, and not if the
   * gateway reports nothing.
   */
  async refused(connection: Connection): Promise<void> {
    const known = this.#of(connection);
    if (known && this.#clock.now() - known.at >= refusalPauseMs) {
      this.forget(connection);
    }
    await this.read(connection);
  }

  /** What is left, in a few words, and where that is from; undefined if nothing is known. */
  balance(
    connection: Connection,
  ): { readonly text: string; readonly title: string; readonly isLow?: true } | undefined {
    const known = this.#of(connection);
    const balance = known && balanceText(known.facts, connection.creditUnit, this.#clock.now());
    return balance && { text: balance.text, title: sourceText(known), ...(balance.isLow && { isLow: true }) };
  }

  /**
   * Why the gateway may refuse a question, and what says so; undefined if nothing that is known speaks against it.
   *
   * @param cost the most that the question is estimated to cost.
   */
  shortage(
    connection: Connection,
    cost: Money | undefined,
  ): { readonly text: string; readonly detail: string } | undefined {
    const known = this.#of(connection);
    const text = known && shortageText(known.facts, connection.creditUnit, cost, this.#clock.now());
    return text === undefined || known === undefined ? undefined : { text, detail: sourceText(known) };
  }

  dispose(): void {
    this.#closed.abort();
    this.#store.dispose();
  }

  /** The key of a connection that allows look-ups. */
  async #keyOf(connection: Connection): Promise<string | undefined> {
    const destination = connection.probes ? await this.#connections.destinationOf(connection) : undefined;
    return destination?.status === 'ready' ? destination.key : undefined;
  }

  #of(connection: Connection): Known | undefined {
    return connection.probes ? this.#askedOf(connection).known : undefined;
  }

  #know(asked: Asked, facts: AccountFacts | undefined): void {
    if (facts !== asked.known?.facts) {
      asked.known = facts && { facts, at: this.#clock.now() };
      this.#didChange.fire();
    }
  }

  #site(connection: Connection): Promise<SiteUnit | undefined> {
    const asked = this.#askedOf(connection);
    const address = `${rootOf(connection.url.base)}/api/status`;
    asked.site ??= this.#read(connection, address, undefined, readSiteStatus).catch((error) => {
      asked.site = undefined;
      throw error;
    });
    return asked.site;
  }

  #askedOf({ id, url }: Connection): Asked {
    const name = `${id}/${url.base}`;
    const asked = this.#asked.get(name) ?? {};
    this.#asked.set(name, asked);
    return asked;
  }

  /**
   * Undefined when the gateway doesn't offer the endpoint.
   *
   * @param key undefined for a public endpoint.
   * @throws an error that ends a round: the gateway limits the rate, or can't be reached.
   */
  async #read<T>(
    connection: Connection,
    address: string,
    key: string | undefined,
    read: (body: unknown) => T | undefined,
    limits = factLimits,
  ): Promise<T | undefined> {
    try {
      const { status, text } = await this.#get(connection, address, key, limits, this.#closed.signal);
      return status >= 200 && status < 300 ? read(withoutKey(text, key)) : undefined;
    } catch (error) {
      if (error instanceof GatewayError && error.problem.kind === 'tooLarge') {
        return undefined;
      }
      throw error;
    }
  }

  /** @throws GatewayError when the time is over, the response is too large, or the gateway limits the rate. */
  async #get(
    { headers }: Connection,
    url: string,
    key: string | undefined,
    { totalMs, maxBytes }: typeof factLimits,
    caller: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const signal = AbortSignal.any([caller, this.#closed.signal]);
    const connectMs = this.#connectTimeoutMs;
    const limits = { connectMs, firstByteMs: totalMs, idleMs: totalMs, payloadMs: totalMs, totalMs };
    const timers = new RequestTimers(this.#clock, limits, signal);
    try {
      const response = await this.#transport(
        { method: 'GET', url, headers: requestHeaders(this.#userAgent, headers, key), connectTimeoutMs: connectMs },
        timers.signal,
      );
      const { status } = response;
      if (status === 429) {
        throw new GatewayError({
          kind: 'rateLimited',
          retryAfterMs: readRetryAfter(response.headers, this.#clock.now()),
        });
      }
      let size = 0;
      const text = await readText(response.body, (bytes) => {
        size += bytes;
        if (size > maxBytes) {
          throw new GatewayError({ kind: 'tooLarge', limitBytes: maxBytes, status });
        }
      });
      return { status, text };
    } catch (error) {
      signal.throwIfAborted();
      throw timers.problem ? new GatewayError(timers.problem) : error;
    } finally {
      timers.dispose();
    }
  }
}

function withoutKey(json: string, key: string | undefined): unknown {
  return new KeyRemover(keyMark, true, key === undefined ? [] : [key]).withoutIn(parseJson(json));
}

function sourceText({ facts, at }: Known): string {
  return `${accountWords(facts, at)} · ${l10n.t('As of {0}', dateText(at))}`;
}
