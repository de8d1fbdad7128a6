import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifetime.ts';
import type { LedgerMonth } from './ledgerMonth.ts';

/** A line of the ledger, and how a month that is in memory gets it. */
export type LedgerLine = {
  /** Such as `2026-11`. */
  readonly month: string;
  readonly text: string;
  readonly addTo: (month: LedgerMonth) => void;
};

export type LedgerWriterPorts = {
  /** Adds whole lines to the end of a month; resolves when they are safe from a power loss. */
  readonly append: (month: string, lines: string) => Promise<void>;
  readonly clock: Clock;
  /** Called with the error when writing starts to fail; not again before it has succeeded. */
  readonly onDefect: (error: unknown) => void;
  /** Whether what was on disk was removed since, so that lines in memory from before must not be written either. */
  readonly isCleared: () => Promise<boolean>;
  /** Whether it is the start of a call that is running, which is recorded again after everything was removed. */
  readonly isRunning: (line: LedgerLine) => boolean;
  /** Called when the lines in memory were tried again. */
  readonly onRetried: () => void;
};

/** Lines in memory while they can't be written, about 3 MB; beyond it the oldest are dropped. */
const maxUnwritten = 10_000;
const retryMs = 30_000;

/** Writes the lines of the ledger. A line that can't be written stays in memory and is tried again. */
export class LedgerWriter implements Disposable {
  readonly #ports: LedgerWriterPorts;
  #unwritten: LedgerLine[] = [];
  /** Those that failed before. */
  #held: ReadonlySet<LedgerLine> = new Set();
  #failure: unknown;
  #writing = Promise.resolve();
  #nextWriting: Promise<void> | undefined;
  #retry: Disposable | undefined;
  #isDisposed = false;

  constructor(ports: LedgerWriterPorts) {
    this.#ports = ports;
  }

  /** The lines that are not on disk, in their order. */
  get unwritten(): readonly LedgerLine[] {
    return this.#unwritten;
  }

  /** The error of the last writing; undefined when it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Resolves when the line is on disk or could not be written; never rejects. */
  write(line: LedgerLine): Promise<void> {
    this.#unwritten.push(line);
    return this.#flush();
  }

  /** Drops the lines in memory of some months, and waits for the writing that has begun. */
  async drop(isDropped: (month: string) => boolean): Promise<void> {
    this.#unwritten = this.#unwritten.filter(({ month }) => !isDropped(month));
    await this.#writing;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#retry?.dispose();
  }

  /** Writes what is not written yet. Lines that arrive while the disk is busy are written together afterwards. */
  #flush(): Promise<void> {
    this.#nextWriting ??= this.#writing.then(() => {
      this.#nextWriting = undefined;
      this.#writing = this.#writeAll();
      return this.#writing;
    });
    return this.#nextWriting;
  }

  async #writeAll(): Promise<void> {
    const { isCleared, isRunning } = this.#ports;
    if (this.#held.size > 0 && (await isCleared().catch(() => false))) {
      this.#unwritten = this.#unwritten.filter((line) => !this.#held.has(line) || isRunning(line));
    }
    const lines = [...this.#unwritten];
    let failure: unknown;
    for (const month of new Set(lines.map((line) => line.month))) {
      const batch = new Set(lines.filter((line) => line.month === month));
      try {
        await this.#ports.append(month, [...batch].map(({ text }) => text).join(''));
        this.#unwritten = this.#unwritten.filter((line) => !batch.has(line));
      } catch (error) {
        failure ??= error;
      }
    }
    this.#retry?.dispose();
    this.#retry = undefined;
    const wasWritable = this.#failure === undefined;
    this.#failure = failure;
    this.#held = new Set();
    if (failure !== undefined) {
      this.#unwritten = this.#unwritten.slice(-maxUnwritten);
      this.#held = new Set(this.#unwritten);
      if (!this.#isDisposed) {
        this.#retry = this.#ports.clock.after(retryMs, () => void this.#flush().then(this.#ports.onRetried));
      }
      if (wasWritable) {
        this.#ports.onDefect(failure);
      }
    }
  }
}
