import type { Clock } from '../../base/clock.ts';
import { type ChatRequest, chatCall, type GatewayClient, type ReplyEnd } from '../../client/gatewayClient.ts';
import { type Connection, whyNotReady } from '../../connections/connection.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ConnectionDefaults } from '../../connections/questionDefaults.ts';
import { isUnsent, mayBeCharged, type ProblemKind } from '../../errors/gatewayProblem.ts';
import { type Cost, reportedCost } from '../../reply/cost.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';
import { isCounted, type Usage } from '../../reply/usage.ts';
import { estimateRequest } from '../../usage/estimateRequest.ts';
import { type CallStart, callerName, type EndState } from '../../usage/ledgerLine.ts';
import type { Limiter } from '../../usage/limits.ts';
import { costOf, type KnownPrices } from '../../usage/prices/prices.ts';
import { maskedKey } from '../conversation/requestDocument.ts';

/** What the caller of a paid call knows about it. The id is new for each call. */
export type CallOrigin = Pick<CallStart, 'id' | 'caller' | 'conversation' | 'isInMemory'>;

/** Where a call goes. The object exists for one call only, because it holds the key. */
export type CallTarget = {
  readonly connection: Pick<Connection, 'id' | 'url' | 'headers'>;
  readonly key: string;
};

/** How a call ended, with its cost by prices if the gateway reported none. */
export type PaidEnd = ReplyEnd & { readonly cost?: Cost };

export type CallGatePorts = {
  readonly client: Pick<GatewayClient, 'chat'>;
  readonly limiter: Pick<Limiter, 'begin'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Finds the prices of a model that are known now. */
  readonly priceNow: (connection: string, model: string) => KnownPrices | undefined;
  readonly log: { info(text: string): void };
};

/**
 * The one way to a paid call: checks that the call is new and within the person's limits, enters it into the ledger,
 * sends it, and enters how it ended. A test proves that nothing else in the extension sends one.
 */
export class CallGate {
  readonly #ports: CallGatePorts;
  readonly #ids = new Set<string>();
  /** Resolves when the ends of all calls so far are written. */
  #settling: Promise<unknown> = Promise.resolve();

  constructor(ports: CallGatePorts) {
    this.#ports = ports;
  }

  /**
   * Sends one request. The request is not sent before its line is in the ledger, or could not be written. A request
   * that a limit forbids fails, and has no line.
   *
   * @throws when a call with this id was already sent, which is a defect.
   */
  async send(
    { connection, key }: CallTarget,
    request: ChatRequest,
    origin: CallOrigin,
    onDelta: (delta: ReplyDelta) => void,
    signal: AbortSignal,
  ): Promise<PaidEnd> {
    const { client, limiter, clock, log } = this.#ports;
    if (this.#ids.has(origin.id)) {
      throw new Error('This call was already sent');
    }
    this.#ids.add(origin.id);
    const { id, url, headers } = connection;
    const call = { connection: id, host: url.host, model: request.model, estimate: estimateRequest(request) };
    const begun = await limiter.begin({ ...origin, ...call }, request, signal);
    if ('problem' in begun) {
      return { outcome: 'failed', problem: begun.problem };
    }
    if ('isStopped' in begun) {
      return { outcome: 'stopped', isUnsent: true };
    }
    const at = clock.now();
    const settle = (state: EndState, reply: Partial<PaidEnd> = {}, firstTokenMs?: number) => {
      const { usage, cost, requestId, model, problem } = reply;
      const hasArrived = firstTokenMs !== undefined || usage !== undefined;
      const now = clock.now();
      const totalMs = Math.max(0, now - at);
      log.info(endLine({ ...origin, ...call }, state, totalMs, reply));
      const ended = begun.call.end({
        at: now,
        state,
        totalMs,
        ...(state === 'failed' && problem && !mayBeCharged(problem, hasArrived) && { isFree: true }),
        ...(model !== undefined && model !== request.model && { answered: model }),
        usage,
        cost,
        requestId,
        firstTokenMs,
      });
      this.#settling = this.#settling.then(() => ended);
    };
    if (signal.aborted) {
      settle('notSent');
      return { outcome: 'stopped', isUnsent: true };
    }
    const { firstTokenMs, ...end } = await client
      .chat({ url, key, headers }, request, onDelta, signal)
      .catch((error: unknown) => {
        settle('unknown');
        throw error;
      });
    const cost = this.#costOf(id, request.model, end.usage);
    const paid = cost === undefined ? end : { ...end, cost };
    settle(stateOf(end, firstTokenMs !== undefined), paid, firstTokenMs);
    return paid;
  }

  /** The cost of a call that isn't simply reported in its usage. */
  #costOf(connection: string, model: string, usage: Usage | undefined): Cost | undefined {
    if (usage?.cost !== undefined) {
      return usage.costSource && reportedCost(usage);
    }
    return isCounted(usage) ? costOf(this.#ports.priceNow(connection, model), usage) : undefined;
  }

  /** Resolves when the ends of all calls so far are in the ledger. */
  async settled(): Promise<void> {
    await this.#settling;
  }
}

/** The log line of a call that has ended, for comparison with the gateway's log. It has nothing of what was sent. */
function endLine(
  { host, model, caller }: Pick<CallStart, 'host' | 'model' | 'caller'>,
  state: EndState,
  totalMs: number,
  { problem, requestId }: Partial<PaidEnd>,
): string {
  return [
    `${host} ${model} for ${callerName(caller)}: ${state} after ${totalMs} ms`,
    problem && `${problem.kind} ${problem.status ?? ''} ${problem.code ?? ''}`.trim(),
    requestId && `request ${requestId}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Answers that may come from something in front of the gateway. */
const fromElsewhere: ReadonlySet<ProblemKind> = new Set(['blocked', 'webPage', 'redirected']);

/** The state of a call in the ledger. Without any sign of the gateway's own answer, its outcome is unknown. */
function stateOf({ outcome, problem, usage, requestId, model }: ReplyEnd, hasArrived: boolean): EndState {
  // What is in front of the gateway has ids of its own, such as Cloudflare's `cf-ray`.
  const isFromElsewhere = problem !== undefined && fromElsewhere.has(problem.kind);
  if (hasArrived || usage !== undefined || model !== undefined || (requestId !== undefined && !isFromElsewhere)) {
    return outcome;
  }
  if (problem !== undefined && isUnsent(problem)) {
    return 'notSent';
  }
  if (outcome === 'failed' && problem?.status !== undefined && !isFromElsewhere) {
    return 'failed';
  }
  return outcome === 'complete' || outcome === 'incomplete' ? outcome : 'unknown';
}

/** A connection that is ready to send. Its key is held only inside `send`. Each `send` is one paid call. */
export type Sender = {
  readonly host: string;
  /** Id of the connection. */
  readonly connection?: string;
  /** What is set for the connection and its models; by default nothing is. */
  readonly defaults?: ConnectionDefaults;
  send(
    request: ChatRequest,
    origin: CallOrigin,
    onDelta: (delta: ReplyDelta) => void,
    signal: AbortSignal,
  ): Promise<PaidEnd>;
};

/** Finds the connection for a question, or the reason why it can't be sent, as a sentence. */
export type FindSender = () => Promise<{ ok: true; sender: Sender } | { ok: false; reason: string }>;

/** See `openSenders`. */
export type Senders = ReturnType<typeof openSenders>;

/**
 * Finds the sender of a paid call: the connection in use and its key. Only the returned sender holds the key.
 *
 * @param withoutUsage true for a connection whose gateway rejects the option that asks for token counts.
 */
export function openSenders(
  connections: Pick<Connections, 'findDestination' | 'readKeys'>,
  calls: Pick<CallGate, 'send'>,
  userAgent: string,
  withoutUsage: { read(connectionId: string): unknown; write(connectionId: string, value: true): Promise<void> },
) {
  const asSent = (request: ChatRequest, { id }: Pick<Connection, 'id'>): ChatRequest => ({
    ...request,
    withoutUsage: withoutUsage.read(id) === true,
  });
  const find: FindSender = async () => {
    const [destination] = await Promise.all([connections.findDestination(), connections.readKeys()]);
    if (destination.status !== 'ready') {
      return { ok: false, reason: whyNotReady(destination) };
    }
    const { connection, key } = destination;
    return {
      ok: true,
      sender: {
        host: connection.url.host,
        connection: connection.id,
        defaults: connection,
        send: (request, origin, onDelta, signal) =>
          calls.send({ connection, key }, asSent(request, connection), origin, onDelta, signal),
      },
    };
  };
  /**
   * The call that would be made for a request now, for display: as the client builds it, with a mask in place of the key.
   * Or why there is none, as a sentence.
   */
  const preview = async (request: ChatRequest) => {
    const destination = await connections.findDestination();
    if (destination.status !== 'ready') {
      return whyNotReady(destination);
    }
    const { connection } = destination;
    const target = { url: connection.url, key: maskedKey, headers: connection.headers };
    return chatCall(target, asSent(request, connection), userAgent);
  };

  /** Remembers that the gateway of a connection rejects the option that asks for token counts. */
  const omitUsage = (connectionId: string) => withoutUsage.write(connectionId, true);

  return { find, preview, omitUsage };
}
