import type { AccountFacts } from '../../../../src/core/account/accountFacts.ts';
import { Accounts } from '../../../../src/core/account/accounts.ts';

/** Accounts without a gateway. The test sets what a look-up finds. */
export class AccountsFixture {
  /** The time, in Unix milliseconds. */
  now = Date.UTC(2026, 10, 25, 12);
  found: AccountFacts | undefined;
  key = 'sk-test';
  /** What a look-up waits for. */
  arrival: Promise<unknown> = Promise.resolve();
  /** How many look-ups would have asked the gateway. */
  asked = 0;
  readonly accounts: Accounts;
  #round: { readonly facts: AccountFacts | undefined } | undefined;

  constructor() {
    this.accounts = new Accounts({
      connections: {
        find: () => undefined,
        destinationOf: async (connection) => ({ status: 'ready', connection, key: this.key }),
      },
      probes: {
        read: async () => {
          if (this.#round === undefined) {
            this.asked++;
            this.#round = { facts: this.found };
          }
          const { facts } = this.#round;
          await this.arrival;
          return facts;
        },
        priceList: async () => undefined,
        tokenLog: async () => ({ status: 'notOffered' }),
        forget: () => {
          this.#round = undefined;
        },
      },
      clock: { now: () => this.now },
    });
  }
}
