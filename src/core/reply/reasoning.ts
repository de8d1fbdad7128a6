import { type LooseRecord, recordOf } from '../base/loose.ts';

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
export type Split = { text: string; reasoning: string; isAllReasoning?: true };

/**
 * Separates leading blocks of reasoning from the answer while it streams; the tags may be split anywhere (wire Q33).
 * The opening tag counts only at the very start, where a template may have put it into the prompt, so that the reply
 * has the closing one alone. A later tag is part of the answer's text.
 */
export class ThinkSplitter {
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

/**
 * Reads the reasoning of a message or delta from its dedicated fields (wire 1.2, Q33). Some gateways send the same text
 * in several fields, so only one is read; lists of details only while no other source had reasoning.
 */
export class ReasoningFields {
  /** Text read from lists of details, to detect another field that repeats it. */
  #fromDetails = '';

  /** @param hasReasoning whether any source had reasoning before. @returns the new reasoning; empty for none. */
  read(message: LooseRecord, hasReasoning: boolean): string {
    const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, thinking_blocks } = message;
    const spelled =
      reasoningText(reasoning_content) ||
      reasoningText(reasoning) ||
      reasoningText(reasoning_text) ||
      reasoningText(thinking);
    if (spelled !== '') {
      return spelled === this.#fromDetails ? '' : spelled;
    }
    if (hasReasoning && this.#fromDetails === '') {
      return '';
    }
    const details = reasoningText(reasoning_details) || reasoningText(thinking_blocks);
    // The last chunk may repeat all of the reasoning.
    if (details === this.#fromDetails && details.length > 1 && hasReasoning) {
      return '';
    }
    this.#fromDetails += details;
    return details;
  }
}

/** The text of reasoning: a text, an object with one, or a list of them; else their summaries. Encrypted data is skipped. */
export function reasoningText(value: unknown): string {
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
