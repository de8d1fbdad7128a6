import type { Destination } from '../../connections/connection.ts';
import type { KeptAnswer, KeptList, ModelLists } from './storedList.ts';

export type KeptListsPorts = {
  /** Loaded with the first list. */
  readonly lists: () => Promise<ModelLists>;
  /** A keyed hash of a text: it names a key without telling it. */
  readonly fingerprint: (text: string) => Promise<string>;
  /** Told when a list could not be kept or found again. Nothing else depends on that. */
  readonly onFailure: (error: unknown) => void;
};

/** Lists kept between sessions, as the catalogue uses them: what fails is told and otherwise as good as not there. */
export class KeptLists {
  readonly #ports: KeptListsPorts | undefined;

  /** @param ports without them nothing is kept. */
  constructor(ports: KeptListsPorts | undefined) {
    this.#ports = ports;
  }

  /** Of the key at this address: the same key may see other models under another path of the gateway. */
  fingerprintOf({ connection, key }: Destination & { status: 'ready' }): Promise<string | undefined> {
    return this.#tolerant(undefined, async ({ fingerprint }) => fingerprint(`${connection.url.base}\n${key}`));
  }

  /** @param now no list is younger than this, also when the clock was set back. */
  find(connectionId: string, fingerprint: string, now: number): Promise<KeptList | undefined> {
    return this.#tolerant(undefined, async ({ lists }) => {
      const kept = await (await lists()).read(connectionId, fingerprint);
      return kept && { list: kept.list, readAt: Math.min(kept.readAt, now) };
    });
  }

  /** @returns whether the list can be found again. */
  keep(connectionId: string, fingerprint: string, kept: KeptAnswer): Promise<boolean> {
    return this.#tolerant(false, async ({ lists }) => {
      await (await lists()).write(connectionId, fingerprint, kept);
      return true;
    });
  }

  /** @returns what the gateway wrote of one model of a list that was kept, as JSON. */
  item(connectionId: string, fingerprint: string, id: string): Promise<string | undefined> {
    return this.#tolerant(undefined, async ({ lists }) => (await lists()).item(connectionId, fingerprint, id));
  }

  async #tolerant<T>(otherwise: T, run: (ports: KeptListsPorts) => Promise<T>): Promise<T> {
    if (this.#ports === undefined) {
      return otherwise;
    }
    try {
      return await run(this.#ports);
    } catch (error) {
      this.#ports.onFailure(error);
      return otherwise;
    }
  }
}
