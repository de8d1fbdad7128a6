import { type ContenderName, labels } from './contenders.ts';
import { compete } from './field.ts';
import { type Bar, type Measured, median, medianRatio, rounded } from './figures.ts';
import { type StreamKind, streamOf } from './replies.ts';
import { bulkChunks, decodeRounds, otherDecodeRounds } from './settings.ts';

const all = ['ours', 'ourReader', 'undici', 'undiciParser', 'openai', 'aiSdk'] as const satisfies ContenderName[];
const few = ['ours', 'undiciParser', 'openai'] as const satisfies ContenderName[];

/** Measures 50,000 chunks that arrive in bulk: the cost of decoding, including the request and the end. */
export async function decode(): Promise<Measured> {
  const same = await measure('same', all, decodeRounds);
  const chinese = await measure('chinese', few, otherDecodeRounds);
  // Each chunk has a different id. The result is shown but has no limit.
  const different = await measure('different', few, otherDecodeRounds);
  return {
    title: `decode: ${bulkChunks.toLocaleString('en')} chunks in bulk, median of ${decodeRounds.counted} rounds`,
    rows: [...same.rows, ...chinese.rows, ...different.rows],
    bars: [
      overParser('', same),
      {
        name: 'speed over the openai client',
        value: same.timesFaster('openai'),
        limit: 4,
        mustBe: 'at least',
        unit: '×',
      },
      overParser(', Chinese', chinese),
    ],
  };
}

type Race = { readonly rows: Measured['rows']; timesFaster(name: (typeof few)[number]): number };

async function measure(
  kind: StreamKind,
  names: readonly (typeof all)[number][],
  rounds: typeof decodeRounds,
): Promise<Race> {
  const calls = await compete(names, kind, rounds);
  const { units } = streamOf(bulkChunks, kind);
  for (const name of names) {
    if (name !== 'undici' && calls[name].some((call) => call.units !== units)) {
      throw new Error(`${labels[name]} has not read all of the text`);
    }
  }
  const times = (name: (typeof all)[number]) => calls[name].map(({ totalMs }) => totalMs);
  const timesFaster = (name: (typeof all)[number]) => medianRatio(times(name), times('ours'));
  const rows = names.map((name) => ({
    chunks: kind,
    contender: labels[name],
    'chunks/s': Math.round(bulkChunks / (median(times(name)) / 1_000)),
    ms: rounded(median(times(name))),
    'its time / ours': rounded(timesFaster(name)),
  }));
  return { rows, timesFaster };
}

function overParser(which: string, { timesFaster }: Race): Bar {
  const name = `speed over undici + eventsource-parser + JSON.parse${which}`;
  return { name, value: timesFaster('undiciParser'), limit: 0.85, mustBe: 'at least', unit: '×' };
}
