import * as z from 'zod/mini';
import { timeFormats } from './logCells.ts';
import type { ColumnMap } from './logColumns.ts';

const column = z.optional(z.int().check(z.minimum(0)));
const text = z.optional(z.string());

const storedMap = z.object({
  /** See `mapKey`. */
  name: z.string(),
  at: column,
  timeFormat: z.optional(z.enum(timeFormats)),
  model: column,
  amount: column,
  unit: text,
  perUnit: z.optional(z.number().check(z.positive())),
  currency: text,
  promptTokens: column,
  completionTokens: column,
  cachedTokens: column,
  requestId: column,
  kind: column,
  group: column,
  key: column,
  keyName: text,
});

/** The logs of a connection whose columns are remembered. */
const mostLogs = 20;

export type LogColumnsMemory = {
  /** The stored maps of a connection, as passed to `write`; may be a value of any type. */
  read(connection: string): unknown;
  write(connection: string, maps: readonly object[]): PromiseLike<void>;
};

/** What the person said about the columns of logs, of each connection by itself, because it has the name of its key. */
export class ColumnMemory {
  readonly #memory: LogColumnsMemory;

  constructor(memory: LogColumnsMemory) {
    this.#memory = memory;
  }

  /** @param key see `mapKey`. */
  read(connection: string, key: string): Partial<ColumnMap> | undefined {
    return this.#maps(connection).find(({ name }) => name === key);
  }

  async write(connection: string, key: string, map: Partial<ColumnMap>): Promise<void> {
    const others = this.#maps(connection).filter(({ name }) => name !== key);
    await this.#memory.write(connection, [...others, { ...map, name: key }].slice(-mostLogs));
  }

  #maps(connection: string) {
    const stored = this.#memory.read(connection);
    return (Array.isArray(stored) ? stored : []).flatMap((each: unknown) => z.safeParse(storedMap, each).data ?? []);
  }
}
