import { isRecord, type LooseRecord, recordOf, textOf } from '../base/loose.ts';
import { type Picture, pictureAddress, pictureKind, replacePictures } from '../base/pictures.ts';
import { type ErrorFacts, readErrorBody } from '../errors/errorBody.ts';
import { finishKind } from './finishReason.ts';
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

/**
 * Collects the content of a reply's choices in every form gateways send: text, reasoning, refusal, pictures, tool calls
 * and finish reason. Pass choices to `read`; get new text from `take`.
 */
export class ReplyContent {
  readonly #cumulative = new CumulativeText();
  readonly #thought = new CumulativeText();
  readonly #marks = new SourceMarks();
  readonly #think = new ThinkSplitter();
  readonly #pictures = new Pictures();
  readonly #toolCalls = new ToolCalls();
  /** There is text other than white space, which alone isn't an answer. This and the next ones are written only here. */
  hasText = false;
  hasReasoning = false;
  /** A whole completion was read, which needs no finish reason. */
  isWhole = false;
  finishReason: string | undefined;
  /** Content followed a finish reason, so that the finish reasons of this reply prove nothing (wire Q8). */
  isReasonDoubtful = false;
  /** The finish reason came in a chunk without content, after text. */
  isReasonAlone = false;
  refusal: string | undefined;
  #new: ReplyDelta = { text: '', reasoning: '' };
  /** White space before the first word of the reasoning. */
  #blank = '';
  /** Reasoning came in lists of details. */
  #hasDetails = false;
  #hasPicture = false;
  /** Length of refusals and number of pictures. */
  #fieldUnits = 0;
  /** How much of the reasoning in fields a block in the text has repeated; undefined once it has other reasoning. */
  #mirrored: number | undefined = 0;

  get hasPicture(): boolean {
    return this.#hasPicture || this.#pictures.count > 0;
  }

  get hasOnlyReasoning(): boolean {
    return this.hasReasoning && !this.hasText && !this.hasPicture && !this.hasToolCalls && this.refusal === undefined;
  }

  /** True also for deltas that hold neither a name nor arguments, which `toolCalls` leaves out. */
  get hasToolCalls(): boolean {
    return !this.#toolCalls.isEmpty;
  }

  get toolCalls(): readonly ToolCall[] {
    return this.#toolCalls.list();
  }

  /**
   * Reads the `choices` of a chunk or a whole completion. Only one answer is ever asked for, so all of them are parts of
   * it, whatever their index: some gateways count tokens in it (wire Q28). @returns the error in one of them.
   */
  read(choices: readonly unknown[], isChunk: boolean): ErrorFacts | undefined {
    let error: ErrorFacts | undefined;
    for (const choice of choices.filter(isRecord)) {
      error ??= this.#choice(choice, isChunk);
    }
    return error;
  }

  #choice(choice: LooseRecord, isChunk: boolean): ErrorFacts | undefined {
    const before = this.units;
    if (isRecord(choice.delta)) {
      this.#message(choice.delta);
    } else if (isRecord(choice.message)) {
      // A chunk may have `message` instead of `delta`, but is never a whole completion.
      this.isWhole ||= !isChunk;
      this.#message(choice.message, true);
    } else if (typeof choice.text === 'string') {
      this.#content(choice.text);
    }
    const isNew = this.units > before;
    this.isReasonDoubtful ||= isNew && this.finishReason !== undefined;
    const finishReason = reasonOf(choice);
    if (finishReason !== undefined) {
      this.finishReason = finishReason;
      this.isReasonAlone ||= !isNew && this.hasText;
    }
    return isRecord(choice.error) ? readErrorBody({ error: choice.error }) : undefined;
  }

  /** Length of all content in UTF-16 units, also while text is held back, without repetitions. A picture counts as one. */
  get units(): number {
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

  /** Ends the reply and adds text that was held back because it could have been a tag or a repetition. */
  end(): void {
    this.#add({ reasoning: this.#thought.end() });
    this.#add(this.#think.push(this.#marks.push(this.#cumulative.end()) + this.#marks.end()));
    this.#add(this.#think.end());
    this.#show(this.#pictures.end());
  }

  /** Makes the reasoning the answer, because the reply ended with nothing else. */
  takeReasoningAsText(): void {
    this.#new = { ...withDelta(this.#new, { text: '', reasoning: '', allBefore: 'text' }), allBefore: 'text' };
    this.hasText = true;
    this.hasReasoning = false;
  }

  #add({ text = '', reasoning: more = '', isAllReasoning }: Partial<Split>): void {
    // White space alone is no reasoning: models that don't think send a block with nothing else in it.
    const held = this.#blank + more;
    const reasoning = this.hasReasoning || held.trim() !== '' ? held : '';
    this.#blank = reasoning === '' ? held : '';
    this.#show(text === '' ? '' : this.#pictures.push(text), reasoning, this.hasText ? isAllReasoning : undefined);
    if (isAllReasoning) {
      this.hasReasoning ||= this.hasText;
      this.hasText = false;
    }
    this.hasReasoning ||= reasoning !== '';
    this.hasText ||= replacePictures(text, () => '').trim() !== '';
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
    this.#addReasoning(this.#reasoningOf(message), isWhole);
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
    if (isRecord(message.function_call)) {
      // The older field: a single call with neither index nor id.
      this.#toolCalls.push([{ index: 0, function: message.function_call }]);
    }
  }

  /**
   * The reasoning in the fields for it (wire 1.2, Q33). Some gateways send the same text in several fields, so only one is
   * read; lists of details only while no other source had reasoning. All of it may come again, in another field or last.
   */
  #reasoningOf(message: LooseRecord): string {
    const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, thinking_blocks } = message;
    let text =
      reasoningText(reasoning_content) ||
      reasoningText(reasoning) ||
      reasoningText(reasoning_text) ||
      reasoningText(thinking);
    if (text === '' && (this.#hasDetails || !this.hasReasoning)) {
      text = reasoningText(reasoning_details) || reasoningText(thinking_blocks);
      this.#hasDetails ||= text !== '' && this.hasReasoning === false;
    }
    return this.#hasDetails && text.length > 1 && text === this.#thought.text ? '' : text;
  }

  #content(content: string, isMessage = false): void {
    const fresh = this.#marks.push(this.#cumulative.push(content, isMessage));
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
    if (typeof value === 'string' && value !== '' && !(isWhole && value === this.refusal)) {
      this.refusal = (this.refusal ?? '') + value;
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

/** No finish reason, in words (wire Q8). */
const noReason = /^(?:null|none|(?:finish_reason_)?unspecified)?$/i;

/**
 * The finish reason; Gemini has sent it in its own spelling (llmcord#84). OpenRouter says `stop` also where the vendor
 * failed or reached a limit, as its other field tells.
 */
function reasonOf({ finish_reason, finishReason, native_finish_reason }: LooseRecord): string | undefined {
  const [reason] = [finish_reason, finishReason]
    .filter((each) => typeof each === 'string' && !noReason.test(each))
    .map(textOf);
  const native = finishKind(reason) === 'complete' ? textOf(native_finish_reason) : undefined;
  return ['limit', 'filter', 'failure'].includes(finishKind(native) ?? '') ? native : reason;
}

const sourceMark = /\uE200(?:file)?cite\uE202[^\uE200\uE201]{0,400}\uE201/g;
/** A text that may become such a mark. */
const mayBeMark = /\uE200(?:[a-z]{0,8}|(?:file)?cite\uE202[^\uE200\uE201]{0,400})$/;

/** Takes out the marks that OpenAI's models leave for what they found, which only ChatGPT can show (wire 1.2). */
class SourceMarks {
  #held = '';

  /** @returns the text without marks, as far as it is certain. */
  push(text: string): string {
    const all = this.#held + text;
    if (!all.includes('\uE200')) {
      return all;
    }
    const shown = all.replace(sourceMark, '');
    const hold = mayBeMark.exec(shown)?.index ?? shown.length;
    this.#held = shown.slice(hold);
    return shown.slice(0, hold);
  }

  /** @returns the text that was held back and didn't become a mark. */
  end(): string {
    const rest = this.#held.includes('\uE202') ? '' : this.#held;
    this.#held = '';
    return rest;
  }
}

const dataUrl = /^data:image\/([\w.+-]{1,40})[^,]{0,80};base64,/i;
const addressStart = /(\]\(<?)?(data:image\/[\w.+-]{1,40}[\w;=.+-]{0,80};base64,)/i;
/** A text that may become such a start. */
const mayBeStart = /\](?:\((?:<?(?:d|da|dat|data(?::[\w;=.+/-]{0,130})?)?)?)?$/i;

/**
 * Takes the pictures out of an answer: those that come beside its text, and the data in it, as a link in Markdown or bare,
 * which is not passed on as text. The text has references in their place, `![](picture:name)`. Code stays as it is.
 */
class Pictures {
  readonly #names = new Map<string, string>();
  #new: Picture[] = [];
  /** All text so far. */
  #text = '';
  #held = '';
  /** The address that is arriving. */
  #address: string | undefined;
  #isBare = false;

  /** Number of different pictures so far. */
  get count(): number {
    return this.#names.size;
  }

  /** @returns the text with references, as far as it is certain. */
  push(text: string): string {
    let rest = this.#held + text;
    if (this.#address === undefined && !rest.includes(']') && !rest.includes('data:image/')) {
      this.#text += rest;
      this.#held = '';
      return rest;
    }
    this.#held = '';
    let shown = '';
    while (rest !== '') {
      if (this.#address !== undefined) {
        const end = rest.search(this.#isBare ? /[^\w+/=]/ : /[)\n]/);
        this.#address += end < 0 ? rest : rest.slice(0, end);
        rest = end < 0 ? '' : rest.slice(rest[end] === ')' && !this.#isBare ? end + 1 : end);
        shown += end < 0 ? '' : this.#endAddress();
        continue;
      }
      const start = addressStart.exec(rest);
      const hold = start ? undefined : mayBeStart.exec(rest)?.index;
      const passed = start ? rest.slice(0, start.index) : rest.slice(0, hold);
      this.#text += passed;
      shown += passed;
      this.#held = hold === undefined ? '' : rest.slice(hold);
      rest = start ? rest.slice(start.index + start[0].length) : '';
      if (start && isInCode(this.#text)) {
        this.#text += start[0];
        shown += start[0];
      } else if (start) {
        this.#isBare = start[1] === undefined;
        this.#address = start[2] ?? '';
      }
    }
    return shown;
  }

  /** @returns the text that was held back, and the part of a picture that arrived. */
  end(): string {
    const rest = this.#address === undefined ? this.#held : this.#endAddress();
    this.#held = '';
    return rest;
  }

  /**
   * Reads a picture that is no text, in any form of a content part.
   *
   * @param isWhole it may repeat a picture, in a message that repeats the text too.
   * @returns Markdown for the text.
   */
  read(part: unknown, isWhole = false): string {
    const address = addressOf(part);
    const { size } = this.#names;
    // What is not data is never fetched: a link.
    const name = /^https?:/i.test(address) ? undefined : this.#note(address);
    const to = name === undefined ? address.replaceAll(/[\s()<>]/g, encodeURIComponent) : pictureAddress(name);
    const isShown = name === undefined ? /^https?:/i.test(address) : isWhole || this.#names.size > size;
    return isShown ? `\n\n![](${to})\n\n` : '';
  }

  /** The pictures since the last call. */
  take(): readonly Picture[] {
    const pictures = this.#new;
    this.#new = [];
    return pictures;
  }

  #endAddress(): string {
    const address = this.#address ?? '';
    const name = this.#note(/^[^\s>"]*/.exec(address)?.[0] ?? '');
    this.#address = undefined;
    const to = `](${name === undefined ? '' : pictureAddress(name)})`;
    const link = !this.#isBare ? to : name === undefined ? address : `![${to}`;
    this.#text += link;
    return link;
  }

  #note(address: string): string | undefined {
    const [head, subtype = ''] = dataUrl.exec(address) ?? [];
    const data = head === undefined ? '' : address.slice(head.length).replace(/\s+/g, '');
    const base64 = /^[A-Za-z0-9+/]*={0,2}/.exec(data)?.[0] ?? '';
    if (base64 === '') {
      return undefined;
    }
    const known = this.#names.get(base64);
    if (known !== undefined) {
      return known;
    }
    const ending = pictureKind(base64)?.ending ?? /^[a-z0-9]{1,8}/.exec(subtype.toLowerCase())?.[0] ?? 'bin';
    const name = `${crypto.randomUUID()}.${ending}`;
    this.#names.set(base64, name);
    this.#new.push({ name, base64 });
    return name;
  }
}

/** The address of a picture, or its data as one, in any form of a content part; empty if there is none. */
function addressOf(part: unknown): string {
  const { image_url, inline_data, inlineData, source } = recordOf(part);
  for (const each of [part, image_url, inline_data, inlineData, source]) {
    const { url, data, b64_json, image_base64, result, mime_type, mimeType, media_type } = recordOf(each);
    const found = [each, url, data, b64_json, image_base64, result].map(textOf).find((text) => text !== undefined);
    if (found !== undefined) {
      const type = [mime_type, mimeType, media_type].map(textOf).find((text) => text !== undefined) ?? 'image/png';
      return /^(?:data|https?):/i.test(found) ? found : `data:${type};base64,${found}`;
    }
  }
  return '';
}

/** Whether what follows a text is inside a code block or inline code. */
function isInCode(text: string): boolean {
  const fences = text.match(/^[\s>]*(?:`{3,}|~{3,})/gm)?.length ?? 0;
  const ticks = text.slice(text.lastIndexOf('\n') + 1).match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}

/** Number of consecutive deltas, each starting with the whole previous one, that prove deltas to be cumulative. */
const minNested = 3;
/** UTF-16 units that the last of them must repeat: `-`, `--`, `----` and similar are ordinary deltas. */
const minRepeated = 16;
/** UTF-16 units; text that repeats longer than this without proof is taken for a pattern and no longer held back. */
const maxHeld = 4_096;
/** UTF-16 units of a whole text of several deltas that a last delta may repeat; a shorter one may be meant twice. */
const minWhole = 8;

/**
 * Converts deltas that repeat text to the text they add (wire Q36). Cumulative deltas repeat all of the text so far;
 * they are detected at the start of a reply only, and deltas that could be cumulative are held back until this is
 * decided. A last delta or message may also repeat the whole text of ordinary deltas.
 */
export class CumulativeText {
  #state: 'undecided' | 'ordinary' | 'cumulative' = 'undecided';
  #shown = '';
  /** Deltas that may be cumulative; in an ordinary text, one that repeats all of it. */
  #held: string[] = [];
  #deltas = 0;

  /** Length of the text that was received, without repetitions; UTF-16 units. */
  get units(): number {
    return this.#shown.length + (this.#state === 'undecided' && this.#held.length > 0 ? this.#held.join('').length : 0);
  }

  /** All text so far, without repetitions. */
  get text(): string {
    return this.#held.at(-1) ?? this.#shown;
  }

  /** @param isMessage it came as `message`, which has the whole text once deltas came. @returns the new text. */
  push(delta: string, isMessage = false): string {
    if (delta === '') {
      return '';
    }
    if (isMessage && this.#deltas > 0) {
      return this.#rest(delta);
    }
    this.#deltas += isMessage ? 0 : 1;
    if (this.#state === 'ordinary') {
      return this.#ordinary(delta);
    }
    const before = this.#held.at(-1) ?? this.#shown;
    if (this.#state === 'cumulative') {
      return this.#show(delta.startsWith(this.#shown) ? delta.slice(this.#shown.length) : delta);
    }
    if (before === '') {
      return this.#show(delta);
    }
    if (delta === before && this.#isNested()) {
      return this.#acceptHeld();
    }
    if (delta.length <= before.length || !delta.startsWith(before) || before.length > maxHeld) {
      return this.#release() + this.#ordinary(delta);
    }
    this.#held.push(delta);
    if (this.#held.length < minNested || !isProof(before)) {
      return '';
    }
    return this.#acceptHeld();
  }

  /** Ends the reply. If all deltas were nested, even short ones, the last one is the whole text. */
  end(): string {
    // What an ordinary text holds at its end is a repetition of it.
    return this.#state === 'ordinary' ? '' : this.#isNested() ? this.#acceptHeld() : this.#release();
  }

  /** Whether the held deltas are proof, provided that no more text or only a repetition follows. */
  #isNested(): boolean {
    return this.#held.length >= minNested && this.#held.slice(-2).every((delta) => !isPeriodic(delta));
  }

  /** Decides that the deltas are cumulative. */
  #acceptHeld(): string {
    const text = this.#held.at(-1) ?? '';
    this.#state = 'cumulative';
    this.#held = [];
    return this.#show(text.slice(this.#shown.length));
  }

  /** Releases the held deltas as ordinary text. */
  #release(): string {
    const held = this.#held.join('');
    this.#held = [];
    this.#state = 'ordinary';
    return this.#show(held);
  }

  #ordinary(delta: string): string {
    if (this.#held.length === 0 && this.#isRepetition(delta)) {
      this.#held = this.#deltas > minNested + 1 && delta.length >= minRepeated ? [] : [delta];
      return '';
    }
    // More text follows a repetition of few deltas or few words, so it was meant.
    return this.#release() + this.#show(delta);
  }

  #isRepetition(delta: string): boolean {
    const whole = this.#shown;
    return (
      // The first two cost nothing; white space at the ends may differ.
      delta.length >= (this.#deltas > 2 ? minWhole : minRepeated) &&
      Math.abs(delta.length - whole.length) < minWhole &&
      delta.trim() === whole.trim() &&
      !isPeriodic(delta)
    );
  }

  /** @returns what a whole message adds to the deltas before it. It may lack the reasoning that they began with. */
  #rest(message: string): string {
    const held = this.end();
    const whole = this.#shown;
    if (whole.trimEnd().endsWith(message.trim())) {
      return held;
    }
    return held + this.#show(message.startsWith(whole) ? message.slice(whole.length) : message);
  }

  #show(text: string): string {
    this.#shown += text;
    return text;
  }
}

/** Long text is not repeated by chance, unless it is periodic, as in a rule or the border of a table. */
function isProof(repeated: string): boolean {
  return repeated.length >= minRepeated && !isPeriodic(repeated);
}

/** Whether the text repeats one sequence. Checks only the first `maxHeld` units, to save time. */
function isPeriodic(whole: string): boolean {
  const text = whole.slice(0, maxHeld);
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) {
      return true;
    }
  }
  return false;
}

/** The tags around reasoning, as models and gateways write them, in any case (wire Q33). */
const tags = [
  ...['think', 'thinking', 'thought', 'reasoning', 'mm:think', 'seed:think'].map((name) => ({
    open: `<${name}>`,
    close: `</${name}>`,
  })),
  { open: '[think]', close: '[/think]' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<|channel|>analysis<|message|>', close: '<|end|><|start|>assistant<|channel|>final<|message|>' },
].map(({ open, close }) => ({ open, close, end: new RegExp(close.replace(/[[\]|]/g, '\\$&'), 'i') }));
const closing = new RegExp(tags.map(({ end }) => end.source).join('|'), 'i');
const mayBeTag = /[<[◁]/;
const longestTag = Math.max(...tags.map(({ close }) => close.length));
/** Closing tags that are looked at in a text that has none of its own: one that quotes more of them is about tags. */
const maxQuoted = 16;

/** `isAllReasoning`: the text before this was reasoning too. */
type Split = { text: string; reasoning: string; isAllReasoning?: true };

/**
 * Separates leading blocks of reasoning from the answer while it streams; the tags may be split anywhere (wire Q33).
 * The opening tag counts only at the very start, where a template may have put it into the prompt, so that the reply
 * has the closing one alone. A later tag is part of the answer's text.
 */
class ThinkSplitter {
  #state: 'start' | 'thinking' | 'after' | 'answer' | 'over' = 'start';
  #end = closing;
  #held = '';
  /** The text of the answer so far, until its tags don't count any more. */
  #answer = '';
  #quoted = 0;

  push(piece: string, isLast = false): Split {
    if (this.#state === 'over') {
      return { text: piece, reasoning: '' };
    }
    let rest = this.#held + piece;
    this.#held = '';
    let reasoning = '';
    while (this.#state !== 'answer') {
      if (this.#state === 'thinking') {
        const match = find(this.#end, rest);
        const end = match?.index ?? (isLast ? rest.length : startOfTag(rest));
        reasoning += rest.slice(0, end);
        if (match === null) {
          this.#held = rest.slice(end);
          return { text: '', reasoning };
        }
        rest = rest.slice(end + match[0].length);
        this.#state = 'after';
      }
      const trimmed = rest.trimStart();
      const start = trimmed.slice(0, longestTag).toLowerCase();
      const tag = tags.find(({ open }) => start.startsWith(open));
      if (tag) {
        this.#state = 'thinking';
        this.#end = tag.end;
        rest = trimmed.slice(tag.open.length);
      } else if (!isLast && tags.some(({ open }) => open.startsWith(start))) {
        // The blank lines between a block and the answer are dropped.
        this.#held = this.#state === 'after' ? trimmed : rest;
        return { text: '', reasoning };
      } else if (this.#state === 'after') {
        this.#state = 'over';
        return { text: trimmed, reasoning };
      } else {
        this.#state = 'answer';
      }
    }
    return this.#findClosing(rest, isLast);
  }

  /** Ends the stream. @returns text that was held back because it could have been the start of a tag. */
  end(): Split {
    return this.push('', true);
  }

  /** Looks for a closing tag without an opening one: all before it is reasoning. */
  #findClosing(rest: string, isLast: boolean): Split {
    let from = 0;
    for (;;) {
      const match = find(closing, rest.slice(from));
      if (match === null) {
        const held = isLast ? rest.length : Math.max(from, startOfTag(rest));
        return this.#text(rest.slice(0, held), rest.slice(held));
      }
      const at = from + match.index;
      const end = at + match[0].length;
      if (end === rest.length && !isLast) {
        // What follows tells a mention in a sentence from the end of the reasoning.
        return this.#text(rest.slice(0, at), rest.slice(at));
      }
      const before = this.#answer + rest.slice(0, at);
      if (this.#quoted === maxQuoted || tags.some(({ open }) => before.toLowerCase().includes(open))) {
        this.#state = 'over';
        return { text: rest, reasoning: '' };
      }
      if (!isMention(before, rest.slice(end))) {
        this.#answer = '';
        this.#state = 'after';
        const more = this.push(rest.slice(end), isLast);
        return { reasoning: rest.slice(0, at) + more.reasoning, text: more.text, isAllReasoning: true };
      }
      this.#quoted++;
      from = end;
    }
  }

  #text(text: string, held: string): Split {
    this.#answer += text;
    this.#held = held;
    return { text, reasoning: '' };
  }
}

/** Whether a closing tag between these texts is one that the answer writes about: quoted, in code, or within a sentence. */
function isMention(before: string, after: string): boolean {
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  return (
    /[`'"“‘「『\\]$/.test(before) || fences % 2 === 1 || (/[\p{L}\p{N},:] $/u.test(before) && /^[ ,.;]/.test(after))
  );
}

/** Finds a closing tag. Few texts have even its first character, which is faster to find. */
function find(end: RegExp, text: string): RegExpExecArray | null {
  return mayBeTag.test(text) ? end.exec(text) : null;
}

/** Where a closing tag may begin that the text ends within; the length of the text if none does. */
function startOfTag(text: string): number {
  let at = Math.max(0, text.length - longestTag);
  for (let next = text.slice(at).search(mayBeTag); next >= 0; next = text.slice(at).search(mayBeTag)) {
    at += next;
    const end = text.slice(at).toLowerCase();
    if (tags.some(({ close }) => close.startsWith(end))) {
      return at;
    }
    at++;
  }
  return text.length;
}

/** The text of reasoning: a text, an object with one, or a list of them; else their summaries. Encrypted data is skipped. */
function reasoningText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  if (typeof value !== 'object' || value === null) {
    return '';
  }
  const parts = (Array.isArray(value) ? value : [value]).map((part) =>
    typeof part === 'string' ? { text: part } : recordOf(part),
  );
  const texts = parts.map(({ text, thinking, reasoning, content }: LooseRecord) =>
    [text, thinking, reasoning, content]
      .map((each) => (typeof each === 'string' || Array.isArray(each) ? reasoningText(each) : ''))
      .find(Boolean),
  );
  const summaries = parts.map(({ summary }: LooseRecord) =>
    typeof summary === 'string' || Array.isArray(summary) ? reasoningText(summary) : '',
  );
  return texts.join('') || summaries.join('');
}
