import { JsonDocuments } from '../base/jsonDocuments.ts';
import { isRecord, type LooseRecord, parseJson, parseLooseJson, recordOf, textOf } from '../base/loose.ts';
import { type AnswerFacts, classify, evidenceOf, redirects, requestIdOf } from '../errors/classify.ts';
import { type ErrorFacts, readErrorBody } from '../errors/errorBody.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';
import { isHtmlLike, webPageProblem } from '../errors/webPage.ts';
import { KeyRemover, keyMark } from '../secrets/keyRemover.ts';
import { redactedStart } from '../secrets/redact.ts';
import { type FinishKind, finishKind } from './finishReason.ts';
import { ReplyContent, type ReplyDelta } from './replyContent.ts';
import { type Source, Sources } from './sources.ts';
import type { ToolCall } from './toolCalls.ts';
import { allTokens, inputTokens, isCounted, type Usage, withHeaderCost, withUsageOf } from './usage.ts';

/** How a reply ended, judged by its bytes alone. The caller knows whether the person stopped it. */
export type ReplyVerdict = {
  /** `incomplete`: text without a proper end. `failed`: an error, or nothing to show. */
  readonly outcome: 'complete' | 'incomplete' | 'failed';
  readonly problem?: GatewayProblem;
  readonly finishReason?: string;
  /** Model name in the answer. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Tool calls, if the model made any. */
  readonly toolCalls?: readonly ToolCall[];
  /** Number of tool calls left out because they contain the key. A call with the key replaced would not be the same. */
  readonly callsWithKey?: number;
  /** The answer is or has a picture; see `ReplyDelta.pictures`. */
  readonly hasPicture?: true;
  /** What the answer is based on, as the gateway reports it; absent when it doesn't. */
  readonly sources?: readonly Source[];
  /** Start of the events in the middle of the answer that could not be read, redacted; absent when all were read. */
  readonly unread?: string;
  readonly requestId?: string;
};

/** Length of the start of the body that is stored to explain an unreadable answer; UTF-16 units. */
const headLimit = 20_000;
/**
 * How long nothing may follow an answer that has ended, until the request is ended too: some gateways never close the
 * stream (wire Q8). Usage is the last thing that comes; without it, the next text may be slow.
 */
const quietLimits = { afterUsage: 5_000, afterReason: 30_000 };

/** The largest event, in UTF-16 units: a picture of 4K can have 20 MB. */
export const maxEvent = 32 * 1024 * 1024;

/** With these, an answer that is only reasoning is the answer. */
const endsWell: ReadonlySet<FinishKind> = new Set(['complete', 'pause', 'unknown']);
/** Places in an event where a whole one may begin that was glued to a cut one. */
const maxGlued = 100;

/**
 * Reads one answer to `POST /v1/chat/completions` regardless of its content type: an event stream, one JSON document, a
 * web page or an empty body. The body decides and not the status (service section 7); text that arrived is never lost.
 * Pass bytes to `feed`; `end` returns the verdict.
 */
export class ReplyReader {
  readonly #answer: AnswerFacts;
  readonly #onDelta: (delta: ReplyDelta) => void;
  /** Keeps byte order marks: when streaming, Node's decoder would also remove them in the middle of the text. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #events = new EventStream((event) => this.#event(event));
  readonly #chunks = new ChunkParser();
  readonly #content = new ReplyContent();
  readonly #sources = new Sources();
  readonly #ownKey: KeyRemover;
  /** Remove the key from text before it is passed to `onDelta`. */
  readonly #filters: Record<'text' | 'reasoning', ReturnType<KeyRemover['stream']>>;
  #head = '';
  #isHtml: boolean | undefined;
  /**
   * `[DONE]` or an error was read, so the rest of the body can't change the verdict. This and `payloads` are written
   * only here.
   */
  isDone = false;
  /** The document before. The parser gives the same object again for a chunk that differs from it in its text alone. */
  #previous: unknown;
  #model: string | undefined;
  #usage: Usage | undefined;
  #problem: GatewayProblem | undefined;
  /** Data of an event that was not JSON; the next event may continue it (wire Q16). */
  #broken: string | undefined;
  /** Start of the events that stayed unread, before others that were read. */
  #lost = '';
  /** Usage came after the finish reason and the text. */
  #isUsageLast = false;
  #hasChoices = false;
  /** The body ended within its first JSON document. */
  #endedInside = false;
  /** Number of events with data read so far; comments don't count. */
  payloads = 0;

  constructor(answer: AnswerFacts, onDelta: (delta: ReplyDelta) => void) {
    this.#answer = answer;
    this.#onDelta = onDelta;
    this.#ownKey = new KeyRemover(keyMark, true, answer.secrets);
    this.#filters = { text: this.#ownKey.stream(), reasoning: this.#ownKey.stream() };
  }

  /** The answer has ended as far as is known: a reset of the connection takes nothing away. */
  get isFinished(): boolean {
    return this.isDone || (this.#content.finishReason !== undefined && !this.#content.isReasonDoubtful);
  }

  /**
   * How long nothing may arrive until the reply counts as ended; undefined for the ordinary time-outs. Some gateways put
   * a finish reason into every chunk (wire Q8), so it counts only in a chunk without content, after text, or with usage
   * after it, and never again once content has followed one.
   */
  get quietMs(): number | undefined {
    const { finishReason, isReasonDoubtful, isReasonAlone } = this.#content;
    if (finishReason === undefined || isReasonDoubtful) {
      return undefined;
    }
    return this.#isUsageLast ? quietLimits.afterUsage : isReasonAlone ? quietLimits.afterReason : undefined;
  }

  /** Length of text, reasoning and tool calls read so far, in UTF-16 units. */
  get units(): number {
    return this.#content.units;
  }

  /** Usage read so far. */
  get usage(): Usage | undefined {
    return withHeaderCost(this.#usage, this.#answer.headers);
  }

  /** @throws RangeError when one event is larger than the limit. */
  feed(bytes: Uint8Array): void {
    this.#read(this.#decoder.decode(bytes, { stream: true }));
    this.#flush();
  }

  /**
   * Ends the body, whether it was complete or not.
   *
   * @param isClosed the body was closed by the gateway in good order.
   */
  end(isClosed = true): ReplyVerdict {
    this.#read(this.#decoder.decode());
    if (this.#isHtml !== true) {
      this.#events.end();
    }
    let isCut = !isClosed && !this.isDone && this.#content.isReasonDoubtful;
    if (this.#broken !== undefined) {
      const documents = new JsonDocuments();
      documents.push(this.#broken);
      if (documents.pending === 0 || /[}\]]$/.test(this.#broken)) {
        // A document that ends with a closing bracket is complete but has a syntax error.
        this.#lose();
      } else {
        this.#endedInside = this.#lost === '';
        // The connection broke within more text, so the finish reason before it was none.
        isCut ||= this.isFinished && /"(?:content|text|reasoning\w*|thinking|refusal)"\s*:\s*"./.test(this.#broken);
      }
    }
    this.#content.end();
    const finish = finishKind(this.#content.finishReason);
    const hasEnded = finish === undefined ? this.#content.isWhole : endsWell.has(finish);
    if (this.#content.hasOnlyReasoning && hasEnded && !isCut && this.#problem === undefined) {
      this.#content.takeReasoningAsText();
    }
    this.#flush();
    this.#release();
    const requestId = requestIdOf(this.#answer.headers) ?? this.#problem?.requestId;
    // A gateway may echo the key in any of these texts, which are stored and shown.
    const shown = (text: string) => redactedStart(text, this.#answer.secrets, 200);
    const { finishReason } = this.#content;
    const { toolCalls, withKey } = this.#callsWithoutKey();
    const { usage } = this;
    const sources = this.#sources.list().map(({ url, title }) => ({
      url: redactedStart(url, this.#answer.secrets, url.length),
      ...(title !== undefined && { title: shown(title) }),
    }));
    return {
      ...this.#outcome(isCut),
      ...(finishReason !== undefined && { finishReason: shown(finishReason) }),
      ...(this.#model !== undefined && { model: shown(this.#model) }),
      ...(usage && { usage }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(withKey > 0 && { callsWithKey: withKey }),
      ...(this.#content.hasPicture && { hasPicture: true }),
      ...(sources.length > 0 && { sources }),
      ...(this.#lost !== '' &&
        this.payloads > 0 && { unread: redactedStart(this.#lost, this.#answer.secrets, headLimit) }),
      ...(requestId && { requestId: shown(requestId) }),
    };
  }

  /**
   * Decides by the body and not by the status (service section 7): an error is a failure, a usable completion with a
   * finish reason is a success, text without a finish reason was cut.
   *
   * @param isCut the finish reason proves nothing: more content followed it, and its end did not come.
   */
  #outcome(isCut: boolean): Pick<ReplyVerdict, 'outcome' | 'problem'> {
    const answer = this.#answer;
    const content = this.#content;
    const { finishReason, refusal } = content;
    if (this.#problem) {
      return { outcome: 'failed', problem: this.#problem };
    }
    const evidence = evidenceOf({}, answer);
    const isUsable = content.hasText || content.hasToolCalls || content.hasPicture;
    const outcome = isUsable ? 'incomplete' : 'failed';
    const finish = finishKind(finishReason);
    if (isCut) {
      return { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
    }
    if (finish === 'failure') {
      return { outcome, problem: { kind: 'gatewayDown', ...evidenceOf({ code: finishReason ?? '' }, answer) } };
    }
    if (finish === 'filter' || refusal !== undefined) {
      const words = refusal === undefined ? {} : evidenceOf({ message: refusal }, answer);
      return {
        outcome,
        problem: { kind: 'contentFiltered', ...(refusal !== undefined && { isRefusal: true }), ...evidence, ...words },
      };
    }
    if (isUsable) {
      return finish !== undefined || content.isWhole
        ? { outcome: 'complete' }
        : { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
    }
    if (content.hasReasoning && finishReason === undefined) {
      return { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
    }
    return { outcome: 'failed', problem: this.#withoutText() };
  }

  /** Why there is no text: an error in plain text, a web page, an empty body, or a body that isn't a completion. */
  #withoutText(): GatewayProblem {
    const answer = this.#answer;
    const { finishReason, hasReasoning } = this.#content;
    if (this.#isHtml === true) {
      return webPageProblem(this.#head, answer);
    }
    // After `[DONE]` or an error the body needs no explanation.
    const head = this.isDone ? '' : this.#head.trim();
    const evidence = evidenceOf({}, answer);
    if (head === '' && redirects.has(answer.status)) {
      return { kind: 'redirected', target: '', ...evidence };
    }
    if (answer.status >= 400) {
      return classify(head === '' || this.payloads > 0 ? {} : { message: head }, answer);
    }
    // The answer may have been paid for, so the problem shows as much of it as possible.
    const withWords = evidenceOf({ message: head }, answer);
    if (this.#endedInside && this.payloads === 0) {
      return { kind: 'cut', ...withWords };
    }
    if (this.#lost !== '') {
      return { kind: 'unreadable', isDamaged: true, ...evidenceOf({ message: this.#lost }, answer) };
    }
    // Many gateways don't pass on the reasoning that used up the limit. A prompt that fills the context leaves room for none
    // (can1357/oh-my-pi#2774).
    const { usage } = this;
    const hasRoom = !isCounted(usage) || allTokens(usage) > inputTokens(usage) + 1;
    if (finishKind(finishReason) === 'limit' && (hasReasoning || hasRoom)) {
      return { kind: 'emptyReply', isAllReasoning: true, ...evidence };
    }
    const isOther = this.payloads > 0 && !this.#hasChoices && /^[{[]/.test(head);
    if (head === '' || (this.payloads > 0 && !isOther) || finishReason !== undefined || hasReasoning) {
      return { kind: 'emptyReply', ...evidence };
    }
    // A body with nothing but comments and empty events is an empty reply too.
    const saysNothing = head.split(/\r\n|\r|\n/).every((line) => /^\s*(?::|data:\s*$|event:|id:|retry:|$)/.test(line));
    return saysNothing ? { kind: 'emptyReply', ...evidence } : { kind: 'unreadable', ...withWords };
  }

  #read(piece: string): void {
    if (piece === '' || this.isDone) {
      return;
    }
    let text = piece;
    if (this.#isHtml === undefined) {
      // Skips a byte order mark, and white space, which DeepSeek may send for minutes to keep the connection open.
      text = (this.#head + piece).trimStart();
      if (text === '' || text === '<') {
        // The second character is needed to recognize a tag.
        this.#head = text;
        return;
      }
      this.#head = '';
      this.#isHtml = isHtmlLike(text);
    }
    if (this.#head.length < headLimit) {
      this.#head += text.slice(0, headLimit - this.#head.length);
    }
    if (!this.#isHtml) {
      this.#events.feed(text);
    }
  }

  #flush(): void {
    const delta = this.#content.take();
    if (delta) {
      if (delta.allBefore !== undefined) {
        this.#release();
      }
      const { text, reasoning } = this.#filters;
      this.#emit({
        ...delta,
        text: delta.text === '' ? '' : text.push(delta.text),
        reasoning: delta.reasoning === '' ? '' : reasoning.push(delta.reasoning),
      });
    }
  }

  /** Passes on what could have been the start of the key. */
  #release(): void {
    this.#emit({ text: this.#filters.text.end(), reasoning: this.#filters.reasoning.end() });
  }

  #emit(delta: ReplyDelta): void {
    if (delta.text !== '' || delta.reasoning !== '' || delta.allBefore !== undefined || delta.pictures) {
      this.#onDelta(delta);
    }
  }

  #callsWithoutKey(): { readonly toolCalls: readonly ToolCall[]; readonly withKey: number } {
    const all = this.#content.toolCalls;
    // The arguments are JSON within JSON, with their own escapes.
    const toolCalls = all.filter((call) => !this.#ownKey.isIn([call, parseJson(call.arguments)]));
    return { toolCalls, withKey: all.length - toolCalls.length };
  }

  #event({ name, data }: StreamEvent): void {
    if (this.isDone) {
      return;
    }
    // Some gateways write the name of the field twice (wire Q4).
    const given = data.trim();
    const trimmed = given.startsWith('data:') ? given.slice(5).trim() : given;
    if (trimmed === '[DONE]') {
      this.#lose();
      this.isDone = true;
      return;
    }
    if (!beginsDocument(trimmed) && this.#broken === undefined) {
      if (name === 'error' || /^error:/i.test(trimmed)) {
        this.#fail({ message: trimmed.replace(/^error:\s*/i, '') });
      }
      // Other data without a bracket is a ping or a label.
      return;
    }
    for (const document of this.#documents(trimmed)) {
      this.#document(document, name);
    }
  }

  /** The JSON documents of an event: mostly one, which may have begun in the event before (wire Q16). */
  #documents(data: string): readonly unknown[] {
    const chunk = this.#chunks.parse(data);
    if (chunk !== undefined) {
      this.#lose();
      return [chunk];
    }
    const joined = this.#broken === undefined ? undefined : documentsIn(this.#broken + data, parseJson);
    if (joined) {
      this.#broken = undefined;
      return joined.documents;
    }
    return this.#damaged(data);
  }

  /**
   * Reads data that isn't strict JSON, or that begins after the cut start of another event. Data that starts a document
   * may continue in the next event, but not in more.
   */
  #damaged(data: string): readonly unknown[] {
    if (!beginsDocument(data)) {
      this.#broken += data;
      this.#lose();
      return [];
    }
    this.#lose();
    const whole =
      documentsIn(data, parseJson, true) ?? documentsIn(data, (text) => parseJson(text) ?? parseLooseJson(text));
    if (whole) {
      return whole.rest === '' ? whole.documents : [...whole.documents, ...this.#damaged(whole.rest)];
    }
    for (const { index } of [...data.matchAll(/\{/g)].slice(1, maxGlued)) {
      const glued = parseJson(data.slice(index));
      // Other objects are parts of the event itself.
      if (isRecord(glued) && (glued.choices !== undefined || glued.error !== undefined)) {
        this.#broken = data.slice(0, index);
        this.#lose();
        return [glued];
      }
    }
    this.#broken = data;
    return [];
  }

  /** Gives up the data that was not JSON: it stays unread. */
  #lose(): void {
    if (this.#broken !== undefined) {
      this.#lost += `${this.#lost === '' ? '' : '\n'}${this.#broken.slice(0, headLimit - this.#lost.length)}`;
      this.#broken = undefined;
    }
  }

  #document(value: unknown, name: string | undefined): void {
    this.payloads++;
    if (isRecord(value) && value === this.#previous && Array.isArray(value.choices)) {
      this.#content.read(value.choices, true);
      return;
    }
    this.#previous = value;
    const error =
      readErrorBody(value, this.#answer.status) ?? (name === 'error' ? readErrorBody({ error: value }) : undefined);
    if (isRecord(value)) {
      this.#model = textOf(value.model) ?? this.#model;
      const usage = withUsageOf(value, this.#usage);
      const hasUsage = usage !== this.#usage;
      this.#usage = usage;
      const choices = value.choices;
      this.#hasChoices ||= choices !== undefined;
      this.#sources.read(value);
      const { units } = this.#content;
      const choiceError =
        Array.isArray(choices) && this.#content.read(choices, value.object === 'chat.completion.chunk');
      const { finishReason, hasText } = this.#content;
      this.#isUsageLast ||= hasUsage && finishReason !== undefined && hasText && this.#content.units === units;
      if (choiceError) {
        this.#fail(choiceError);
      }
    }
    if (error) {
      this.#fail(error);
    }
  }

  #fail(error: ErrorFacts): void {
    this.#problem ??= classify(error, this.#answer, this.#content.units > 0);
    this.isDone = true;
  }
}

function beginsDocument(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

/**
 * The JSON documents in a text, and the cut start of another one after them; undefined when there is none or one can't be
 * parsed.
 */
function documentsIn(
  text: string,
  parse: (json: string) => unknown,
  canBeCut = false,
): { readonly documents: readonly unknown[]; readonly rest: string } | undefined {
  const found = new JsonDocuments();
  const documents = found.push(text).map(parse);
  const rest = found.reset();
  return documents.length > 0 && !documents.includes(undefined) && (canBeCut || rest === '')
    ? { documents, rest }
    : undefined;
}

/** A template for chunks that differ in text alone: the JSON around the text, the parsed chunk and its `delta`. */
type Pattern = {
  readonly before: string;
  readonly after: string;
  readonly chunk: unknown;
  readonly delta: { content?: unknown };
};

/** Chunks to search for a pattern before giving up: a stream whose chunks differ in more than their text has none. */
const maxSearched = 16;

/**
 * Parses the chunks of one stream. Most chunks differ from the previous one in `delta.content` alone. Only the text of
 * those is parsed, which halves the time per stream.
 */
export class ChunkParser {
  #pattern: Pattern | undefined;
  /** A chunk to find a pattern in, which is done when the next one comes, so that the first text isn't delayed. */
  #last: { readonly json: string; readonly text: string } | undefined;
  #searched = 0;

  /** @returns the chunk; the next call may modify this object. Undefined when the text is not JSON. */
  parse(json: string): unknown {
    if (this.#last) {
      this.#pattern = patternOf(this.#last.json, this.#last.text);
      this.#last = undefined;
    }
    if (this.#pattern) {
      const { before, after, chunk, delta } = this.#pattern;
      const end = json.length - after.length;
      // Comparing slices is fast in V8; `startsWith` takes five times as long.
      if (end > before.length && json.slice(0, before.length) === before && json.slice(end) === after) {
        // The slice includes the quotes, so it parses only if it is a single string.
        const text = parseJson(json.slice(before.length, end));
        if (typeof text === 'string') {
          delta.content = text;
          return chunk;
        }
      }
    }
    const chunk = parseJson(json);
    const text = deltaOf(chunk).content;
    if (typeof text === 'string' && this.#searched < maxSearched) {
      this.#searched++;
      this.#last = { json, text };
    }
    return chunk;
  }
}

/** @returns undefined when the text occurs more than once or is escaped differently than `JSON.stringify` does it. */
function patternOf(json: string, text: string): Pattern | undefined {
  const literal = JSON.stringify(text);
  const [before = '', after, ...more] = json.split(literal);
  if (after === undefined || more.length > 0) {
    return undefined;
  }
  // Replace the text to verify that this position is the one `content` is read from.
  const other = `not ${text}`;
  const chunk = parseJson(before + JSON.stringify(other) + after);
  const delta = deltaOf(chunk);
  return delta.content === other ? { before, after, chunk, delta } : undefined;
}

function deltaOf(chunk: unknown): LooseRecord {
  const { choices } = recordOf(chunk);
  return recordOf(recordOf(Array.isArray(choices) ? choices[0] : undefined).delta);
}

/** A dispatched event. `name` is absent for an ordinary message. */
export type StreamEvent = { readonly name?: string; readonly data: string };

/**
 * Parses server-sent events as gateways really send them: LF, CRLF and CR; comments; several `data:`
 * lines; raw JSON without a field name; a field named `error`; no blank line at the end (wire Q1–Q4, Q7, Q10–Q13, Q17,
 * Q18). The text may be split anywhere.
 */
export class EventStream {
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #maxEventUnits: number;
  readonly #raw = new JsonDocuments();
  #buffer = '';
  #data: string | undefined;
  /** The last line of `#data` may end a document. `#data` itself is asked nothing, as that would copy it for each line. */
  #mayEnd = false;
  #name: string | undefined;
  /** The JSON in `#data` has a raw line break. */
  #isBroken = false;
  /** The last line ended with CR, so an LF that follows belongs to it. */
  #endedWithCr = false;

  /** @param maxEventUnits the largest single event. */
  constructor(onEvent: (event: StreamEvent) => void, maxEventUnits = maxEvent) {
    this.#onEvent = onEvent;
    this.#maxEventUnits = maxEventUnits;
  }

  /** @throws RangeError when one event grows beyond the limit, which is dropped then. */
  feed(piece: string): void {
    let text = piece;
    if (this.#endedWithCr && text !== '') {
      this.#endedWithCr = false;
      if (text.charCodeAt(0) === 0x0a) {
        text = text.slice(1);
      }
    }
    if (!/[\r\n]/.test(text)) {
      // Not searched again for line ends, so that the time for one long line stays linear in its length.
      this.#buffer += text;
    } else {
      this.#endedWithCr = text.endsWith('\r');
      // Nearly all streams use LF alone, and splitting by a string takes half the time of a regular expression.
      const lines = (this.#buffer + text).split(text.includes('\r') ? /\r\n|\r|\n/ : '\n');
      this.#buffer = lines.pop() ?? '';
      for (const line of lines) {
        this.#line(line);
      }
    }
    if (this.#buffer.length + (this.#data?.length ?? 0) + this.#raw.pending > this.#maxEventUnits) {
      this.#buffer = '';
      this.#data = undefined;
      this.#raw.reset();
      throw new RangeError('One event of the stream is larger than the limit');
    }
  }

  /** Ends the stream and dispatches an event that lacks its line end or blank line. */
  end(): void {
    if (this.#buffer !== '') {
      const line = this.#buffer;
      this.#buffer = '';
      this.#line(line);
    }
    this.#dispatch();
    const rest = this.#raw.reset();
    if (rest !== '') {
      this.#onEvent({ data: rest });
    }
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    if (this.#raw.pending > 0) {
      if (!/^(?:data|event):/.test(line)) {
        this.#rawLine(line);
        return;
      }
      // No line of a JSON document starts like this, so the open document is incomplete. End it here.
      this.#onEvent({ data: this.#raw.reset() });
    }
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5);
      if (this.#data !== undefined && this.#mayEnd && /^[{[]/.test(value)) {
        // Another document, without the blank line before it (wire Q7).
        this.#dispatch();
      }
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      this.#mayEnd = value.endsWith('}');
      return;
    }
    if (line.startsWith(':')) {
      return;
    }
    if (/^\s*[{[]/.test(line)) {
      this.#dispatch();
      this.#rawLine(line);
      return;
    }
    if (line.startsWith('event:')) {
      this.#name = line.slice(6).trim();
    } else if (line.startsWith('error:')) {
      this.#dispatch();
      this.#onEvent({ name: 'error', data: line.slice(6).trim() });
    } else if (this.#data !== undefined && (this.#isBroken || isOpen(this.#data))) {
      // A raw line break within a string of the JSON (wire Q15).
      this.#isBroken = true;
      this.#data += `\n${line}`;
    }
    // Ignores id, retry and unknown fields, which a client that never reconnects doesn't need.
  }

  #rawLine(line: string): void {
    for (const document of this.#raw.push(line)) {
      this.#onEvent({ data: document });
    }
    if (this.#raw.pending > 0) {
      // Pushed separately, because appending it to a long line would copy that line.
      this.#raw.push('\n');
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const name = this.#name;
    this.#data = undefined;
    this.#name = undefined;
    this.#isBroken = false;
    if (data !== undefined && data !== '') {
      this.#onEvent(name ? { name, data } : { data });
    }
  }
}

/** Whether a text ends within a JSON document. */
function isOpen(text: string): boolean {
  const documents = new JsonDocuments();
  documents.push(text);
  return documents.pending > 0;
}
