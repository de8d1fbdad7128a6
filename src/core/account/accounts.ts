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
import { pricesIn, readPriceList } from './priceList.ts';

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
  /** The connection doesn't allow look-ups. */
  | { readonly status: 'notAllowed' }
  /** Read too often; `retryAt` in Unix milliseconds. */
  | { readonly status: 'tooMany'; readonly retryAt: number }
  | { readonly status: 'failed'; readonly problem: GatewayProblem };

type Known = { readonly facts: AccountFacts; readonly at: number };

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
  /** By id of the connection. */
  readonly #known = new Map<string, Known>();
  /** What was asked in this session. */
  readonly #asked = new Map<string, Promise<unknown>>();
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
    const { id, url } = connection;
    const name = `account/${id}/${url.base}`;
    const ask: Ask = (address, read) => this.#read(connection, address, key, read);
    const asked = this.#once(name, () =>
      askAccount(ask, () => this.#site(connection), url.base, this.#clock.now()).catch(() => undefined),
    );
    const facts = await asked;
    // Meanwhile, the key may have been replaced.
    if (this.#asked.get(name) === asked) {
      this.#set(id, facts);
    }
    return facts;
  }

  /**
   * The gateway's own log of the calls with the key of a connection; undefined without the key. Only for a person who
   * asks for it: it is never cached, and sites limit it.
   *
   * @throws the signal's reason when it is aborted.
   */
  async log(connectionId: string, signal: AbortSignal): Promise<TokenLogAnswer | undefined> {
    const connection = this.#connections.find(connectionId);
    if (!connection?.probes) {
      return { status: 'notAllowed' };
    }
    const key = await this.#keyOf(connection);
    if (key === undefined) {
      return undefined;
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
        return { status: 'tooMany', retryAt: this.#clock.now() + (problem.retryAfterMs ?? limitMs) };
      }
      return problem.kind === 'tooLarge' ? { status: 'notOffered' } : { status: 'failed', problem };
    }
  }

  /**
   * The prices that the gateway publishes for everyone; undefined when it publishes none. Asked once per session, and
   * again after a failure, without the key. Never rejects.
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
    const { base } = connection.url;
    const asked = this.#untilAnswered(`prices/${connectionId}/${base}`, async () => {
      const site = await this.#site(connection);
      const address = `${rootOf(base)}/api/pricing`;
      return site && this.#read(connection, address, undefined, (body) => readPriceList(body, site), pricingLimits);
    });
    const list = await asked.catch(() => undefined);
    return list && ((model) => pricesIn(list, model, groupRatio(), this.#connections.find(connectionId)?.creditUnit));
  }

  /** Forgets what is known, so that the next `read` asks again. */
  forget({ id }: Pick<Connection, 'id'>): void {
    this.#set(id, undefined);
    for (const name of this.#asked.keys()) {
      if (name.startsWith(`account/${id}/`)) {
        this.#asked.delete(name);
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

  #of({ id, probes }: Connection): Known | undefined {
    return probes ? this.#known.get(id) : undefined;
  }

  #set(id: string, facts: AccountFacts | undefined): void {
    if (facts === this.#known.get(id)?.facts) {
      return;
    }
    if (facts) {
      this.#known.set(id, { facts, at: this.#clock.now() });
    } else {
      this.#known.delete(id);
    }
    this.#didChange.fire();
  }

  /** Whether the gateway is a site of the new-api family. Asked once per session, and again after a failure. */
  #site(connection: Connection): Promise<SiteUnit | undefined> {
    const { id, url } = connection;
    return this.#untilAnswered(`site/${id}/${url.base}`, () =>
      this.#read(connection, `${rootOf(url.base)}/api/status`, undefined, readSiteStatus),
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
      timers.abort();
      timers.dispose();
    }
  }
}

function withoutKey(json: string, key: string | undefined): unknown {
  return new KeyRemover(keyMark, true, key === undefined ? [] : [key]).withoutIn(parseJson(json));
}

function sourceText({ facts, at }: Known): string {
  return `${accountWords(facts)} · ${l10n.t('As of {0}', dateText(at))}`;
}
