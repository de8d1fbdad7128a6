import assert from 'node:assert/strict';
import type { Connection, Destination } from '../../../../../src/core/connections/connection.ts';
import { Catalogue } from '../../../../../src/core/models/catalogue/catalogue.ts';
import { type ModelChoices, noChoices } from '../../../../../src/core/models/catalogue/modelChoices.ts';
import type { ModelLists } from '../../../../../src/core/models/catalogue/storedList.ts';
import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { connectionTo } from '../../connections/connectionTo.ts';
import { noLists } from './noLists.ts';

export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A connection to a gateway of this name. */
export const connection = (id: string): Connection =>
  connectionTo(`https://${id}.example`, { id, name: `The ${id}`, probes: false });

/** A catalogue with a gateway whose lists arrive when the test gives them. */
export class CatalogueScene {
  readonly clock = new ManualClock();
  readonly remembered = new Map<string, ModelChoices>();
  /** Runs before choices are stored; can delay or reject that. */
  beforeWrite: () => void | Promise<void> = () => undefined;
  readonly calls: {
    id: string;
    key: string;
    signal: AbortSignal;
    give(list: ModelListAnswer): Promise<void>;
    fail(error: unknown): Promise<void>;
  }[] = [];
  destination: Destination = { status: 'ready', connection: connection('one'), key: 'k1' };
  findDestination: () => Promise<Destination> = async () => this.destination;
  readonly failures: unknown[] = [];
  readonly catalogue: Catalogue;

  constructor(lists: ModelLists = noLists) {
    this.catalogue = new Catalogue({
      findDestination: () => this.findDestination(),
      listModels: (destination, signal) =>
        new Promise((resolve, reject) =>
          this.calls.push({
            id: destination.connection.id,
            key: destination.key,
            signal,
            give: (list) => {
              resolve(list);
              return settle();
            },
            fail: (error) => {
              reject(error);
              return settle();
            },
          }),
        ),
      clock: this.clock,
      lists,
      fingerprint: async (text) => `hash of ${text}`,
      onFailure: (error) => this.failures.push(error),
      connectionId: () => ('connection' in this.destination ? this.destination.connection.id : undefined),
      memory: {
        read: (id) => this.remembered.get(id),
        // Like VS Code's memento: a written value can be read at once and is stored later.
        write: async (id, choices) => {
          const before = this.remembered.get(id);
          this.remembered.set(id, choices);
          try {
            await this.beforeWrite();
          } catch (error) {
            this.remembered.set(id, before ?? noChoices);
            throw error;
          }
        },
      },
    });
  }

  get state() {
    return this.catalogue.state;
  }

  get ids() {
    return this.state.list?.models.map(({ id }) => id);
  }

  /** Reads the list for the first time or again, and answers with this one. */
  async answer(how: 'load' | 'refresh', list: ModelListAnswer): Promise<void> {
    const reading = this.catalogue[how]();
    await settle();
    await this.call().give(list);
    await reading;
    await settle();
  }

  call(index = -1) {
    return this.calls.at(index) ?? assert.fail('nothing was asked');
  }
}
