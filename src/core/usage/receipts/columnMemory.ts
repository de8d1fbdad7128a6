import * as z from 'zod/mini';
import { timeFormats } from './logCells.ts';
import type { ColumnMap } from './logColumns.ts';

const column = z.exactOptional(z.int().check(z.minimum(0)));
const text = z.exactOptional(z.string());

const storedMap = z.object({
  /** The connection, and `mapKey`. */
  name: z.string(),
  at: column,
  timeFormat: z.exactOptional(z.enum(timeFormats)),
  model: column,
  amount: column,
  unit: text,
  perUnit: z.exactOptional(z.number().check(z.positive())),
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

/** The logs whose columns are remembered. */
const mostLogs = 20;

/** What the person said about the columns of logs, of each connection by itself, because it has the name of its key. */
export class ColumnMemory {
  readonly #memory: { read(): unknown; write(maps: readonly object[]): Promise<void> };

  constructor(memory: { read(): unknown; write(maps: readonly object[]): Promise<void> }) {
    this.#memory = memory;
  }

  /** @param key see `mapKey`. */
  read(connection: string, key: string): Partial<ColumnMap> | undefined {
    return this.#maps().find(({ name }) => name === nameOf(connection, key));
  }

  async write(connection: string, key: string, map: Partial<ColumnMap>): Promise<void> {
    const name = nameOf(connection, key);
    const others = this.#maps().filter((each) => each.name !== name);
    await this.#memory.write([...others, { ...map, name }].slice(-mostLogs));
  }

  #maps() {
    const stored = this.#memory.read();
    return (Array.isArray(stored) ? stored : []).flatMap((each: unknown) => z.safeParse(storedMap, each).data ?? []);
  }
}

function nameOf(connection: string, key: string): string {
  return `${connection} ${key}`;
}
