import { type ContenderName, labels } from './contenders.ts';
import { compete } from './field.ts';
import { type Measured, median, medianRatio, rounded } from './figures.ts';
import { streamOf } from './replies.ts';
import { bulkChunks, decodeRounds } from './settings.ts';

const names = ['ours', 'ourReader', 'undici', 'undiciParser', 'openai', 'aiSdk'] as const satisfies ContenderName[];

/** 50,000 chunks that arrive in bulk: a decoder's own cost, request and end included. */
export async function decode(): Promise<Measured> {
  const calls = await compete(names, 'bulk', decodeRounds);
  const { units } = streamOf(bulkChunks);
  for (const name of names) {
    if (name !== 'undici' && calls[name].some((call) => call.units !== units)) {
      throw new Error(`${labels[name]} has not read all of the text`);
    }
  }
  const times = (name: (typeof names)[number]) => calls[name].map(({ totalMs }) => totalMs);
  const timesFaster = (name: (typeof names)[number]) => medianRatio(times(name), times('ours'));
  return {
    title: `decode: ${bulkChunks.toLocaleString('en')} chunks in bulk, median of ${decodeRounds.counted} rounds`,
    rows: names.map((name) => ({
      contender: labels[name],
      'chunks/s': Math.round(bulkChunks / (median(times(name)) / 1_000)),
      ms: rounded(median(times(name))),
      'its time / ours': rounded(timesFaster(name)),
    })),
    bars: [
      {
        name: 'speed over undici + eventsource-parser + JSON.parse',
        value: timesFaster('undiciParser'),
        limit: 0.85,
        mustBe: 'at least',
        unit: '×',
      },
      { name: 'speed over the openai client', value: timesFaster('openai'), limit: 4, mustBe: 'at least', unit: '×' },
    ],
  };
}
