import type { Clock } from '../base/clock.ts';
import { ShortTurns } from '../base/shortTurns.ts';
import type { BaseUrl } from '../connections/baseUrl.ts';
import type { AnswerFacts } from '../errors/classify.ts';
import { GatewayError, type GatewayProblem, type ProblemKind, type ProblemOf } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { isMereRedirect, isWithin, redirectProblem, redirectTarget } from '../errors/redirect.ts';
import { requestHeaders } from '../http/requestHeaders.ts';
import { RequestTimers, type TimerLimits } from '../http/requestTimers.ts';
import { pause, retryDelay } from '../http/retry.ts';
import type { Transport, TransportRequest, TransportResponse } from '../http/transport.ts';
import type { ModelListAnswer } from '../models/list/model.ts';
import { readModelsAnswer } from '../models/list/readModelsAnswer.ts';
import type { ReplyDelta } from '../reply/replyContent.ts';
import { ReplyReader, type ReplyVerdict } from '../reply/replyReader.ts';
import { OwnKey } from '../secrets/ownKey.ts';
import { chatCall } from './chatCall.ts';
import type { ChatRequest } from './chatRequest.ts';

export type ReplyEnd = Omit<ReplyVerdict, 'outcome'> & { readonly outcome: ReplyVerdict['outcome'] | 'stopped' };

/** Where a call goes and with what; the key is asked for at the call and never kept in an object. */
export type Target = {
  readonly url: BaseUrl;
  readonly key: string;
  /** The connection's extra headers, checked by `readConnections`. */
  readonly headers?: Readonly<Record<string, string>>;
};

const maxListBytes = 20 * 1024 * 1024;
/** Text, reasoning and calls of tools of one reply, in UTF-16 units; far beyond what any model writes. */
const maxReplyUnits = 32 * 1024 * 1024;
/** What a reply may bring besides, such as comments and empty events; each unit of it may come in so much wrapping. */
const maxEmptyBytes = 64 * 1024 * 1024;
const wrappingBytes = 1_024;
/** What an event is that the reader does not take. */
const largeEvent = { kind: 'tooLarge', limitBytes: 8 * 1024 * 1024 } as const;
/** After a finish reason only usage can still come; some gateways never close (wire Q8). */
const afterFinishMs = 5_000;
const maxRedirects = 3;
/** How long the answer that may come with a mere redirect has to begin; most have none. */
const redirectBodyMs = 5_000;
/** What a reader says of an answer that just is not all there. */
const unexplained: ReadonlySet<ProblemKind> = new Set(['cut', 'emptyReply', 'unreadable']);
/** What a reader says of the body of a redirect, which is nothing, a line or a page. */
const ofRedirect: ReadonlySet<ProblemKind> = new Set([...unexplained, 'webPage', 'blocked', 'redirected']);

/** The service's client: the two calls of service.md section 4. Holds no state of any call. */
export class GatewayClient {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #limits: TimerLimits;
  readonly #random: () => number;
  readonly #userAgent: string;

  /** @param options `limits` is read for each call; `random` gives numbers from 0 to 1 and spreads repeated reads. */
  constructor(options: {
    transport: Transport;
    clock: Clock;
    limits: TimerLimits;
    userAgent: string;
    random?: () => number;
  }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#random = options.random ?? Math.random;
    this.#userAgent = options.userAgent;
  }

  /**
   * `GET /v1/models`. Costs nothing. Redirects are followed within the origin only, because the key goes along.
   *
   * @param retries how often it is read again after a trouble that may pass by itself.
   * @throws GatewayError when there is no list; the signal's reason when it was aborted.
   */
  async listModels(target: Target, signal: AbortSignal, retries = 0): Promise<ModelListAnswer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#listOnce(target, signal);
      } catch (error) {
        const delayMs = attempt < retries ? retryDelay(error, attempt, this.#random()) : undefined;
        if (delayMs === undefined) {
          throw error;
        }
        await pause(this.#clock, delayMs, signal);
      }
    }
  }

  async #listOnce(target: Target, signal: AbortSignal): Promise<ModelListAnswer> {
    const limits = { ...this.#limits };
    const timers = new RequestTimers(this.#clock, { ...limits, totalMs: Math.min(limits.totalMs, 60_000) }, signal);
    let hasBegun = false;
    try {
      let url = target.url.modelsUrl;
      for (let hop = 0; ; hop++) {
        const response = await this.#send(
          { method: 'GET', url, headers: this.#headers(target), connectTimeoutMs: limits.connectMs },
          timers.signal,
        );
        const next = redirectTarget(response, url);
        if (next === undefined) {
          hasBegun = true;
          return await this.#readList(response, target, timers);
        }
        if (!isWithin(next, target.url.origin) || hop === maxRedirects) {
          throw new GatewayError(redirectProblem(url, next, response, [target.key]));
        }
        url = next;
      }
    } catch (error) {
      if (error instanceof GatewayError) {
        throw error;
      }
      signal.throwIfAborted();
      throw new GatewayError(timers.problem ?? brokenBy(error, target, hasBegun));
    } finally {
      // Ends what was not read to its end, such as the body of a redirect.
      timers.abort();
      timers.dispose();
    }
  }

  /**
   * `POST /v1/chat/completions`, exactly once, whatever happens: every call is charged. Never throws for what a gateway
   * or a network does; the end is data, and the text that arrived has gone to `onDelta` in any case.
   */
  async chat(
    target: Target,
    request: ChatRequest,
    onDelta: (delta: ReplyDelta) => void,
    signal: AbortSignal,
  ): Promise<ReplyEnd> {
    const limits = { ...this.#limits };
    const timers = new RequestTimers(this.#clock, limits, signal);
    let reader: ReplyReader | undefined;
    let finish: { dispose(): void } | undefined;
    let problem: GatewayProblem | undefined;
    let moved: ProblemOf<'redirected'> | undefined;
    let begun: { dispose(): void } | undefined;
    try {
      const answering = this.#send(
        {
          ...chatCall({ ...target, chatUrl: target.url.chatUrl }, request, this.#userAgent),
          connectTimeoutMs: limits.connectMs,
        },
        timers.signal,
      );
      // While the gateway has yet to answer, it delays nothing.
      const ownKey = new OwnKey([target.key]);
      const response = await answering;
      const next = redirectTarget(response, target.url.chatUrl);
      // It is never followed, but what came with it may be an answer, and paid for.
      moved = next === undefined ? undefined : redirectProblem(target.url.chatUrl, next, response, [target.key]);
      reader = new ReplyReader(this.#answerOf(response, target), onDelta, ownKey);
      if (moved && isMereRedirect(response.headers)) {
        begun = this.#clock.after(redirectBodyMs, () => timers.abort());
      }
      let size = 0;
      for await (const bytes of response.body) {
        size += bytes.byteLength;
        begun?.dispose();
        const payloads = reader.payloads;
        reader.feed(bytes);
        const isTooMuch = reader.units > maxReplyUnits;
        if (isTooMuch || size > maxEmptyBytes + reader.units * wrappingBytes) {
          problem = { kind: 'tooLarge', limitBytes: isTooMuch ? maxReplyUnits : maxEmptyBytes };
          break;
        }
        timers.heard(reader.payloads > payloads);
        if (reader.isDone) {
          break;
        }
        if (reader.isFinished && finish === undefined) {
          finish = this.#clock.after(afterFinishMs, () => timers.abort());
        }
      }
    } catch (error) {
      if (!signal.aborted && reader?.isFinished !== true) {
        problem =
          timers.problem ?? (error instanceof RangeError ? largeEvent : brokenBy(error, target, reader !== undefined));
      }
    } finally {
      begun?.dispose();
      finish?.dispose();
      timers.abort();
      timers.dispose();
    }
    let verdict: ReplyVerdict | undefined;
    try {
      verdict = reader?.end();
    } catch (error) {
      // The text is told already, and what was paid is known; only the rest of the end is lost.
      problem ??= error instanceof RangeError ? largeEvent : brokenBy(error, target, true);
      verdict = { outcome: 'failed', problem, ...(reader?.usage && { usage: reader.usage }) };
    }
    return this.#ended(verdict, problem, moved, signal.aborted);
  }

  #ended(
    verdict: ReplyVerdict | undefined,
    problem: GatewayProblem | undefined,
    moved: ProblemOf<'redirected'> | undefined,
    isStopped: boolean,
  ): ReplyEnd {
    if (verdict === undefined) {
      return isStopped || problem === undefined ? { outcome: 'stopped' } : { outcome: 'failed', problem };
    }
    const isRedirect = verdict.outcome === 'failed' && verdict.problem !== undefined && verdict.usage === undefined;
    if (moved && isRedirect && !isStopped && ofRedirect.has(verdict.problem.kind)) {
      // Where its body did not end, what would have come is unknown.
      return { outcome: 'failed', problem: problem ? { ...moved, mayHaveRun: true } : moved };
    }
    const isUnexplained = verdict.problem !== undefined && unexplained.has(verdict.problem.kind);
    if (!isUnexplained) {
      return verdict;
    }
    if (isStopped) {
      const { problem: _, ...facts } = verdict;
      return { ...facts, outcome: 'stopped' };
    }
    // What broke the connection explains the missing end better than the missing end itself does.
    const { requestId } = verdict;
    return problem ? { ...verdict, problem: { ...(requestId && { requestId }), ...problem } } : verdict;
  }

  #headers({ key, headers = {} }: Target): Record<string, string> {
    return requestHeaders(this.#userAgent, headers, key);
  }

  #send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    return this.#transport(request, signal);
  }

  #answerOf({ status, headers }: TransportResponse, { key }: Target): AnswerFacts {
    return { status, headers, secrets: [key], now: this.#clock.now() };
  }

  async #readList(response: TransportResponse, target: Target, timers: RequestTimers): Promise<ModelListAnswer> {
    const decoder = new TextDecoder();
    let [text, size] = ['', 0];
    for await (const bytes of response.body) {
      timers.heard(true);
      size += bytes.byteLength;
      if (size > maxListBytes) {
        throw new GatewayError({ kind: 'tooLarge', limitBytes: maxListBytes, status: response.status });
      }
      text += decoder.decode(bytes, { stream: true });
    }
    text += decoder.decode();
    const steps = readModelsAnswer(text, this.#answerOf(response, target), new OwnKey([target.key]));
    const list = await new ShortTurns(this.#clock).run(steps);
    // It took its time, and may be wanted no more.
    timers.signal.throwIfAborted();
    return list;
  }
}

/** Once an answer has begun, no error can mean that the gateway was never reached. */
function brokenBy(error: unknown, { url, key }: Target, hasBegun: boolean): GatewayProblem {
  const problem = networkProblem(error, new URL(url.base).host, [key]);
  if (hasBegun && problem.kind !== 'cut' && problem.kind !== 'timedOut') {
    return { kind: 'cut', ...(problem.code && { code: problem.code }), ...(problem.words && { words: problem.words }) };
  }
  return problem;
}
