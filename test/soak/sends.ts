import type { CallGate } from '../../src/core/chat/sending/callGate.ts';
import { defaultLimits, type ReplyEnd } from '../../src/core/client/gatewayClient.ts';
import { type CallEnd, type Caller, type CallStart, readLine } from '../../src/core/usage/ledgerLine.ts';
import type { UsageEntry } from '../gateway/account.ts';
import { targetOf } from '../unit/wire/wireCall.ts';

/** When the person stops a call: before it, so many milliseconds after it, or at that delta. */
type Stop = 'before' | { readonly ms: number } | { readonly deltas: number };

/** One call, as plain data, so that it can be passed to another process. */
export type SendPlan = {
  readonly id: string;
  readonly caller: Caller;
  readonly model: string;
  readonly question: string;
  /** A fault of the gateway, by name. */
  readonly fault?: string;
  /** Whether the gateway reports tokens and ids as in its log despite the fault. */
  readonly isExact: boolean;
  /** Whether nothing listens at the address. */
  readonly isElsewhere?: true;
  readonly stop?: Stop;
  /** Whether it is sent twice at once, like a double click. */
  readonly isDouble?: true;
};

/** How a call ended for its caller. */
export type SendResult = { readonly outcome: ReplyEnd['outcome']; readonly model?: string };

type Kind = {
  readonly fault?: string;
  readonly isElsewhere?: true;
  readonly isDouble?: true;
  readonly stop?: StopKind;
};
type StopKind = 'before' | 'soon' | 'later' | 'amid';

/** Kinds of calls in which the gateway reports tokens and ids as in its log. */
export const exactKinds: readonly Kind[] = [
  {},
  { fault: 'other-model' },
  { fault: 'json-for-stream' },
  { fault: 'closed-when-idle' },
  { stop: 'before' },
  { stop: 'soon' },
  { stop: 'later' },
  { fault: 'runs-on', stop: 'amid' },
  { isElsewhere: true },
  { fault: 'cut-mid-stream:900', stop: 'later' },
  { fault: 'reset-mid-stream:300' },
  { fault: 'reset-before-headers' },
  { fault: 'reset-when-reused' },
  { fault: 'stalled' },
  { fault: 'never-answers', stop: 'later' },
  { fault: 'late-headers:5000' },
  { fault: 'error-200' },
  { fault: 'error-mid-stream' },
  { fault: 'blocked' },
];

const models = ['qwen3-8b', 'deepseek-reasoner', 'gpt-5-mini', 'claude-haiku-4-5', 'no-such-model'];
const callers: readonly Caller[] = [{ kind: 'panel' }, { kind: 'comparison' }, { kind: 'extension', id: 'p.n' }];
/** Short, so that stalls end soon; a slow machine may reach them in other calls too, which changes nothing here. */
export const soakLimits = { ...defaultLimits, firstByteMs: 400, idleMs: 300, payloadMs: 300, totalMs: 3_000 };

/**
 * Plans calls in random order: each exact kind and a double click about equally often, and after each round one call
 * with each of some `otherFaults`.
 */
export function planSends(count: number, random: () => number, otherFaults: readonly string[] = []): SendPlan[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const stops: Readonly<Record<StopKind, () => Stop>> = {
    before: () => 'before',
    soon: () => ({ ms: below(8) }),
    later: () => ({ ms: below(120) }),
    amid: () => ({ deltas: 1 + below(12) }),
  };
  const others = otherFaults.map((fault) => ({ fault }));
  const deck: { readonly kind: Kind; readonly isExact: boolean; readonly order: number }[] = [];
  for (let at = 0; deck.length < count; at++) {
    const round = [...exactKinds, ...(others.length > 0 ? [{ isDouble: true } as const] : [])];
    const isOther = others.length > 0 && at % 2 === 1;
    const kind = isOther
      ? others[(at >> 1) % others.length]
      : round[(isOther ? at : others.length > 0 ? at >> 1 : at) % round.length];
    deck.push({ kind: kind ?? {}, isExact: !isOther, order: random() });
  }
  deck.sort((one, other) => one.order - other.order);
  return deck.map(({ kind: { stop, ...kind }, isExact }, index) => ({
    id: `call-${index}`,
    caller: callers[below(callers.length)] ?? { kind: 'panel' },
    model: models[below(models.length)] ?? '',
    question: 'word '.repeat(1 + below(60)),
    isExact,
    ...kind,
    ...(stop && { stop: stops[stop]() }),
  }));
}

/** Makes a planned call to its end. @throws when a double click was sent twice. */
export async function makeSend(
  plan: SendPlan,
  baseUrl: string,
  key: string,
  calls: Pick<CallGate, 'send'>,
): Promise<SendResult> {
  const { url } = targetOf(baseUrl, key);
  const target = { connection: { id: 'c1', url, headers: {} }, key };
  const request = { model: plan.model, messages: [{ role: 'user', content: plan.question }] as const };
  const origin = { id: plan.id, caller: plan.caller };
  const abort = new AbortController();
  const { stop } = plan;
  let deltas = 0;
  let timer: NodeJS.Timeout | undefined;
  if (stop === 'before') {
    abort.abort();
  } else if (stop && 'ms' in stop) {
    timer = setTimeout(() => abort.abort(), stop.ms);
  }
  const onDelta = () => {
    deltas++;
    if (typeof stop === 'object' && 'deltas' in stop && deltas === stop.deltas) {
      abort.abort();
    }
  };
  const sent = calls.send(target, request, origin, onDelta, abort.signal);
  if (plan.isDouble) {
    const second = await calls.send(target, request, origin, onDelta, abort.signal).catch(() => undefined);
    if (second !== undefined) {
      throw new Error('A double click was sent twice');
    }
  }
  const { outcome, model } = await sent;
  clearTimeout(timer);
  return { outcome, model };
}

/**
 * Compares the ledger with the gateway's own log.
 *
 * @param ledger all its text.
 * @param results of the calls whose window has reported an end; the other windows were killed or reloaded.
 * @returns each difference, as a sentence.
 */
export function differences(
  plans: readonly SendPlan[],
  ledger: string,
  log: readonly UsageEntry[],
  results: ReadonlyMap<string, SendResult>,
): string[] {
  const found: string[] = [];
  const starts = new Map<string, CallStart>();
  const ends = new Map<string, CallEnd>();
  for (const text of ledger.split('\n').filter((each) => each !== '')) {
    const line = readLine(text);
    if (line === undefined) {
      found.push(`A line can't be read: ${text}`);
    } else if (line.type === 'start') {
      found.push(...(starts.has(line.id) ? [`${line.id} has a second start`] : []));
      starts.set(line.id, line);
    } else if (line.type === 'end') {
      found.push(...(ends.has(line.id) ? [`${line.id} has a second end`] : []));
      found.push(...(starts.has(line.id) ? [] : [`${line.id} ends before it starts`]));
      ends.set(line.id, line);
    }
  }
  // A request that broke off before the gateway had read all of it has no key and no model in the log.
  const named = log.filter(({ keyName }) => keyName !== '');
  let cut = log.length - named.length;
  const entries = Map.groupBy(named, ({ keyName }) => keyName);
  for (const plan of plans) {
    const [start, end, result] = [starts.get(plan.id), ends.get(plan.id), results.get(plan.id)];
    const [entry, ...more] = entries.get(plan.id) ?? [];
    const wrong = problemsOf(plan, { start, end, entry, result });
    if (more.length > 0) {
      wrong.push('was sent more than once');
    }
    if (start !== undefined && entry === undefined && end?.state !== 'notSent' && cut > 0) {
      cut--;
    }
    found.push(...wrong.map((each) => `${plan.id} ${each}: ${JSON.stringify({ plan, start, end, entry, result })}`));
  }
  if (cut > 0) {
    found.push(`${cut} requests that broke off belong to no call`);
  }
  return found;
}

type Facts = {
  readonly start: CallStart | undefined;
  readonly end: CallEnd | undefined;
  readonly entry: UsageEntry | undefined;
  readonly result: SendResult | undefined;
};

function problemsOf(plan: SendPlan, { start, end, entry, result }: Facts): string[] {
  const wrong: string[] = [];
  const check = (isRight: boolean, problem: string) => void (isRight || wrong.push(problem));
  check(result === undefined || (start !== undefined && end !== undefined), 'has no start or no end');
  check(entry === undefined || start !== undefined, 'was sent without a line');
  if (start === undefined) {
    return wrong;
  }
  check(start.model === plan.model && start.caller.kind === plan.caller.kind, 'has another model or caller');
  if (end === undefined) {
    return wrong;
  }
  if (entry === undefined) {
    check(end.state === 'notSent' || end.state === 'unknown', 'never reached the gateway');
    check(end.usage === undefined && end.requestId === undefined, 'has figures from nowhere');
    return wrong;
  }
  check(end.state !== 'notSent', 'was sent');
  check(entry.model === start.model || !plan.isExact, 'was sent with another model');
  check(Date.parse(entry.time) >= start.at, 'was sent before its line');
  if (!plan.isExact) {
    return wrong;
  }
  check(end.requestId === undefined || end.requestId === entry.requestId, 'has another request id');
  check(end.requestId !== undefined || end.state === 'unknown', 'has no request id');
  check(end.usage === undefined || end.usage.promptTokens === entry.promptTokens, 'has other input tokens');
  check(end.usage === undefined || end.usage.completionTokens === entry.completionTokens, 'has other output tokens');
  check((result?.outcome === 'complete') === (end.state === 'complete') || result === undefined, 'has another state');
  if (end.state === 'complete') {
    check(end.usage !== undefined && end.firstTokenMs !== undefined, 'is complete without tokens or time');
    check(entry.state === 'ok', 'is complete, but failed at the gateway');
    check(
      result === undefined || end.answered === (result.model === start.model ? undefined : result.model),
      'names another model',
    );
  }
  check(plan.fault !== 'blocked' || plan.model === 'no-such-model' || end.state === 'unknown', 'was blocked');
  return wrong;
}
