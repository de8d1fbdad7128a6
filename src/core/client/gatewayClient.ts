import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifetime.ts';
import { jsonToSend } from '../base/loose.ts';
import { runInSlices } from '../base/runInSlices.ts';
import type { BaseUrl } from '../connections/baseUrl.ts';
import { type AnswerFacts, redirectProblem, redirectTarget } from '../errors/classify.ts';
import {
  GatewayError,
  type GatewayProblem,
  isTransient,
  type ProblemKind,
  type TimerName,
} from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import {
  readText,
  requestHeaders,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../http/transport.ts';
import type { ModelListAnswer } from '../models/list/model.ts';
import { readModelList, readModelsPage } from '../models/list/modelList.ts';
import type { ReplyDelta } from '../reply/replyContent.ts';
import { maxEvent, ReplyReader, type ReplyVerdict } from '../reply/replyReader.ts';
import { KeyRemover, keyMark } from '../secrets/keyRemover.ts';

/** A part of a user message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      /** A `data:` URL that contains the image. */
      readonly image_url: { readonly url: string };
    };

/** A tool that a model may call. */
type WireTool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of its only argument, an object. */
    readonly parameters: object;
  };
};

/** A call that a model made earlier. */
type WireToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Vendor data that came with the call, sent back unchanged. */
  readonly extra_content?: object;
};

/** A message in its wire format. The panel's own messages are text only. */
export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant';
      /** Null when the message consists of tool calls alone. */
      readonly content: string | null;
      readonly tool_calls?: readonly WireToolCall[];
      /** The reasoning before the tool calls; some models require it back (wire Q59). */
      readonly reasoning_content?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** One message of a conversation (service section 2, chat request). */
export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** A chat request to a model. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** Leaves out `stream_options`, which asks for token counts and which some gateways reject (wire Q30). */
  readonly withoutUsage?: boolean;
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: 'auto' | 'required';
  /** Model options by their wire names. */
  readonly options?: { readonly [name: string]: unknown };
};

/**
 * Builds the JSON body of `POST /v1/chat/completions`. Optional parameters are sent only if the person or the caller
 * set them.
 *
 * @returns the exact text that is sent.
 */
export function chatBody({ model, messages, withoutUsage, tools, tool_choice, options }: ChatRequest): string {
  return jsonToSend({
    // First, so that no option can override the fields below.
    ...options,
    model,
    messages,
    ...(tools && tools.length > 0 && { tools, tool_choice }),
    stream: true,
    ...(!withoutUsage && { stream_options: { include_usage: true } }),
  });
}

/** One `POST /v1/chat/completions` as it is passed to the transport. */
export type ChatCall = Pick<TransportRequest, 'method' | 'url' | 'headers'> & { readonly body: string };

/**
 * Builds a chat call, both for the client to send and for *Show Request* to show, so that the two can't differ. The
 * transport adds the headers that the network connection needs.
 */
export function chatCall({ url, key, headers = {} }: Target, request: ChatRequest, userAgent: string): ChatCall {
  return {
    method: 'POST',
    url: url.chatUrl,
    headers: {
      ...requestHeaders(userAgent, headers, key),
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json;q=0.9',
    },
    body: chatBody(request),
  };
}

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
          ...chatCall(target, request, this.#options.userAgent),
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
  if (error instanceof RangeError) {
    return { kind: 'tooLarge', limitBytes: maxEvent };
  }
  const problem = networkProblem(error, url.host, [key]);
  if (hasBegun && !(error instanceof GatewayError) && problem.kind !== 'cut' && problem.kind !== 'timedOut') {
    return { kind: 'cut', ...(problem.code && { code: problem.code }), ...(problem.words && { words: problem.words }) };
  }
  return problem;
}

const firstDelayMs = 500;
/** The longest delay before a retry. If it would be longer, the problem is shown to the person instead. */
const maxDelayMs = 30_000;

/**
 * How long to wait before a free request is sent again (wire section 4: network failure, 408, 429, 5xx). Chat calls are
 * never retried.
 *
 * @param attempt 0 after the first failure.
 * @returns milliseconds; undefined when a retry would not help.
 */
export function retryDelay(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof GatewayError) || !isTransient(error.problem)) {
    return undefined;
  }
  const asked = error.problem.kind === 'rateLimited' ? error.problem.retryAfterMs : undefined;
  if (asked !== undefined) {
    return asked <= maxDelayMs ? asked : undefined;
  }
  return firstDelayMs * 2 ** attempt;
}

/** Waits for a time. @throws the signal's reason as soon as it is aborted. */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = clock.after(delayMs, resolve);
    const stop = () => {
      timer.dispose();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Time-outs of a call, all in milliseconds. */
export type TimerLimits = {
  readonly connectMs: number;
  /** From sending to the first byte of the body. Reasoning models take minutes (wire Q74). */
  readonly firstByteMs: number;
  /** Between two pieces of any kind. */
  readonly idleMs: number;
  /** Between two events with data: comments keep a connection open without sending any data (wire Q73). */
  readonly payloadMs: number;
  readonly totalMs: number;
};

/** Timers stop while a laptop sleeps. Frequent checks find the silence soon after it wakes (wire Q90). */
const checkMs = 10_000;

/** The defaults of wire section 4. */
export const defaultLimits: TimerLimits = {
  connectMs: 15_000,
  firstByteMs: 300_000,
  idleMs: 120_000,
  payloadMs: 300_000,
  totalMs: 1_800_000,
};

/**
 * The client's own time-outs for one call, besides the transport's, because a transport may lose its own (wire Q69).
 * `signal` aborts when the caller's signal does, or when a time-out expires; `problem` then says which one.
 */
export class RequestTimers implements Disposable {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #limits: TimerLimits;
  readonly #abort = new AbortController();
  readonly #total: Disposable;
  /** Set when a time-out has expired; written only here. */
  problem: GatewayProblem | undefined;
  #silence: Disposable | undefined;
  #lastActivity: number;
  #lastPayload: number;
  #hasActivity = false;

  constructor(clock: Clock, limits: TimerLimits, outer: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#lastActivity = this.#lastPayload = clock.now();
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
    this.#total = clock.after(limits.totalMs, () => this.#expire('total', limits.totalMs));
    this.#watch(limits.firstByteMs);
  }

  /** Notes that something arrived. @param isPayload true when it was data and not just a comment. */
  noteActivity(isPayload: boolean): void {
    // Notes only the time: restarting a timer for each piece of a fast stream would cost more than reading the piece.
    this.#lastActivity = this.#clock.now();
    if (isPayload) {
      this.#lastPayload = this.#lastActivity;
    }
    if (!this.#hasActivity) {
      this.#hasActivity = true;
      this.#silence?.dispose();
      this.#watch(Math.min(this.#limits.idleMs, this.#limits.payloadMs, checkMs));
    }
  }

  /** Ends the request without a problem. */
  abort(): void {
    this.#abort.abort();
  }

  /** Also aborts a response that was not read to its end, such as a redirect. */
  dispose(): void {
    this.abort();
    this.#silence?.dispose();
    this.#total.dispose();
  }

  #watch(delayMs: number): void {
    this.#silence = this.#clock.after(delayMs, () => {
      if (!this.#hasActivity) {
        this.#expire('firstByte', this.#limits.firstByteMs);
        return;
      }
      // Uses the wall clock, so that after a laptop has slept, the silence is found now and not after another wait.
      const now = this.#clock.now();
      const idleLeft = this.#lastActivity + this.#limits.idleMs - now;
      const payloadLeft = this.#lastPayload + this.#limits.payloadMs - now;
      if (idleLeft <= 0) {
        this.#expire('idle', this.#limits.idleMs);
      } else if (payloadLeft <= 0) {
        this.#expire('payload', this.#limits.payloadMs);
      } else {
        this.#watch(Math.min(idleLeft, payloadLeft, checkMs));
      }
    });
  }

  #expire(timer: TimerName, limitMs: number): void {
    this.problem ??= { kind: 'timedOut', timer, limitMs };
    this.#abort.abort();
  }
}
