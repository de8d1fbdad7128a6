/**
 * Where the ledger is stored: for each month, such as `2026-11`, an append-only file that several windows write to.
 */
export type LedgerStore = {
  /**
   * Adds whole lines to the end of a month; resolves when they are safe from a power loss. When it rejects, some of them
   * may be stored all the same.
   */
  append(month: string, lines: string): Promise<void>;
  /** The months that have a file, in any order. */
  months(): Promise<string[]>;
  /**
   * Reads bytes of a month.
   *
   * @param from the number of bytes to skip.
   * @param into is filled from its beginning.
   * @returns how many bytes were read; fewer than fit only at the end of the file, and 0 without a file.
   */
  read(month: string, from: number, into: Uint8Array): Promise<number>;
  remove(month: string): Promise<void>;
};
