import { runOver, type Wire } from './wire.ts';

/** One test of the suite. Its title starts with the quirks it covers: `Q1`, `Q8 Q27`, or a section such as `1.6`. */
export interface QuirkTest {
  readonly title: string;
  readonly run: () => Promise<void>;
  /** The only wire this test can use; undefined if it can use any. */
  readonly wire?: Wire;
}

/** Runs a test over its own wire if it has one, else over the given one. */
export function runTest({ run, wire }: QuirkTest, given: Wire): Promise<void> {
  return runOver(wire ?? given, run);
}

/** The quirk numbers in a title. */
export function quirksOf(title: string): number[] {
  return [...title.matchAll(/\bQ(\d+)\b/g)].map(([, number]) => Number(number));
}
