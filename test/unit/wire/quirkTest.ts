import { runOver, type Wire } from './wire.ts';

/** One test of the suite. Its title begins with the quirks it shows: `Q1`, `Q8 Q27`, or a section such as `1.6`. */
export interface QuirkTest {
  readonly title: string;
  readonly run: () => Promise<void>;
  /** The only way to a gateway this can be shown on; without it every one will do. */
  readonly wire?: Wire;
}

/** Runs a test over its own wire, or over the one that is given. */
export function runTest({ run, wire }: QuirkTest, given: Wire): Promise<void> {
  return runOver(wire ?? given, run);
}

/** The numbers of the quirks a title names. */
export function quirksOf(title: string): number[] {
  return [...title.matchAll(/\bQ(\d+)\b/g)].map(([, number]) => Number(number));
}
