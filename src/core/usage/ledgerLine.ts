import { isRecord, parseJson, recordOf } from '../base/loose.ts';
import { mostOfCall } from '../base/money.ts';
import { type Cost, costSources } from '../reply/cost.ts';
import { storedUsage, type Usage } from '../reply/usage.ts';

/** What makes the calls of the person: the panel, a comparison, or a command that sends without a question box. */
const ownCallers = ['panel', 'comparison', 'explain', 'review', 'edit', 'commitMessage', 'prompt'] as const;
export type OwnCaller = (typeof ownCallers)[number];

/** What made a call: see `OwnCaller`; or another extension, without `id` if VS Code doesn't say which one. */
export type Caller = { readonly kind: OwnCaller } | { readonly kind: 'extension'; readonly id?: string | undefined };

/** What a call may use at most, as estimated before it is sent. Counts for limits until its usage is reported. */
export type Reservation = {
  /** Input and output together. */
  readonly tokens: number;
  /** Absent without a price. */
  readonly cost?: number;
  /** The unit of the cost; see `Money`. Absent for `USD`. */
  readonly unit?: string;
};

/** What is known before a paid call is sent. Holds neither content nor key. */
export type CallStart = {
  /** Random and unique; also names the call in its end. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The id of the connection. */
  readonly connection: string;
  readonly host: string;
  /** The model ID that is asked. */
  readonly model: string;
  readonly caller: Caller;
  readonly conversation?: string;
  /** Only if the conversation isn't stored on disk. */
  readonly isInMemory?: true;
  /** Our own estimate of the input, in tokens. */
  readonly estimate: number;
  /** Only if a limit is set. */
  readonly reserved?: Reservation;
};

/**
 * How a call ended; `notSent` when no request reached the gateway, `unknown` when nothing shows whether one did.
 */
export type EndState = (typeof endStates)[number];

/** What is known at the end of a paid call. Holds neither content nor key. */
export type CallEnd = {
  /** The id of its start. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly state: EndState;
  /** Only for a failed call that the gateway refused before a model ran, so that it costs nothing. */
  readonly isFree?: true;
  /** The model that answered, only when it isn't the one that was asked. */
  readonly answered?: string;
  /** As reported by the gateway; absent when it reported nothing. */
  readonly usage?: Usage;
  /** Tokens times the prices that were known then; absent without prices, and when the gateway reported a cost. */
  readonly cost?: Cost;
  readonly requestId?: string;
  readonly firstTokenMs?: number;
  readonly totalMs: number;
};

/** What the gateway's own log says about a call. The last one of a call counts. */
export type Receipt = {
  /** The id of the call. */
  readonly id: string;
  /** When it was read, in Unix milliseconds. */
  readonly at: number;
  /** Its source is `charged` or `likely`. */
  readonly cost: Cost;
  /** The tokens in the log, for a call whose answer reported none. */
  readonly usage?: Usage;
};

/** A line of the ledger: a call that is about to be sent, one that ended, or what it was charged. */
export type LedgerLine =
  | ({ readonly type: 'start' } & CallStart)
  | ({ readonly type: 'end' } & CallEnd)
  | ({ readonly type: 'receipt' } & Receipt);

/** The version of the format, in every line, because a month may have lines of several versions. */
const version = 1;

const endStates = ['complete', 'stopped', 'incomplete', 'failed', 'notSent', 'unknown'] as const;

type Check = (value: unknown) => boolean;
/** What each field of a line must be. A schema of zod would take three times as long as `JSON.parse` itself. */
type Shape<T> = { readonly [Name in keyof Required<T>]: Check };

const isText: Check = (value) => typeof value === 'string';
/** A finite number of at least 0, as all figures are. */
const isFigure: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isOfCall: Check = (value) => isFigure(value) && Number(value) <= mostOfCall;
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
function shaped(shape: Readonly<Record<string, Check>>): Check {
  const fields = Object.entries(shape);
  return (value) => isRecord(value) && fields.every(([name, check]) => check(value[name]));
}

const usage = Object.fromEntries(Object.keys(storedUsage.shape).map((name) => [name, optional(isOfCall)]));
const cost: Shape<Cost> = { amount: isOfCall, unit: isText, source: oneOf(...costSources) };
const caller: Shape<Extract<Caller, { readonly kind: 'extension' }>> = {
  kind: oneOf(...ownCallers, 'extension'),
  id: optional(isText),
};
const reserved: Shape<Reservation> = { tokens: isFigure, cost: optional(isFigure), unit: optional(isText) };
const shapes: { readonly [Line in LedgerLine as Line['type']]: Shape<Omit<Line, 'type'>> } = {
  start: {
    id: isText,
    at: isFigure,
    connection: isText,
    host: isText,
    model: isText,
    caller: shaped(caller),
    conversation: optional(isText),
    isInMemory: optional(oneOf(true)),
    estimate: isFigure,
    reserved: optional(shaped(reserved)),
  },
  end: {
    id: isText,
    at: isFigure,
    state: oneOf(...endStates),
    isFree: optional(oneOf(true)),
    answered: optional(isText),
    usage: optional(shaped(usage)),
    cost: optional(shaped(cost)),
    requestId: optional(isText),
    firstTokenMs: optional(isFigure),
    totalMs: isFigure,
  },
  receipt: {
    id: isText,
    at: isFigure,
    usage: optional(shaped(usage)),
    cost: shaped(cost),
  },
};
const checks = new Map<unknown, Check>(Object.entries(shapes).map(([type, shape]) => [type, shaped(shape)]));
/** Nothing else that an object may hold is written. */
const written = ['v', 'type', ...[...Object.values(shapes), caller, reserved, usage, cost].flatMap(Object.keys)];

/** The text of a line, with its line break. */
export function lineText(line: LedgerLine): string {
  // Only another extension has an id.
  const own = line.type === 'start' && line.caller.kind !== 'extension' && { caller: { kind: line.caller.kind } };
  return `${JSON.stringify({ ...line, ...own, v: version }, written)}\n`;
}

/** @returns undefined for a line that is cut, damaged or of a later version. */
export function readLine(text: string): LedgerLine | undefined {
  // A power loss leaves zeros before or after a line.
  const line = recordOf(parseJson(text.replaceAll('\0', '')));
  return line.v === version && checks.get(line.type)?.(line) ? (line as unknown as LedgerLine) : undefined;
}

/** The name of a caller in sums: an `OwnCaller`, `extension` when VS Code doesn't say which, or `extension:<id>`. */
export function callerName(caller: Caller): string {
  return caller.kind === 'extension' && caller.id !== undefined ? `extension:${caller.id}` : caller.kind;
}
