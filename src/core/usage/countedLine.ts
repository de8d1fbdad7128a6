import { type Cost, type CostSource, costSources } from '../reply/cost.ts';
import type { Usage } from '../reply/usage.ts';
import {
  type CallEnd,
  type CallStart,
  callerName,
  type EndState,
  endStates,
  type Receipt,
  readLine,
} from './ledgerLine.ts';
import type { CountedCall } from './usageTotals.ts';

/** A call without an end. */
export type StartedCall = CountedCall & { readonly state: undefined };

/** What sums and limits need of the end of a call. */
export type CountedEnd = Pick<CallEnd, 'id' | 'state' | 'isFree' | 'usage' | 'cost'> & {
  readonly firstTokenMs?: number | undefined;
};

/** What sums need of a receipt. */
export type CountedReceipt = Pick<Receipt, 'id' | 'cost' | 'usage'> & { readonly state: 'receipt' };

type CountedLine = StartedCall | CountedEnd | CountedReceipt;

/** What all calls of a caller to a model have in common. */
type Origin = Pick<CountedCall, 'connection' | 'model' | 'caller'>;

/** A string that is its own JSON: without escapes. */
const string = String.raw`[^"\\\x00-\x1f]*`;
/** A number that JSON and `Number` read alike: at least 0, without an exponent, and short enough to be finite. */
const figure = String.raw`(?:0|[1-9]\d{0,15})(?:\.\d{1,17})?`;

/** Captures what `#startOf` takes. The braces need no escapes without the flag `u`. */
const startPattern = new RegExp(
  `{"v":1,"type":"start","id":"(${string})","at":(${figure}),("connection":"${string}","host":"${string}",` +
    `"model":"${string}","caller":{"kind":"(?:panel|comparison|extension(?:","id":"${string})?)"})` +
    `(?:,"conversation":"(${string})")?(?:,"turn":"${string}")?(,"isInMemory":true)?,"estimate":(${figure})` +
    `(?:,"reserved":{"tokens":(${figure})(?:,"cost":(${figure}))?(?:,"unit":"(${string})")?})?}\n`,
  'y',
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

/** In `usage`, a comma follows each figure but the last. */
const usagePattern = `(,"usage":{${usageNames.map((name) => `(?:"${name}":(${figure})(?:,(?=")|(?=})))?`).join('')}})?`;
const costPattern = `,"cost":{"amount":(${figure}),"unit":"(${string})","source":"(${costSources.join('|')})"}`;

/** Captures what `endOf` takes. */
const endPattern = new RegExp(
  `{"v":1,"type":"end","id":"(${string})","at":${figure},"state":"(${endStates.join('|')})"(,"isFree":true)?` +
    `(?:,"answered":"${string}")?` +
    `${usagePattern}(?:${costPattern})?` +
    `(?:,"requestId":"${string}")?(?:,"firstTokenMs":(${figure}))?,"totalMs":${figure}}\n`,
  'y',
);

/** Captures what `receiptOf` takes, with the figures and the cost at the same places as for an end. */
const receiptPattern = new RegExp(
  `{"v":1,"type":"receipt","id":"(${string})","at":${figure}()()${usagePattern}${costPattern}}\n`,
  'y',
);

/** Reads what sums and limits need of lines. A month may have a hundred thousand of them. */
export class LineReader {
  /** By their JSON in a line. */
  readonly #origins = new Map<string, Origin>();
  readonly #conversations = new Map<string, string>();
  #end = 0;

  /** The index after the line that was read last, and after its line feed. */
  get end(): number {
    return this.#end;
  }

  /** @returns undefined for a line that is cut, damaged or of a later version. */
  read(text: string, from: number): CountedLine | undefined {
    return this.readWritten(text, from) ?? this.#readAny(text, from);
  }

  /**
   * As `read`, but only lines exactly as they are written, without escapes and exponents. That is
   * almost all of them, and takes a third of the time.
   *
   * @returns undefined for all other lines.
   */
  readWritten(text: string, from: number): CountedLine | undefined {
    const type = text.charAt(from + 15);
    const pattern = type === 'e' ? endPattern : type === 'r' ? receiptPattern : startPattern;
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    if (found === null) {
      return undefined;
    }
    this.#end = pattern.lastIndex;
    return type === 'e' ? endOf(found) : type === 'r' ? receiptOf(found) : this.#startOf(found);
  }

  #readAny(text: string, from: number): CountedLine | undefined {
    this.#end = text.indexOf('\n', from) + 1 || text.length;
    const line = readLine(text.slice(from, this.#end));
    switch (line?.type) {
      case 'start':
        return startedCall(line);
      case 'receipt':
        return { ...line, state: 'receipt' };
      default:
        return line;
    }
  }

  #startOf(found: RegExpExecArray): StartedCall | undefined {
    const { 3: json = '', 4: conversation, 7: tokens, 9: unit } = found;
    const origin = this.#origins.get(json) ?? this.#addOrigin(json, found[0]);
    return (
      origin && {
        id: copied(found[1] ?? ''),
        at: Number(found[2]),
        connection: origin.connection,
        model: origin.model,
        caller: origin.caller,
        conversation: conversation === undefined ? undefined : this.#conversationOf(conversation),
        isInMemory: found[5] === undefined ? undefined : true,
        estimate: Number(found[6]),
        reserved: tokens === undefined ? undefined : { tokens: Number(tokens), cost: figureOf(found[8]), unit },
        // All fields at once: each that is added later takes V8 more memory for every call.
        place: undefined,
        state: undefined,
        usage: undefined,
        isFree: undefined,
        cost: undefined,
        firstTokenMs: undefined,
      }
    );
  }

  #addOrigin(json: string, text: string): Origin | undefined {
    const line = readLine(text);
    if (line?.type !== 'start') {
      return undefined;
    }
    const { connection, model, caller } = line;
    const origin = { connection, model, caller: callerName(caller) };
    this.#origins.set(copied(json), origin);
    return origin;
  }

  #conversationOf(text: string): string {
    let id = this.#conversations.get(text);
    if (id === undefined) {
      id = copied(text);
      this.#conversations.set(id, id);
    }
    return id;
  }
}

/** A call that has begun. */
export function startedCall(start: Omit<CallStart, 'host'>): StartedCall {
  const { id, at, connection, model, caller, conversation, isInMemory, estimate, reserved } = start;
  return {
    id,
    at,
    connection,
    model,
    caller: callerName(caller),
    conversation,
    isInMemory,
    estimate,
    reserved,
    place: undefined,
    state: undefined,
    usage: undefined,
    isFree: undefined,
    cost: undefined,
    firstTokenMs: undefined,
  };
}

function endOf(found: RegExpExecArray): CountedEnd {
  return {
    id: found[1] ?? '',
    state: found[2] as EndState,
    isFree: found[3] === undefined ? undefined : true,
    usage: found[4] === undefined ? undefined : usageOf(found),
    cost: found[12] === undefined ? undefined : costOf(found),
    firstTokenMs: figureOf(found[15]),
  };
}

function receiptOf(found: RegExpExecArray): CountedReceipt {
  const usage = found[4] === undefined ? undefined : usageOf(found);
  return { id: copied(found[1] ?? ''), state: 'receipt', cost: costOf(found), usage };
}

function costOf(found: RegExpExecArray): Cost {
  return { amount: Number(found[12]), unit: copied(found[13] ?? ''), source: found[14] as CostSource };
}

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
function copied(text: string): string {
  return ` ${text}`.slice(1);
}
