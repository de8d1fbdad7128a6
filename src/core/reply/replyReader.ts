import { JsonDocuments } from '../base/jsonDocuments.ts';
import { isRecord, parseJson, recordOf, textOf } from '../base/loose.ts';
import { type AnswerFacts, classify, requestIdOf } from '../errors/classify.ts';
import { type ErrorFacts, readErrorBody } from '../errors/errorBody.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';
import { looksLikeHtml } from '../errors/webPage.ts';
import type { KeyFilter } from '../secrets/keyFilter.ts';
import { OwnKey } from '../secrets/ownKey.ts';
import { redactedStart } from '../secrets/redact.ts';
import { ChunkParser } from './chunkParser.ts';
import { EventStream, type StreamEvent } from './eventStream.ts';
import { ReplyContent, type ReplyDelta } from './replyContent.ts';
import { type ReplyOutcome, replyOutcome } from './replyOutcome.ts';
import type { ToolCall } from './toolCalls.ts';
import { readUsage, type Usage, withHeaderCost } from './usage.ts';

/** How a reply ended, as far as the bytes tell. Stopping is decided by whoever stopped. */
export type ReplyVerdict = ReplyOutcome & {
  readonly finishReason?: string;
  /** Name the gateway answered with. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Calls of tools, when the model made any. */
  readonly toolCalls?: readonly ToolCall[];
  /** Calls that are left out because the key is in them; it must not be handed on, nor a call with something else. */
  readonly callsWithKey?: number;
  readonly requestId?: string;
};

/** Start of the body kept to say what came when nothing could be read; UTF-16 units. */
const headLimit = 20_000;

/**
 * Reads one answer to `POST /v1/chat/completions`, whatever it is labelled: an event stream, one JSON document, a web
 * page, nothing. The body decides and not the status (service.md section 7); what arrived is kept whatever follows.
 * Bytes in by `feed`, text out through `onDelta` once for each piece fed, the verdict by `end`.
 */
export class ReplyReader {
  readonly #answer: AnswerFacts;
  readonly #onDelta: (delta: ReplyDelta) => void;
  /** Not to look for a byte order mark: in a text that comes in pieces Node's own search finds one in the middle too. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #events = new EventStream((event) => this.#event(event));
  readonly #parser = new ChunkParser();
  readonly #content = new ReplyContent();
  readonly #ownKey: OwnKey;
  /** Between what was read and `onDelta`. */
  readonly #filters: { readonly text: KeyFilter; readonly reasoning: KeyFilter };
  #head = '';
  #isHtml: boolean | undefined;
  #isDone = false;
  #isOverflowing = false;
  #model: string | undefined;
  #usage: Usage | undefined;
  #problem: GatewayProblem | undefined;
  /** Data of an event that was no JSON; it may continue in the next one (wire Q16). */
  #broken: string | undefined;
  /** Events that were no JSON, if they did not continue. */
  #unread = 0;
  #firstUnread = '';
  #hasChoices = false;
  /** The body ended inside of a document. */
  #endedInside = false;
  #payloads = 0;

  /** @param ownKey what must not be told: the answer's secrets, unless it was made before the answer came. */
  constructor(answer: AnswerFacts, onDelta: (delta: ReplyDelta) => void, ownKey: OwnKey = new OwnKey(answer.secrets)) {
    this.#answer = answer;
    this.#onDelta = onDelta;
    this.#ownKey = ownKey;
    this.#filters = { text: ownKey.filter(), reasoning: ownKey.filter() };
  }

  /** `[DONE]` or an error has been read: nothing that follows can change the verdict. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** A finish reason is there; only usage may still come. */
  get isFinished(): boolean {
    return this.#content.finishReason !== undefined || this.#isDone;
  }

  /** Text, reasoning and calls of tools read so far, in UTF-16 units. */
  get units(): number {
    return this.#content.units;
  }

  /** Events with data read so far; comments do not count. */
  get payloads(): number {
    return this.#payloads;
  }

  /** Usage read so far. */
  get usage(): Usage | undefined {
    return withHeaderCost(this.#usage, this.#answer.headers);
  }

  /** @throws RangeError when one event is larger than the client takes. */
  feed(bytes: Uint8Array): void {
    this.#read(this.#decoder.decode(bytes, { stream: true }));
    this.#flush();
  }

  /** The body is over, cleanly or not. */
  end(): ReplyVerdict {
    this.#read(this.#decoder.decode());
    if (this.#isHtml !== true && !this.#isOverflowing) {
      this.#events.end();
    }
    if (this.#broken !== undefined) {
      const documents = new JsonDocuments();
      documents.push(this.#broken);
      // One that closes its last bracket is all there, and has a mistake in it.
      const isClosed = /^[}\]]$/.test(this.#broken.slice(-1));
      this.#endedInside = documents.pending > 0 && !isClosed && this.#unread === 1 && !this.#isDone;
      this.#plainData(this.#broken);
      this.#broken = undefined;
    }
    this.#content.end();
    this.#flush();
    this.#tell(this.#filters.text.end(), this.#filters.reasoning.end());
    const requestId = requestIdOf(this.#answer.headers) ?? this.#problem?.requestId;
    // A gateway may echo the key in any of these, and all of them are kept and shown.
    const shown = (text: string) => redactedStart(text, this.#answer.secrets, 200);
    const { finishReason } = this.#content;
    const { toolCalls, withKey } = this.#callsWithoutKey();
    const { usage } = this;
    return {
      ...replyOutcome({
        answer: this.#answer,
        problem: this.#problem,
        finishReason,
        refusal: this.#content.refusal,
        hasText: this.#content.hasText,
        hasReasoning: this.#content.hasReasoning,
        hasToolCalls: this.#content.hasToolCalls,
        isWhole: this.#content.isWhole,
        isHtml: this.#isHtml === true,
        // After an end mark there is nothing to explain.
        head: this.#isDone && this.#isHtml !== true ? '' : this.#head,
        payloads: this.#payloads,
        unread: this.#unread,
        firstUnread: this.#firstUnread,
        hasChoices: this.#hasChoices,
        endedInside: this.#endedInside,
      }),
      ...(finishReason !== undefined && { finishReason: shown(finishReason) }),
      ...(this.#model !== undefined && { model: shown(this.#model) }),
      ...(usage && { usage }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(withKey > 0 && { callsWithKey: withKey }),
      ...(requestId && { requestId: shown(requestId) }),
    };
  }

  #read(piece: string): void {
    if (piece === '' || this.#isDone || this.#isOverflowing) {
      return;
    }
    let text = piece;
    if (this.#isHtml === undefined) {
      // Blanks may come for minutes before the first word (DeepSeek keeps connections open so); they say nothing.
      text = (this.#head + piece).trimStart();
      if (text === '' || text === '<') {
        // A tag shows with its second character.
        this.#head = text;
        return;
      }
      this.#head = '';
      this.#isHtml = looksLikeHtml(text);
    }
    if (this.#head.length < headLimit) {
      this.#head += text.slice(0, headLimit - this.#head.length);
    }
    if (!this.#isHtml) {
      this.#feedEvents(text);
    }
  }

  #feedEvents(text: string): void {
    try {
      this.#events.feed(text);
    } catch (error) {
      // What is already too large stays so: the end of the body must not meet it again.
      this.#isOverflowing = true;
      throw error;
    }
  }

  #flush(): void {
    const delta = this.#content.take();
    if (delta) {
      const { text, reasoning } = this.#filters;
      this.#tell(
        delta.text === '' ? '' : text.push(delta.text),
        delta.reasoning === '' ? '' : reasoning.push(delta.reasoning),
      );
    }
  }

  #tell(text: string, reasoning: string): void {
    if (text !== '' || reasoning !== '') {
      this.#onDelta({ text, reasoning });
    }
  }

  #callsWithoutKey(): { readonly toolCalls: readonly ToolCall[]; readonly withKey: number } {
    const all = this.#content.toolCalls;
    const toolCalls = all.filter(({ id = '', name, arguments: given, extra }) =>
      // The arguments are JSON inside of JSON, and have escapes of their own.
      [JSON.stringify([id, name, given, extra]), given].every((json) => this.#ownKey.withoutInJson(json) === json),
    );
    return { toolCalls, withKey: all.length - toolCalls.length };
  }

  #event({ name, data }: StreamEvent): void {
    if (this.#isDone) {
      return;
    }
    const trimmed = data.trim();
    if (trimmed === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const first = trimmed.charCodeAt(0);
    if (first !== 0x7b && first !== 0x5b && this.#broken === undefined) {
      if (name === 'error' || /^error:/i.test(trimmed)) {
        this.#fail({ message: trimmed.replace(/^error:\s*/i, '') });
      }
      // Anything else without a bracket is a ping or a label.
      return;
    }
    const value = this.#parser.parse(trimmed);
    if (value !== undefined) {
      this.#broken = undefined;
      this.#document(value, name);
      return;
    }
    const joined = (this.#broken ?? '') + trimmed;
    const documents = new JsonDocuments().push(joined).map(parseJson).filter(isPresent);
    if (documents.length > 0) {
      this.#broken = undefined;
      for (const document of documents) {
        this.#document(document, name);
      }
      return;
    }
    // Joined once: a document cut over two events is seen. Of two broken ones the later may still go on.
    this.#broken = this.#broken === undefined || first === 0x7b || first === 0x5b ? trimmed : undefined;
    this.#firstUnread ||= trimmed.slice(0, headLimit);
    this.#unread++;
  }

  #document(value: unknown, name: string | undefined): void {
    if (this.#isDone) {
      return;
    }
    this.#payloads++;
    const error = readErrorBody(value) ?? (name === 'error' ? readErrorBody({ error: value }) : undefined);
    if (isRecord(value)) {
      this.#model = textOf(value.model) ?? this.#model;
      this.#usage = readUsage(value.usage) ?? readUsage(recordOf(value.x_groq).usage) ?? this.#usage;
      const choices = value.choices;
      this.#hasChoices ||= choices !== undefined;
      const inside = Array.isArray(choices) && this.#content.read(choices, value.object === 'chat.completion.chunk');
      if (inside) {
        this.#fail(inside);
      }
    }
    if (error) {
      this.#fail(error);
    }
  }

  /** Event data that never became JSON: worth showing only when nothing else came. */
  #plainData(data: string): void {
    this.#head = this.#head === '' ? data.slice(0, headLimit) : this.#head;
  }

  #fail(error: ErrorFacts): void {
    this.#problem ??= classify(error, this.#answer);
    this.#isDone = true;
  }
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
