import { isRecord, type LooseRecord, recordOf, textOf } from '../base/loose.ts';
import { type ErrorFacts, readErrorBody } from '../errors/errorBody.ts';
import { CumulativeText } from './cumulativeText.ts';
import { ReasoningFields } from './reasoningFields.ts';
import { ThinkSplitter } from './thinkSplitter.ts';
import { type ToolCall, ToolCalls } from './toolCalls.ts';

/** New text of a reply; one of the two is usually empty. */
export type ReplyDelta = { readonly text: string; readonly reasoning: string };

/**
 * Collects the content of a reply's choices in every form gateways send: text, reasoning, refusal, tool calls and
 * finish reason. Pass choices to `read`; get new text from `take`.
 */
export class ReplyContent {
  readonly #cumulative = new CumulativeText();
  readonly #think = new ThinkSplitter();
  readonly #reasoningFields = new ReasoningFields();
  readonly #toolCalls = new ToolCalls();
  #text = '';
  #reasoning = '';
  #hasText = false;
  #hasReasoning = false;
  #isWhole = false;
  #units = 0;
  #choiceIndex: number | undefined;
  #finishReason: string | undefined;
  #refusal: string | undefined;

  /** Whether there is text other than white space, which alone isn't an answer. */
  get hasText(): boolean {
    return this.#hasText;
  }

  get hasReasoning(): boolean {
    return this.#hasReasoning;
  }

  /** Length of all content read so far, in UTF-16 units. */
  get units(): number {
    return this.#units + this.#toolCalls.units;
  }

  /** A whole completion was read, which needs no finish reason. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get finishReason(): string | undefined {
    return this.#finishReason;
  }

  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** True also for deltas that hold neither a name nor arguments, which `toolCalls` leaves out. */
  get hasToolCalls(): boolean {
    return !this.#toolCalls.isEmpty;
  }

  get toolCalls(): readonly ToolCall[] {
    return this.#toolCalls.list();
  }

  /** Reads the `choices` of a chunk or a whole completion. @returns the error in one of them. */
  read(choices: readonly unknown[], isChunk: boolean): ErrorFacts | undefined {
    let error: ErrorFacts | undefined;
    for (const choice of choices) {
      if (!isRecord(choice)) {
        continue;
      }
      // Of several choices only one is read: the first to arrive.
      const index = typeof choice.index === 'number' ? choice.index : 0;
      this.#choiceIndex ??= index;
      if (index !== this.#choiceIndex) {
        continue;
      }
      if (isRecord(choice.delta)) {
        this.#message(choice.delta);
      } else if (isRecord(choice.message)) {
        // A chunk may have `message` instead of `delta`, but is never a whole completion.
        this.#isWhole ||= !isChunk;
        this.#message(choice.message);
      } else if (typeof choice.text === 'string') {
        this.#content(choice.text);
      }
      const finishReason = choice.finish_reason;
      if (typeof finishReason === 'string' && finishReason !== '') {
        this.#finishReason = finishReason;
      }
      if (isRecord(choice.error)) {
        error ??= readErrorBody({ error: choice.error });
      }
    }
    return error;
  }

  /** @returns the text that is new since the last call. */
  take(): ReplyDelta | undefined {
    if (this.#text === '' && this.#reasoning === '') {
      return undefined;
    }
    const delta = { text: this.#text, reasoning: this.#reasoning };
    this.#text = '';
    this.#reasoning = '';
    return delta;
  }

  /** Ends the reply and adds text that was held back because it could have been a tag or a repetition. */
  end(): void {
    const last = this.#think.push(this.#cumulative.end());
    this.#add(last.text, last.reasoning);
    const held = this.#think.end();
    this.#add(held.text, held.reasoning);
  }

  #add(text: string, reasoning: string): void {
    this.#text += text;
    this.#reasoning += reasoning;
    this.#units += text.length + reasoning.length;
    this.#hasText ||= text.trim() !== '';
    this.#hasReasoning ||= reasoning !== '';
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
      this.#units += refusal.length;
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

  /** Reads a content part: text, or thinking that is itself a list of parts (wire Q34). */
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
}
