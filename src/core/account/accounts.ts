import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/lifetime.ts';
import { dateText } from '../base/localization.ts';
import type { Money } from '../base/money.ts';
import type { Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import type { ModelPrices } from '../models/list/model.ts';
import { type AccountFacts, accountWords, balanceText, shortageText } from './accountFacts.ts';
import type { AccountProbes, TokenLogAnswer } from './accountProbes.ts';
import { pricesIn } from './priceList.ts';

export type AccountPorts = {
  readonly connections: Pick<Connections, 'find' | 'destinationOf'>;
  readonly probes: Pick<AccountProbes, 'read' | 'forget' | 'priceList' | 'tokenLog'>;
  readonly clock: Pick<Clock, 'now'>;
};

type Known = { readonly facts: AccountFacts; readonly at: number };

/** How long after a look-up a refused question doesn't cause another one. */
const refusalPauseMs = 60_000;

/** What gateways reported about keys in this session, for the connections that allow look-ups. */
export class Accounts implements Disposable {
  readonly #ports: AccountPorts;
  /** By id of the connection. */
  readonly #known = new Map<string, Known>();
  readonly #didChange = new Emitter<void>();
  /** Fires when something else is known of an account than before. */
  readonly onDidChange = this.#didChange.event;

  constructor(ports: AccountPorts) {
    this.#ports = ports;
  }

  /** What is known of the key of a connection. Asks nothing. */
  facts(connection: Connection): AccountFacts | undefined {
    return this.#of(connection)?.facts;
  }

  /** Asks the gateway, once per session and key. Never rejects; undefined when it reports nothing. */
  async read(connection: Connection): Promise<AccountFacts | undefined> {
    const key = await this.#keyOf(connection);
    const facts = key === undefined ? undefined : await this.#ports.probes.read(connection, key);
    // Meanwhile, the key may have been replaced and the new one looked up.
    if ((await this.#keyOf(connection)) === key) {
      this.#set(connection.id, facts);
    }
    return facts;
  }

  /**
   * The gateway's own log of the calls with the key of a connection; undefined without the key. Only for a person who
   * asks for it.
   *
   * @throws the signal's reason when it is aborted.
   */
  async log(
    connectionId: string,
    signal: AbortSignal,
  ): Promise<TokenLogAnswer | { readonly status: 'notAllowed' } | undefined> {
    const connection = this.#ports.connections.find(connectionId);
    if (connection === undefined || !connection.probes) {
      return { status: 'notAllowed' };
    }
    const key = await this.#keyOf(connection);
    return key === undefined ? undefined : this.#ports.probes.tokenLog(connection, key, signal, connection.creditUnit);
  }

  /**
   * The prices that the gateway publishes; undefined when it publishes none. Asked once per session. Never rejects.
   *
   * @param groupRatio of the key, if it is known.
   */
  async prices(
    connectionId: string,
    groupRatio: () => number | undefined,
  ): Promise<((model: string) => ModelPrices | undefined) | undefined> {
    const connection = this.#ports.connections.find(connectionId);
    const list = connection?.probes ? await this.#ports.probes.priceList(connection) : undefined;
    return (
      list && ((model) => pricesIn(list, model, groupRatio(), this.#ports.connections.find(connectionId)?.creditUnit))
    );
  }

  /** Forgets what is known, so that the next `read` asks again. */
  async forget({ id }: Connection): Promise<void> {
    this.#set(id, undefined);
    this.#ports.probes.forget(id);
  }

  /**
   * Asks again after the gateway refused a question for its key or balance. Not if that was just done, and not if the
   * gateway reports nothing.
   */
  async refused(connection: Connection): Promise<void> {
    const known = this.#of(connection);
    if (known && this.#ports.clock.now() - known.at >= refusalPauseMs) {
      await this.forget(connection);
    }
    await this.read(connection);
  }

  /** What is left, in a few words, and where that is from; undefined if nothing is known. */
  balance(
    connection: Connection,
  ): { readonly text: string; readonly title: string; readonly isLow?: true } | undefined {
    const known = this.#of(connection);
    const balance = known && balanceText(known.facts, connection.creditUnit, this.#ports.clock.now());
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
    const text = known && shortageText(known.facts, connection.creditUnit, cost, this.#ports.clock.now());
    return text === undefined || known === undefined ? undefined : { text, detail: sourceText(known) };
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  /** The key of a connection that allows look-ups. */
  async #keyOf(connection: Connection): Promise<string | undefined> {
    const destination = connection.probes ? await this.#ports.connections.destinationOf(connection) : undefined;
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
      this.#known.set(id, { facts, at: this.#ports.clock.now() });
    } else {
      this.#known.delete(id);
    }
    this.#didChange.fire();
  }
}

function sourceText({ facts, at }: Known): string {
  return `${accountWords(facts)} · ${l10n.t('As of {0}', dateText(at))}`;
}
