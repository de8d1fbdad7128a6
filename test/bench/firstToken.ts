import { type ContenderName, labels } from './contenders.ts';
import { compete } from './field.ts';
import { atMost, type Measured, median, rounded } from './figures.ts';
import { firstTokenRounds } from './settings.ts';

const names = ['undici', 'ours', 'fetchParser', 'openai', 'aiSdk'] as const satisfies ContenderName[];

/** Measures the time to the first text on an open connection. The first bytes of raw undici are the lower bound. */
export async function firstToken(): Promise<Measured> {
  const calls = await compete(names, 'paced', firstTokenRounds);
  const first = (name: (typeof names)[number]) => median(calls[name].map(({ firstMs }) => firstMs));
  const over = (name: (typeof names)[number]) => first(name) - first('undici');
  return {
    title: `first-token: time to the first text, median of ${firstTokenRounds.counted * firstTokenRounds.calls}`,
    rows: names.map((name) => ({
      contender: labels[name],
      ms: rounded(first(name), 3),
      'over undici, ms': rounded(over(name), 3),
    })),
    bars: [atMost('first text over raw undici', over('ours'), 0.2)],
  };
}
