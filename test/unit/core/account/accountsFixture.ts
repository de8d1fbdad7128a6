import { Accounts } from '../../../../src/core/account/accounts.ts';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { Transport } from '../../../../src/core/http/transport.ts';
import { ManualClock } from '../base/manualClock.ts';
import { responseWith } from '../http/plainTransport.ts';

/** Connections that have one key, and accounts that look it up. */
export class AccountsOfKey {
  readonly connections = new Map<string, Connection>();
  readonly accounts: Accounts;
  readonly #didChangeKey = new Emitter<string>();
  #key: string;

  constructor(transport: Transport, clock: ManualClock, key: string) {
    this.#key = key;
    this.accounts = new Accounts(
      {
        find: (id) => this.connections.get(id),
        destinationOf: async (connection) => ({ status: 'ready', connection, key: this.#key }),
        onDidChangeKey: this.#didChangeKey.event,
      },
      transport,
      clock,
      'ask-model/1.0',
      2_000,
    );
  }

  /** Replaces the key of a connection. */
  replaceKey(connection: Pick<Connection, 'id'>, key: string): void {
    this.#key = key;
    this.#didChangeKey.fire(connection.id);
  }

  prices(connection: Connection, groupRatio?: number): ReturnType<Accounts['prices']> {
    this.connections.set(connection.id, connection);
    return this.accounts.prices(connection.id, () => groupRatio);
  }

  log(connection: Connection, signal = new AbortController().signal): ReturnType<Accounts['log']> {
    this.connections.set(connection.id, connection);
    return this.accounts.log(connection.id, signal);
  }
}

/** What LiteLLM says of a key with a budget in US dollars, of which so much is left. */
export function budget(left: number, change: object = {}): Readonly<Record<string, unknown>> {
  return { '/key/info': { info: { spend: left < 0 ? -left : 0, max_budget: Math.max(0, left), ...change } } };
}

/** Accounts of a gateway without a network. The test sets what it answers, by path. */
export class AccountsFixture extends AccountsOfKey {
  readonly clock: ManualClock;
  answers: Readonly<Record<string, unknown>>;
  /** What an answer about the key waits for. */
  arrival: Promise<unknown> = Promise.resolve();
  /** How many look-ups asked the gateway. */
  asked = 0;

  constructor(answers: Readonly<Record<string, unknown>> = {}) {
    const clock = new ManualClock(Date.UTC(2026, 10, 25, 12));
    const transport: Transport = async ({ url }) => {
      const path = new URL(url).pathname;
      const text = JSON.stringify(this.answers[path] ?? {});
      if (path === '/api/usage/token/' || path === '/key/info') {
        this.asked++;
        await this.arrival;
      }
      return responseWith(text);
    };
    super(transport, clock, 'sk-test');
    this.clock = clock;
    this.answers = answers;
  }

  get now(): number {
    return this.clock.now();
  }
}
