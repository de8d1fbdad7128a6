import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateRequest } from '../../../../../src/core/usage/estimateRequest.ts';
import { randomNumbers } from '../../../../randomNumbers.ts';

/** Lines, each with the tokens that seven tokenizers count for it between two others; from `test/bench/tokens`. */
const counted: { readonly tokenizers: readonly string[]; readonly lines: Record<string, [string, ...number[]][]> } =
  JSON.parse(readFileSync(join(import.meta.dirname, 'countedLines.json'), 'utf8'));

export const tokenizers = counted.tokenizers.length;

type Kind = 'english' | 'chinese' | 'code' | 'french';
type Text = { readonly text: string; readonly tokens: number };

/** What a person asks about, and how. */
export type Habits = {
  /** The kinds of texts, as often as they are in here. */
  readonly kinds?: readonly Kind[];
  readonly style?: 'questions' | 'small' | 'conversations' | 'file';
  /** The range of the tokens of a question. */
  readonly range?: readonly [number, number];
};

const habits: readonly Habits[] = [
  { kinds: ['english'] },
  { kinds: ['chinese'] },
  { kinds: ['code'] },
  { kinds: ['english', 'code', 'code'] },
  { kinds: ['chinese', 'code'] },
  { kinds: ['english', 'chinese', 'code', 'french'] },
];
const styles = ['questions', 'small', 'conversations', 'file'] as const;

export type Sent = {
  readonly request: {
    readonly model: 'm';
    readonly messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  };
  readonly estimate: number;
  readonly reported: number;
};

/**
 * The calls of a person to an honest gateway, with one of the tokenizers. The gateway may always send a prompt of its
 * own, and counts some tokens for each message. @param fixed habits that the person never changes.
 */
export function* callsOf(seed: number, fixed?: Habits): Generator<Sent, never> {
  const random = randomNumbers(seed);
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
  const between = (least: number, most: number) => least * (most / least) ** random();
  const tokenizer = 1 + (seed % tokenizers);
  const hidden = pick([0, 0, 20, 200, 1_000, 4_000]);
  const perMessage = pick([3, 4, 7, 20]);
  const multiple = pick([1, 1, 1.3]);
  let { kinds = ['english'], style = 'questions', range = [20, 1_000] }: Habits = fixed ?? pick(habits);

  /** A text of this length, out of a few lines of one kind. */
  const textOf = (tokensWanted: number): Text => {
    const lines = counted.lines[pick(kinds)] ?? [];
    const few = Array.from({ length: 8 }, () => pick(lines));
    const chosen: string[] = [];
    let tokens = 0;
    while (tokens < tokensWanted) {
      const line = pick(few);
      chosen.push(line[0]);
      tokens += Number(line[tokenizer]);
    }
    return { text: chosen.join('\n'), tokens };
  };
  const system = random() < 0.5 && fixed === undefined ? [textOf(between(30, 500))] : [];
  const send = (texts: readonly Text[]): Sent => {
    const all = [...system, ...texts];
    const messages = all.map(({ text }, index) => ({
      role:
        index < system.length
          ? ('system' as const)
          : (index - system.length) % 2 === 0
            ? ('user' as const)
            : ('assistant' as const),
      content: text,
    }));
    const tokens = all.reduce((sum, text) => sum + text.tokens + perMessage, 0);
    const request = { model: 'm' as const, messages };
    return { request, estimate: estimateRequest(request), reported: Math.round(tokens * multiple) + hidden };
  };
  for (let until = 0, call = 0; ; ) {
    if (fixed === undefined && call >= until) {
      until = call + 20 + random() * 80;
      ({ kinds = kinds } = pick(habits));
      style = pick(styles);
    }
    if (style === 'questions' || style === 'small') {
      yield send([style === 'small' ? textOf(between(8, 150)) : textOf(between(...range))]);
      call++;
      continue;
    }
    const turns = 1 + Math.floor(random() * 10);
    const about = textOf(between(100, 800));
    const texts: Text[] = [];
    for (let turn = 0; turn < turns; turn++, call++) {
      const question = textOf(between(8, 100));
      if (style === 'file') {
        yield send([{ text: `${about.text}\n\n${question.text}`, tokens: about.tokens + question.tokens }]);
      } else {
        texts.push(turn === 0 ? about : question);
        yield send(texts);
        texts.push(textOf(between(60, 200)));
      }
    }
  }
}
