import type { Clock } from '../base/clock.ts';
import { runInSlices } from '../base/runInSlices.ts';
import type { BaseUrl } from '../connections/baseUrl.ts';
import { type AnswerFacts, redirectProblem, redirectTarget } from '../errors/classify.ts';
import { GatewayError, type GatewayProblem, type ProblemKind } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { RequestTimers, type TimerLimits } from '../http/requestTimers.ts';
import { pause, retryDelay } from '../http/retry.ts';
import { readText, requestHeaders, type Transport, type TransportResponse } from '../http/transport.ts';
import type { ModelListAnswer } from '../models/list/model.ts';
import { readModelList, readModelsPage } from '../models/list/modelList.ts';
import type { ReplyDelta } from '../reply/replyContent.ts';
import { ReplyReader, type ReplyVerdict } from '../reply/replyReader.ts';
import { KeyRemover, keyMark } from '../secrets/keyRemover.ts';
import { type ChatRequest, chatCall } from './chatRequest.ts';

export type ReplyEnd = Omit<ReplyVerdict, 'outcome'> & {
  readonly outcome: ReplyVerdict['outcome'] | 'stopped';
  /** It was stopped before its request was sent. */
  readonly isUnsent?: true;
};

/** Where a call goes, with key and headers. Created for each call, so that no object holds the key between calls. */
export type Target = {
  readonly url: BaseUrl;
  /** Empty for a call without a key. */
  readonly key: string;
  /** The connection's extra headers, checked by `readConnections`. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Limits for all pages of one list. */
const maxListBytes = 20 * 1024 * 1024;
const maxListPages = 20;
/** Limit for the text, reasoning and tool calls of one reply, in UTF-16 units; far beyond what any model writes. */
const maxReplyUnits = 32 * 1024 * 1024;
/** Bytes that a reply may have besides its content, such as comments and empty events. */
const maxEmptyBytes = 64 * 1024 * 1024;
/** Bytes of JSON and framing that one UTF-16 unit of content may come with. */
const wrappingBytes = 1_024;
/** The reader's limit for one event. */
const maxEventBytes = 32 * 1024 * 1024;
const maxRedirects = 3;
/** Problems with an address that has no model list. */
const noListKinds: ReadonlySet<ProblemKind> = new Set(['wrongAddress', 'webPage', 'unreadable']);
const hasNoList = (error: unknown) => error instanceof GatewayError && noListKinds.has(error.problem.kind);
/** Problems the reader reports for a reply that is merely incomplete. */
const incompleteKinds: ReadonlySet<ProblemKind> = new Set(['cut', 'emptyReply', 'unreadable']);

type ClientOptions = {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Read for each call. */
  readonly limits: TimerLimits;
  readonly userAgent: string;
  readonly onProblem?: (call: string, target: Target, problem: GatewayProblem) => void;
};

/** Client for the two calls of service section 4. Keeps no state between calls. */
export class GatewayClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * `GET /v1/models`. Costs nothing. Follows redirects within the origin only, because the key is sent along. Reads
   * further pages too; if one fails, the list is partial. An address without a list is followed by the other one.
   *
   * @param retries how often to retry after a temporary problem.
   * @throws GatewayError when there is no list; the signal's reason when it was aborted.
   */
  async listModels(target: Target, signal: AbortSignal, retries = 0): Promise<ModelListAnswer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#listAnywhere(target, signal);
      } catch (error) {
        const delayMs = attempt < retries ? retryDelay(error, attempt) : undefined;
        if (delayMs === undefined) {
          if (error instanceof GatewayError) {
            this.#options.onProblem?.('GET models', target, error.problem);
          }
          throw error;
        }
        await pause(this.#options.clock, delayMs, signal);
      }
    }
  }

  async #listAnywhere(target: Target, signal: AbortSignal): Promise<ModelListAnswer> {
    const { modelsUrl, otherModelsUrl } = target.url;
    try {
      return await this.#listOnce(target, modelsUrl, signal);
    } catch (error) {
      if (otherModelsUrl === undefined || !hasNoList(error)) {
        throw error;
      }
      return this.#listOnce(target, otherModelsUrl, signal).catch((otherError) => {
        throw hasNoList(otherError) ? error : otherError;
      });
    }
  }

  async #listOnce(target: Target, modelsUrl: string, signal: AbortSignal): Promise<ModelListAnswer> {
    const { limits } = this.#options;
    const timers = new RequestTimers(
      this.#options.clock,
      { ...limits, totalMs: Math.min(limits.totalMs, 60_000) },
      signal,
    );
    const ownKey = new KeyRemover(keyMark, true, [target.key]);
    const queries = new Set(['']);
    let size = 0;
    let items: readonly unknown[] | undefined;
    let query: string | undefined;
    let hasBegun = false;
    try {
      let url = modelsUrl;
      for (let hop = 0; ; hop++) {
        const response = await this.#options.transport(
          {
            method: 'GET',
            url,
            headers: requestHeaders(this.#options.userAgent, target.headers ?? {}, target.key),
            connectTimeoutMs: limits.connectMs,
          },
          timers.signal,
        );
        const next = redirectTarget(response, url);
        if (next !== undefined) {
          if (!URL.canParse(next) || new URL(next).origin !== target.url.origin || hop === maxRedirects) {
            throw new GatewayError(redirectProblem(next, this.#answerOf(response, target)));
          }
          url = next;
          continue;
        }
        hasBegun = true;
        const text = await readText(response.body, (bytes) => {
          timers.noteActivity(true);
          size += bytes;
          if (size > maxListBytes) {
            throw new GatewayError({ kind: 'tooLarge', limitBytes: maxListBytes, status: response.status });
          }
        });
        const page = readModelsPage(text, this.#answerOf(response, target));
        items = [...(items ?? []), ...page.items];
        query = page.next;
        // A gateway that ignores the query sends its first page again, and with it the same query.
        if (query === undefined || queries.has(query) || queries.size === maxListPages || ownKey.isIn(query)) {
          break;
        }
        queries.add(query);
        url = modelsUrl + query;
        hop = -1;
      }
    } catch (error) {
      if (items === undefined) {
        if (!(error instanceof GatewayError)) {
          signal.throwIfAborted();
        }
        throw new GatewayError(timers.problem ?? problemOf(error, target, hasBegun));
      }
    } finally {
      // Aborts a response that was not read to its end, such as a redirect.
      timers.abort();
      timers.dispose();
    }
    const list = await runInSlices(this.#options.clock, readModelList(items, ownKey));
    // Parsing runs in slices, so the caller may have aborted in between.
    signal.throwIfAborted();
    return query === undefined ? list : { ...list, isPartial: true };
  }

  /**
   * `POST /v1/chat/completions`. Sent exactly once and never retried, because every call is charged. Errors of the
   * gateway and the network are returned, not thrown; text that arrived before them was passed to `onDelta`.
   *
   * @returns how it ended, and after how many milliseconds the first text or reasoning arrived.
   */
  async chat(
    target: Target,
    request: ChatRequest,
    onDelta: (delta: ReplyDelta) => void,
    signal: AbortSignal,
  ): Promise<ReplyEnd & { readonly firstTokenMs?: number }> {
    const { clock, limits } = this.#options;
    const startedAt = clock.now();
    const timers = new RequestTimers(clock, limits, signal);
    let firstTokenMs: number | undefined;
    let reader: ReplyReader | undefined;
    let quietTimer: { dispose(): void } | undefined;
    let isClosed = false;
    let problem: GatewayProblem | undefined;
    try {
      const response = await this.#options.transport(
        {
          ...chatCall({ ...target, chatUrl: target.url.chatUrl }, request, this.#options.userAgent),
          connectTimeoutMs: limits.connectMs,
        },
        timers.signal,
      );
      const next = redirectTarget(response, target.url.chatUrl);
      if (next !== undefined) {
        throw new GatewayError(redirectProblem(next, this.#answerOf(response, target)));
      }
      reader = new ReplyReader(this.#answerOf(response, target), (delta) => {
        firstTokenMs ??= Math.max(0, clock.now() - startedAt);
        onDelta(delta);
      });
      let size = 0;
      for await (const bytes of response.body) {
        size += bytes.byteLength;
        const payloads = reader.payloads;
        reader.feed(bytes);
        const isTooMuch = reader.units > maxReplyUnits;
        if (isTooMuch || size > maxEmptyBytes + reader.units * wrappingBytes) {
          problem = { kind: 'tooLarge', limitBytes: isTooMuch ? maxReplyUnits : maxEmptyBytes };
          break;
        }
        timers.noteActivity(reader.payloads > payloads);
        if (reader.isDone) {
          break;
        }
        if (reader.payloads > payloads) {
          quietTimer?.dispose();
          const { quietMs } = reader;
          quietTimer = quietMs === undefined ? undefined : clock.after(quietMs, () => timers.abort());
        }
      }
      isClosed = problem === undefined;
    } catch (error) {
      if (!signal.aborted && reader?.isFinished !== true) {
        problem = timers.problem ?? problemOf(error, target, reader !== undefined);
      }
    } finally {
      quietTimer?.dispose();
      timers.abort();
      timers.dispose();
    }
    let verdict: ReplyVerdict | undefined;
    try {
      verdict = reader?.end(isClosed);
    } catch (error) {
      // Text was passed on and usage is known; only the remaining facts about the end are lost.
      problem ??= problemOf(error, target, true);
      verdict = { outcome: 'failed', problem, ...(reader?.usage && { usage: reader.usage }) };
    }
    const end = ended(verdict, problem, signal.aborted);
    if (end.problem) {
      this.#options.onProblem?.('POST chat/completions', target, end.problem);
    }
    return firstTokenMs === undefined ? end : { ...end, firstTokenMs };
  }

  #answerOf({ status, headers }: TransportResponse, { key }: Target): AnswerFacts {
    return { status, headers, secrets: [key], now: this.#options.clock.now() };
  }
}

/** What the caller gets of a verdict; undefined when there was no response to read. */
function ended(verdict: ReplyVerdict | undefined, problem: GatewayProblem | undefined, isStopped: boolean): ReplyEnd {
  if (verdict === undefined) {
    return isStopped || problem === undefined ? { outcome: 'stopped' } : { outcome: 'failed', problem };
  }
  if (verdict.problem === undefined || !incompleteKinds.has(verdict.problem.kind)) {
    return verdict;
  }
  if (isStopped) {
    const { problem: _, ...facts } = verdict;
    return { ...facts, outcome: 'stopped' };
  }
  // The error that broke the connection says more than the fact that the end is missing.
  const { requestId } = verdict;
  return problem ? { ...verdict, problem: { ...(requestId && { requestId }), ...problem } } : verdict;
}

/** The problem behind an error; once an answer has begun, it is never that the gateway could not be reached. */
function problemOf(error: unknown, { url, key }: Target, hasBegun: boolean): GatewayProblem {
  if (error instanceof GatewayError) {
    return error.problem;
  }
  if (error instanceof RangeError) {
    return { kind: 'tooLarge', limitBytes: maxEventBytes };
  }
  const problem = networkProblem(error, new URL(url.base).host, [key]);
  if (hasBegun && problem.kind !== 'cut' && problem.kind !== 'timedOut') {
    return { kind: 'cut', ...(problem.code && { code: problem.code }), ...(problem.words && { words: problem.words }) };
  }
  return problem;
}
