import { isRecord, type LooseRecord, parseJson } from '../base/loose.ts';
import { type Cost, costSources } from '../reply/cost.ts';
import type { Usage } from '../reply/usage.ts';

/** What made a call: the panel, a comparison, or another extension; without `id` VS Code doesn't say which one. */
export type Caller =
  | { readonly kind: 'panel' }
  | { readonly kind: 'comparison' }
  | { readonly kind: 'extension'; readonly id?: string | undefined };

/** What a call may use at most, as estimated before it is sent. Counts for limits until its usage is reported. */
export type Reservation = {
  /** Input and output together. */
  readonly tokens: number;
  /** Absent without a price. */
  readonly cost?: number | undefined;
  /** The unit of the cost; see `Money`. Absent for `USD`. */
  readonly unit?: string | undefined;
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
  readonly conversation?: string | undefined;
  readonly turn?: string;
  /** Only if the conversation isn't stored on disk. */
  readonly isInMemory?: true | undefined;
  /** Our own estimate of the input, in tokens. */
  readonly estimate: number;
  /** Only if a limit is set. */
  readonly reserved?: Reservation | undefined;
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
  readonly isFree?: true | undefined;
  /** The model that answered, only when it isn't the one that was asked. */
  readonly answered?: string;
  /** As reported by the gateway; absent when it reported nothing. */
  readonly usage?: Usage | undefined;
  /** Tokens times the prices that were known then; absent without prices, and when the gateway reported a cost. */
  readonly cost?: Cost | undefined;
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
  readonly usage?: Usage | undefined;
};

/** A line of the ledger: a call that is about to be sent, one that ended, or what it was charged. */
export type LedgerLine =
  | ({ readonly v: typeof version; readonly type: 'start' } & CallStart)
  | ({ readonly v: typeof version; readonly type: 'end' } & CallEnd)
  | ({ readonly v: typeof version; readonly type: 'receipt' } & Receipt);

/** The version of the format, in every line, because a month may have lines of several versions. */
const version = 1;

export const endStates = ['complete', 'stopped', 'incomplete', 'failed', 'notSent', 'unknown'] as const;

/** The line of a call that is about to be sent, with its line break. */
export function startLine(start: CallStart): string {
  const { id, at, connection, host, model, caller, conversation, turn, isInMemory, estimate, reserved } = start;
  // Field by field, so that nothing else that the object may hold is written.
  const by = { kind: caller.kind, ...(caller.kind === 'extension' && { id: caller.id }) };
  const unit = reserved?.unit === 'USD' ? undefined : reserved?.unit;
  const most = reserved && { tokens: reserved.tokens, cost: reserved.cost, unit };
  const origin = { id, at, connection, host, model, caller: by, conversation, turn, isInMemory };
  return write({ type: 'start', ...origin, estimate, reserved: most });
}

/** The line of a call that ended, with its line break. */
export function endLine({ id, at, state, isFree, answered, usage, cost, ...others }: CallEnd): string {
  const { requestId, firstTokenMs, totalMs } = others;
  const facts = { id, at, state, isFree, answered, usage: figuresOf(usage), cost: costOf(cost) };
  return write({ type: 'end', ...facts, requestId, firstTokenMs, totalMs });
}

/** The line of what a call was charged, with its line break. */
export function receiptLine({ id, at, cost, usage }: Receipt): string {
  return write({ type: 'receipt', id, at, usage: figuresOf(usage), cost: costOf(cost) });
}

function figuresOf(usage: Usage | undefined) {
  return (
    usage && {
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      totalTokens: usage.totalTokens,
      cachedTokens: usage.cachedTokens,
      cacheWriteTokens: usage.cacheWriteTokens,
      reasoningTokens: usage.reasoningTokens,
      cost: usage.cost,
    }
  );
}

function costOf(cost: Cost | undefined) {
  return cost && { amount: cost.amount, unit: cost.unit, source: cost.source };
}

function write(fields: object): string {
  return `${JSON.stringify({ v: version, ...fields })}\n`;
}

/**
 * Without a schema, which would take three times as long: a month may have a hundred thousand lines.
 *
 * @returns undefined for a line that is cut, damaged or of a later version.
 */
export function readLine(text: string): LedgerLine | undefined {
  const line = parseJson(text);
  return isRecord(line) && line.v === version && (isStart(line) || isEnd(line) || isReceipt(line)) ? line : undefined;
}

type LineOf<Type> = LooseRecord & Extract<LedgerLine, { readonly type: Type }>;

function isStart(line: LooseRecord): line is LineOf<'start'> {
  return (
    line.type === 'start' &&
    isText(line.id) &&
    isFigure(line.at) &&
    isText(line.connection) &&
    isText(line.host) &&
    isText(line.model) &&
    isCaller(line.caller) &&
    isAbsentOr(isText, line.conversation) &&
    isAbsentOr(isText, line.turn) &&
    isAbsentOr(isTrue, line.isInMemory) &&
    isFigure(line.estimate) &&
    isAbsentOr(isReservation, line.reserved)
  );
}

function isEnd(line: LooseRecord): line is LineOf<'end'> {
  return (
    line.type === 'end' &&
    isText(line.id) &&
    isFigure(line.at) &&
    endStates.some((state) => state === line.state) &&
    isAbsentOr(isTrue, line.isFree) &&
    isAbsentOr(isText, line.answered) &&
    isAbsentOr(isUsage, line.usage) &&
    isAbsentOr(isCost, line.cost) &&
    isAbsentOr(isText, line.requestId) &&
    isAbsentOr(isFigure, line.firstTokenMs) &&
    isFigure(line.totalMs)
  );
}

function isReceipt(line: LooseRecord): line is LineOf<'receipt'> {
  return (
    line.type === 'receipt' &&
    isText(line.id) &&
    isFigure(line.at) &&
    isCost(line.cost) &&
    isAbsentOr(isUsage, line.usage)
  );
}

function isCaller(value: unknown): boolean {
  if (!isRecord(value)) {
    return false;
  }
  const { kind, id } = value;
  return kind === 'panel' || kind === 'comparison' || (kind === 'extension' && isAbsentOr(isText, id));
}

function isReservation(value: unknown): boolean {
  return (
    isRecord(value) && isFigure(value.tokens) && isAbsentOr(isFigure, value.cost) && isAbsentOr(isText, value.unit)
  );
}

function isCost(value: unknown): boolean {
  return (
    isRecord(value) &&
    isFigure(value.amount) &&
    isText(value.unit) &&
    costSources.some((source) => source === value.source)
  );
}

function isUsage(value: unknown): boolean {
  return (
    isRecord(value) &&
    isAbsentOr(isFigure, value.promptTokens) &&
    isAbsentOr(isFigure, value.completionTokens) &&
    isAbsentOr(isFigure, value.totalTokens) &&
    isAbsentOr(isFigure, value.cachedTokens) &&
    isAbsentOr(isFigure, value.cacheWriteTokens) &&
    isAbsentOr(isFigure, value.reasoningTokens) &&
    isAbsentOr(isFigure, value.cost)
  );
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** A finite number of at least 0, as all figures are. */
function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isAbsentOr(check: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || check(value);
}

/** The name of a caller in sums: `panel`, `comparison`, `extension` when VS Code doesn't say which, `extension:<id>`. */
export function callerName(caller: Caller): string {
  return caller.kind === 'extension' && caller.id !== undefined ? `extension:${caller.id}` : caller.kind;
}
