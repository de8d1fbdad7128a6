import type { Usage } from '../reply/usage.ts';
import { type CallEnd, type Caller, type CallStart, type EndState, endStates, readLine } from './ledgerLine.ts';

/** What sums and limits need of the start of a call. */
export type CountedStart = Omit<CallStart, 'host' | 'turn'>;

/** What sums and limits need of the end of a call. */
export type CountedEnd = Pick<CallEnd, 'id' | 'state' | 'isFree' | 'usage'>;

export type CountedLine = ({ readonly type: 'start' } & CountedStart) | ({ readonly type: 'end' } & CountedEnd);

/** @returns undefined for a line that is cut, damaged or of a later version. */
export function readCountedLine(text: string): CountedLine | undefined {
  return readWrittenLine(text) ?? readLine(text);
}

/** A string that is its own JSON: without escapes. */
const string = String.raw`[^"\\\x00-\x1f]*`;
/** A number that JSON and `Number` read alike: at least 0, without an exponent, and short enough to be finite. */
const figure = String.raw`(?:0|[1-9]\d{0,15})(?:\.\d{1,17})?`;

/** Captures what `startOf` takes. The braces need no escapes without the flag `u`. */
const startPattern = new RegExp(
  `^{"v":1,"type":"start","id":"(${string})","at":(${figure}),"connection":"(${string})","host":"${string}",` +
    `"model":"(${string})","caller":{"kind":"(?:(panel|comparison)|extension(?:","id":"(${string}))?)"}` +
    `(?:,"conversation":"(${string})")?(?:,"turn":"${string}")?,"estimate":(${figure})` +
    `(?:,"reserved":{"tokens":(${figure})(?:,"cost":(${figure}))?})?}$`,
);

const usageNames = [
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'cost',
] as const satisfies readonly (keyof Usage)[];

/** Captures what `endOf` takes. In `usage`, a comma follows each figure but the last. */
const endPattern = new RegExp(
  `^{"v":1,"type":"end","id":"(${string})","at":${figure},"state":"(${endStates.join('|')})"(,"isFree":true)?` +
    `(?:,"answered":"${string}")?` +
    `(,"usage":{${usageNames.map((name) => `(?:"${name}":(${figure})(?:,(?=")|(?=})))?`).join('')}})?` +
    `(?:,"requestId":"${string}")?(?:,"firstTokenMs":${figure})?,"totalMs":${figure}}$`,
);

/**
 * As `readLine`, but only for lines exactly as `startLine` and `endLine` write them, without escapes and exponents. That
 * is almost all of them, and takes half the time.
 *
 * @returns undefined for all other lines.
 */
export function readWrittenLine(text: string): CountedLine | undefined {
  if (text.startsWith('end', 15)) {
    const end = endPattern.exec(text);
    return end === null ? undefined : endOf(end);
  }
  const start = startPattern.exec(text);
  return start === null ? undefined : startOf(start);
}

function startOf(found: RegExpExecArray): CountedLine {
  const tokens = found[9];
  return {
    type: 'start',
    id: copied(found[1] ?? ''),
    at: Number(found[2]),
    connection: found[3] ?? '',
    model: found[4] ?? '',
    caller: callerOf(found[5], found[6]),
    conversation: found[7],
    estimate: Number(found[8]),
    reserved: tokens === undefined ? undefined : { tokens: Number(tokens), cost: figureOf(found[10]) },
  };
}

function callerOf(kind: string | undefined, id: string | undefined): Caller {
  return kind === 'panel' || kind === 'comparison' ? { kind } : { kind: 'extension', id };
}

function endOf(found: RegExpExecArray): CountedLine {
  return {
    type: 'end',
    id: found[1] ?? '',
    state: found[2] as EndState,
    isFree: found[3] === undefined ? undefined : true,
    usage: found[4] === undefined ? undefined : usageOf(found),
  };
}

/** One literal with all fields: each field that is added later takes V8 more memory for every call. */
function usageOf(found: RegExpExecArray): Usage {
  return {
    promptTokens: figureOf(found[5]),
    completionTokens: figureOf(found[6]),
    totalTokens: figureOf(found[7]),
    cachedTokens: figureOf(found[8]),
    cacheWriteTokens: figureOf(found[9]),
    reasoningTokens: figureOf(found[10]),
    cost: figureOf(found[11]),
  };
}

function figureOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** The same text in memory of its own. V8 would keep the whole piece of the file that it was cut from. */
export function copied(text: string): string {
  return ` ${text}`.slice(1);
}
