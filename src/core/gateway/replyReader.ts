import { ChunkParser } from './chunkParser.ts';
import { type AnswerFacts, classify, requestIdOf } from './classify.ts';
import { CumulativeText } from './cumulativeText.ts';
import { readErrorBody } from './errorBody.ts';
import { EventStream, type StreamEvent } from './eventStream.ts';
import type { GatewayProblem } from './gatewayProblem.ts';
import { JsonDocuments } from './jsonDocuments.ts';
import { isRecord, type LooseRecord, parseJson, recordOf, textOf } from './loose.ts';
import { ReasoningFields } from './reasoningFields.ts';
import { redact } from './redact.ts';
import { type ReplyOutcome, replyOutcome } from './replyOutcome.ts';
import { ThinkSplitter } from './thinkSplitter.ts';
import { type ToolCall, ToolCalls } from './toolCalls.ts';
import { readUsage, type Usage, withHeaderCost } from './usage.ts';
import { looksLikeHtml } from './webPage.ts';

/** New text of a reply; one of the two is usually empty. */
export type ReplyDelta = { readonly text: string; readonly reasoning: string };

/** How a reply ended, as far as the bytes tell. Stopping is decided by whoever stopped. */
export type ReplyVerdict = ReplyOutcome & {
  readonly finishReason?: string;
  /** Name the gateway answered with. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Calls of tools, when the model made any. */
  readonly toolCalls?: readonly ToolCall[];
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
  readonly #decoder = new TextDecoder();
  readonly #events = new EventStream((event) => this.#event(event));
  readonly #parser = new ChunkParser();
  readonly #cumulative = new CumulativeText();
  readonly #think = new ThinkSplitter();
  readonly #reasoningFields = new ReasoningFields();
  readonly #toolCalls = new ToolCalls();
  #head = '';
  #isHtml: boolean | undefined;
  #text = '';
  #reasoning = '';
  #hasText = false;
  #hasReasoning = false;
  #isWhole = false;
  #isDone = false;
  #isOverflowing = false;
  #choiceIndex: number | undefined;
  #finishReason: string | undefined;
  #refusal: string | undefined;
  #model: string | undefined;
  #usage: Usage | undefined;
  #problem: GatewayProblem | undefined;
  /** Data of an event that was no JSON; it may continue in the next one (wire Q16). */
  #broken: string | undefined;
  /** Events that were no JSON, if they did not continue. */
  #unread = 0;
  /** The body ended inside of a document. */
  #endedInside = false;
  #payloads = 0;

  constructor(answer: AnswerFacts, onDelta: (delta: ReplyDelta) => void) {
    this.#answer = answer;
    this.#onDelta = onDelta;
  }

  /** `[DONE]` or an error has been read: nothing that follows can change the verdict. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** A finish reason is there; only usage may still come. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined || this.#isDone;
  }

  /** Events with data read so far; comments do not count. */
  get payloads(): number {
    return this.#payloads;
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
      this.#endedInside = documents.pending > 0 && this.#unread === 1 && !this.#isDone;
      this.#plainData(this.#broken);
      this.#broken = undefined;
    }
    const last = this.#think.push(this.#cumulative.end());
    this.#add(last.text, last.reasoning);
    const held = this.#think.end();
    this.#add(held.text, held.reasoning);
    this.#flush();
    const requestId = requestIdOf(this.#answer.headers) ?? this.#problem?.requestId;
    // A gateway may echo the key in any of these, and all of them are kept and shown.
    const shown = (text: string) => redact(text, this.#answer.secrets).slice(0, 200);
    const toolCalls = this.#toolCalls.list();
    const usage = withHeaderCost(this.#usage, this.#answer.headers);
    return {
      ...replyOutcome({
        answer: this.#answer,
        problem: this.#problem,
        finishReason: this.#finishReason,
        refusal: this.#refusal,
        hasText: this.#hasText,
        hasReasoning: this.#hasReasoning,
        hasToolCalls: !this.#toolCalls.isEmpty,
        isWhole: this.#isWhole,
        isHtml: this.#isHtml === true,
        // After an end mark there is nothing to explain.
        head: this.#isDone && this.#isHtml !== true ? '' : this.#head,
        payloads: this.#payloads,
        unread: this.#unread,
        endedInside: this.#endedInside,
      }),
      ...(this.#finishReason !== undefined && { finishReason: shown(this.#finishReason) }),
      ...(this.#model !== undefined && { model: shown(this.#model) }),
      ...(usage && { usage }),
      ...(toolCalls.length > 0 && { toolCalls }),
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
    if (this.#text !== '' || this.#reasoning !== '') {
      const delta = { text: this.#text, reasoning: this.#reasoning };
      this.#text = '';
      this.#reasoning = '';
      this.#onDelta(delta);
    }
  }

  #add(text: string, reasoning: string): void {
    this.#text += text;
    this.#reasoning += reasoning;
    // Blanks alone are no answer.
    this.#hasText ||= text.trim() !== '';
    this.#hasReasoning ||= reasoning !== '';
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
      if (Array.isArray(choices)) {
        this.#choices(choices, value.object === 'chat.completion.chunk');
      }
    }
    if (error) {
      this.#fail(error);
    }
  }

  #choices(choices: readonly unknown[], isChunk: boolean): void {
    for (const choice of choices) {
      if (!isRecord(choice)) {
        continue;
      }
      // With several choices one answer is read: the first that was seen.
      const index = typeof choice.index === 'number' ? choice.index : 0;
      this.#choiceIndex ??= index;
      if (index !== this.#choiceIndex) {
        continue;
      }
      if (isRecord(choice.delta)) {
        this.#message(choice.delta);
      } else if (isRecord(choice.message)) {
        // A chunk may say `message` where `delta` is meant; only a whole completion is its own end.
        this.#isWhole ||= !isChunk;
        this.#message(choice.message);
      } else if (typeof choice.text === 'string') {
        this.#content(choice.text);
      }
      const finishReason = choice.finish_reason;
      if (typeof finishReason === 'string' && finishReason !== '') {
        this.#finishReason = finishReason;
      }
      const error = isRecord(choice.error) ? readErrorBody({ error: choice.error }) : undefined;
      if (error) {
        this.#fail(error);
      }
    }
  }

  #message(message: LooseRecord): void {
    this.#add('', this.#reasoningFields.read(message, this.#hasReasoning));
    const content = message.content;
    if (typeof content === 'string') {
      this.#content(content);
    } else if (Array.isArray(content)) {
      for (const part of content) {
        this.#part(part);
      }
    }
    const refusal = textOf(message.refusal);
    if (refusal) {
      this.#refusal = (this.#refusal ?? '') + refusal;
    }
    if (message.tool_calls) {
      this.#toolCalls.push(message.tool_calls);
    }
    if (message.function_call) {
      this.#toolCalls.pushLegacy(message.function_call);
    }
  }

  #content(content: string): void {
    const fresh = this.#cumulative.push(content);
    if (fresh !== '') {
      const { text, reasoning } = this.#think.push(fresh);
      this.#add(text, reasoning);
    }
  }

  /** Content parts: text, and thinking that is itself a list of parts (wire Q34). */
  #part(part: unknown): void {
    if (typeof part === 'string') {
      this.#content(part);
      return;
    }
    const { type, text, thinking } = recordOf(part);
    if (type === 'thinking' || thinking !== undefined) {
      const pieces = Array.isArray(thinking) ? thinking : [thinking];
      this.#add(
        '',
        pieces.map((piece) => (typeof piece === 'string' ? piece : (textOf(recordOf(piece).text) ?? ''))).join(''),
      );
    } else if (typeof text === 'string') {
      this.#content(text);
    }
  }

  /** Event data that never became JSON: worth showing only when nothing else came. */
  #plainData(data: string): void {
    this.#head = this.#head === '' ? data.slice(0, headLimit) : this.#head;
  }

  #fail(error: { message?: string; code?: string; requestId?: string }): void {
    this.#problem ??= classify(error, this.#answer);
    this.#isDone = true;
  }
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
