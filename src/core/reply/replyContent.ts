import { isRecord, type LooseRecord, recordOf } from '../base/loose.ts';
import { type Picture, replacePictures } from '../base/pictures.ts';
import { type ErrorFacts, readErrorBody } from '../errors/errorBody.ts';
import { CumulativeText } from './cumulativeText.ts';
import { Pictures } from './pictures.ts';
import { ReasoningFields, reasoningText, type Split, ThinkSplitter } from './reasoning.ts';
import { type ToolCall, ToolCalls } from './toolCalls.ts';

/** New text of a reply; one of the two is usually empty. */
export type ReplyDelta = {
  readonly text: string;
  readonly reasoning: string;
  /** The text and reasoning before this delta were only one of the two. The end of a block can show this late. */
  readonly allBefore?: 'reasoning' | 'text';
  /** The pictures that the text refers to from here on. */
  readonly pictures?: readonly Picture[];
};

/** Text and reasoning so far, with a delta added. */
export function withDelta({ text, reasoning }: ReplyDelta, delta: ReplyDelta): { text: string; reasoning: string } {
  const all = reasoning + text;
  const before =
    delta.allBefore === undefined
      ? { text, reasoning }
      : { text: delta.allBefore === 'text' ? all : '', reasoning: delta.allBefore === 'text' ? '' : all };
  return { text: before.text + delta.text, reasoning: before.reasoning + delta.reasoning };
}

/** Chunks whose index is one more than that of the chunk before them, which prove that it counts tokens. */
const minCounted = 8;

/**
 * Collects the content of a reply's choices in every form gateways send: text, reasoning, refusal, pictures, tool calls
 * and finish reason. Pass choices to `read`; get new text from `take`.
 */
export class ReplyContent {
  readonly #cumulative = new CumulativeText();
  readonly #thought = new CumulativeText();
  readonly #think = new ThinkSplitter();
  readonly #pictures = new Pictures();
  readonly #reasoningFields = new ReasoningFields();
  readonly #toolCalls = new ToolCalls();
  #new: ReplyDelta = { text: '', reasoning: '' };
  #hasText = false;
  #hasReasoning = false;
  #hasPicture = false;
  #isWhole = false;
  #units = 0;
  #fieldUnits = 0;
  #choiceIndex: number | undefined;
  /** Choices of other indexes, until it's known whether they are read; undefined once it is. */
  #otherChoices: LooseRecord[] | undefined = [];
  /** The choice that is read had content. */
  #hasChoice = false;
  /** The index counts tokens. */
  #isCounting = false;
  #finishReason: string | undefined;
  #isReasonDoubtful = false;
  #isReasonAlone = false;
  #refusal: string | undefined;
  /** How much of the reasoning in fields a block in the text has repeated; undefined once it has other reasoning. */
  #mirrored: number | undefined = 0;

  /** Whether there is text other than white space, which alone isn't an answer. */
  get hasText(): boolean {
    return this.#hasText;
  }

  get hasReasoning(): boolean {
    return this.#hasReasoning;
  }

  get hasPicture(): boolean {
    return this.#hasPicture || this.#pictures.count > 0;
  }

  get hasOnlyReasoning(): boolean {
    return (
      this.#hasReasoning && !this.#hasText && !this.hasPicture && !this.hasToolCalls && this.#refusal === undefined
    );
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

  /** Content followed a finish reason, so that the finish reasons of this reply prove nothing (wire Q8). */
  get isReasonDoubtful(): boolean {
    return this.#isReasonDoubtful;
  }

  /** The finish reason came in a chunk without content, after text. */
  get isReasonAlone(): boolean {
    return this.#isReasonAlone;
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
      if (isRecord(choice) && this.#isRead(choice, choices.length === 1)) {
        error ??= this.#choice(choice, isChunk);
      }
    }
    return error;
  }

  /**
   * Of several choices only one is read: the first, unless only another one has content. But some gateways count tokens
   * in `index` (wire Q28), so chunks whose index always grows by one are held back until there are many of them or the
   * reply ends.
   */
  #isRead(choice: LooseRecord, isAlone: boolean): boolean {
    const index = indexOf(choice);
    const hasContent = carriesContent(choice);
    this.#choiceIndex ??= index;
    const others = this.#otherChoices;
    if (index === this.#choiceIndex || this.#isCounting) {
      if (hasContent) {
        // Content of the same index again, or after others, shows that the index doesn't count.
        this.#otherChoices = this.#hasChoice || others?.length !== 0 ? undefined : others;
        this.#hasChoice = true;
      }
      return true;
    }
    if (others === undefined || !(hasContent || reasonOf(choice) !== undefined)) {
      return false;
    }
    const before = others.at(-1);
    const last = before ? indexOf(before) : this.#choiceIndex;
    if (!this.#hasChoice && before && index === last) {
      this.#choiceIndex = index;
      this.#hasChoice = true;
      this.#readOthers();
      return true;
    }
    const isNext = index === last + 1 || (!this.#hasChoice && before === undefined);
    const isHeld = isAlone && isNext && this.#finishReason === undefined;
    if (isHeld) {
      others.push(structuredClone(choice));
    }
    if (isHeld ? others.length === minCounted : !this.#hasChoice) {
      this.#isCounting = true;
      this.#readOthers();
      return !isHeld;
    }
    this.#otherChoices = isHeld ? others : undefined;
    return false;
  }

  #readOthers(): void {
    const others = this.#otherChoices ?? [];
    this.#otherChoices = undefined;
    for (const choice of others) {
      this.#choice(choice, true);
    }
  }

  #choice(choice: LooseRecord, isChunk: boolean): ErrorFacts | undefined {
    const before = this.received;
    if (isRecord(choice.delta)) {
      this.#message(choice.delta);
    } else if (isRecord(choice.message)) {
      // A chunk may have `message` instead of `delta`, but is never a whole completion.
      this.#isWhole ||= !isChunk;
      this.#message(choice.message, true);
    } else if (typeof choice.text === 'string') {
      this.#content(choice.text);
    }
    const isNew = this.received > before;
    this.#isReasonDoubtful ||= isNew && this.#finishReason !== undefined;
    const finishReason = reasonOf(choice);
    if (finishReason !== undefined) {
      this.#finishReason = finishReason;
      this.#isReasonAlone ||= !isNew && this.#hasText;
    }
    return isRecord(choice.error) ? readErrorBody({ error: choice.error }) : undefined;
  }

  /** Grows with everything that is content, also while text is held back, and not with repetitions. */
  get received(): number {
    return this.#cumulative.units + this.#thought.units + this.#fieldUnits + this.#toolCalls.units;
  }

  /** @returns the text that is new since the last call. */
  take(): ReplyDelta | undefined {
    const { text, reasoning, allBefore } = this.#new;
    if (text === '' && reasoning === '' && allBefore === undefined) {
      return undefined;
    }
    const delta = this.#new;
    const pictures = this.#pictures.take();
    this.#new = { text: '', reasoning: '' };
    return pictures.length > 0 ? { ...delta, pictures } : delta;
  }

  /** Ends the reply and adds text that was held back because it could have been a tag, a repetition or another choice. */
  end(): void {
    this.#readOthers();
    this.#add({ reasoning: this.#thought.end() });
    this.#add(this.#think.push(this.#cumulative.end()));
    this.#add(this.#think.end());
    this.#show(this.#pictures.end());
  }

  /** Makes the reasoning the answer, because the reply ended with nothing else. */
  takeReasoningAsText(): void {
    this.#new = { ...withDelta(this.#new, { text: '', reasoning: '', allBefore: 'text' }), allBefore: 'text' };
    this.#hasText = true;
    this.#hasReasoning = false;
  }

  #add({ text = '', reasoning = '', isAllReasoning }: Partial<Split>): void {
    const shown = text === '' ? '' : this.#pictures.push(text);
    this.#show(shown, reasoning, isAllReasoning);
    this.#units += shown.length + reasoning.length;
    this.#hasReasoning ||= reasoning !== '' || (isAllReasoning === true && this.#hasText);
    this.#hasText = (this.#hasText && isAllReasoning === undefined) || replacePictures(text, () => '').trim() !== '';
  }

  #show(text: string, reasoning = '', isAllReasoning?: true): void {
    const { allBefore } = this.#new;
    const added = { text, reasoning, ...(isAllReasoning && { allBefore: 'reasoning' as const }) };
    this.#new = { ...withDelta(this.#new, added), allBefore: added.allBefore ?? allBefore };
  }

  #addReasoning(reasoning: string, isWhole: boolean): void {
    const fresh = this.#thought.push(reasoning, isWhole);
    if (fresh !== '') {
      this.#add({ reasoning: fresh });
    }
  }

  #message(message: LooseRecord, isWhole = false): void {
    this.#addReasoning(this.#reasoningFields.read(message, this.#hasReasoning), isWhole);
    // A spoken answer may have no other text than what is said.
    const content = message.content || recordOf(message.audio).transcript;
    if (typeof content === 'string') {
      this.#content(content, isWhole);
    } else if (Array.isArray(content)) {
      this.#content(content.map((part) => this.#part(part, isWhole)).join(''), isWhole);
    }
    for (const image of Array.isArray(message.images) ? message.images : []) {
      this.#show(this.#picture(image));
    }
    this.#refuse(message.refusal, isWhole);
    if (message.tool_calls) {
      this.#toolCalls.push(message.tool_calls);
    }
    if (message.function_call) {
      this.#toolCalls.pushLegacy(message.function_call);
    }
  }

  #content(content: string, isMessage = false): void {
    const fresh = this.#cumulative.push(content, isMessage);
    if (fresh !== '') {
      this.#add(this.#withoutMirrored(this.#think.push(fresh)));
    }
  }

  /** Drops a block of reasoning that repeats the fields for it, as MiniMax sends them (wire Q33). */
  #withoutMirrored(split: Split): Split {
    const at = this.#mirrored;
    const fields = split.reasoning === '' ? '' : this.#thought.text;
    if (fields === '' || at === undefined) {
      return split;
    }
    const piece = at === 0 ? split.reasoning.trimStart() : split.reasoning;
    if (fields.startsWith(piece.trimEnd(), at)) {
      this.#mirrored = at + piece.length;
      return { ...split, reasoning: '' };
    }
    this.#mirrored = undefined;
    return { ...split, reasoning: fields.slice(0, at) + split.reasoning };
  }

  #refuse(value: unknown, isWhole: boolean): void {
    // A whole message may repeat it.
    if (typeof value === 'string' && value !== '' && !(isWhole && value === this.#refusal)) {
      this.#refusal = (this.#refusal ?? '') + value;
      this.#units += value.length;
      this.#fieldUnits += value.length;
    }
  }

  /** Reads a picture that is no text. @returns Markdown for the text. */
  #picture(part: unknown, isWhole = false): string {
    const markdown = this.#pictures.read(part, isWhole);
    this.#fieldUnits += markdown !== '' || !this.#hasPicture ? 1 : 0;
    this.#hasPicture = true;
    return markdown;
  }

  /** Reads a content part: a refusal, a picture, thinking that is itself a list of parts (wire Q34). @returns its text. */
  #part(part: unknown, isWhole: boolean): string {
    const { type, text, refusal, ...more } = recordOf(part);
    if (type === 'thinking' || type === 'reasoning' || more.thinking) {
      this.#addReasoning(reasoningText(part), isWhole);
      return '';
    }
    this.#refuse(refusal, isWhole);
    if (/image/i.test(String(type)) || 'image_url' in more || 'inline_data' in more || 'inlineData' in more) {
      return this.#picture(part, isWhole);
    }
    return typeof part === 'string' ? part : typeof text === 'string' ? text : '';
  }
}

function indexOf({ index }: LooseRecord): number {
  return typeof index === 'number' ? index : 0;
}

/** Whether a choice has more than a role and empty fields. */
function carriesContent({ delta, message, text }: LooseRecord): boolean {
  const fields = recordOf(isRecord(delta) ? delta : message);
  for (const name in fields) {
    const value = fields[name];
    if (name !== 'role' && (Array.isArray(value) ? value.length > 0 : Boolean(value))) {
      return true;
    }
  }
  return Boolean(text);
}

/** No finish reason, in words (wire Q8). */
const noReason = /^(?:null|none|(?:finish_reason_)?unspecified)?$/i;

/** The finish reason; Gemini has sent it in its own spelling (llmcord#84). */
function reasonOf({ finish_reason, finishReason }: LooseRecord): string | undefined {
  return [finish_reason, finishReason].find((reason) => typeof reason === 'string' && !noReason.test(reason)) as
    | string
    | undefined;
}
