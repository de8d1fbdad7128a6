import type { Clock } from '../../../../src/core/base/clock.ts';
import { Ledger, type LedgerStore } from '../../../../src/core/usage/ledger.ts';
import { type CallEnd, type CallStart, lineText, type Receipt } from '../../../../src/core/usage/ledgerLine.ts';
import { ManualClock } from '../base/manualClock.ts';

/** A ledger's files in memory. */
export class MemoryLedger implements LedgerStore {
  readonly files = new Map<string, Uint8Array>();
  /** Thrown by `append` while set. */
  failure: Error | undefined;
  /** The lines of each successful `append`. */
  readonly appended: string[] = [];
  /** The bytes that `read` has returned. */
  bytesRead = 0;
  #removals = 0;

  async append(month: string, lines: string): Promise<void> {
    // Other work runs first, as with a real file.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failure) {
      throw this.failure;
    }
    this.appended.push(lines);
    this.files.set(month, Buffer.concat([this.files.get(month) ?? new Uint8Array(), Buffer.from(lines)]));
  }

  async months(): Promise<string[]> {
    return [...this.files.keys()];
  }

  async read(month: string, from: number): ReturnType<LedgerStore['read']> {
    const bytes = this.files.get(month)?.subarray(from);
    this.bytesRead += bytes?.length ?? 0;
    return { file: bytes ? `${this.#removals}` : '', bytes: bytes ?? new Uint8Array() };
  }

  async remove(month: string): Promise<void> {
    this.#removals++;
    this.files.delete(month);
  }
}

/** Noon of a day in the local time zone. */
export const noon = new Date(2026, 10, 23, 12).getTime();

export function aStart(id: string, facts: Partial<CallStart> = {}): CallStart {
  return { id, at: noon, connection: 'c1', host: 'h', model: 'm1', caller: { kind: 'panel' }, estimate: 10, ...facts };
}

export function anEnd(facts: Partial<CallEnd> = {}): Omit<CallEnd, 'id'> {
  return { at: noon + 2_000, state: 'complete', totalMs: 2_000, ...facts };
}

export const startLine = (start: CallStart): string => lineText({ type: 'start', ...start });
export const endLine = (end: CallEnd): string => lineText({ type: 'end', ...end });
export const receiptLine = (receipt: Receipt): string => lineText({ type: 'receipt', ...receipt });

/** A window with a ledger, and what it reports. */
export function openLedger(given: { readonly store?: LedgerStore; readonly clock?: Clock } = {}) {
  const store = new MemoryLedger();
  const clock = new ManualClock(noon);
  const defects: unknown[] = [];
  const ledger = new Ledger(given.store ?? store, given.clock ?? clock, (error) => defects.push(error));
  return { ledger, store, clock, defects };
}
