/** One test of the suite. Its title begins with the quirks it shows: `Q1`, `Q8 Q27`, or a section such as `1.6`. */
export interface QuirkTest {
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** The numbers of the quirks a title names. */
export function quirksOf(title: string): number[] {
  return [...title.matchAll(/\bQ(\d+)\b/g)].map(([, number]) => Number(number));
}
