import { type LooseRecord, recordOf } from '../base/loose.ts';

/** The tags around reasoning, as models and gateways write them (wire Q33). */
const tags = [
  ...['think', 'thinking', 'thought', 'reasoning', 'mm:think'].map((name) => ({
    open: `<${name}>`,
    close: `</${name}>`,
  })),
  { open: '[THINK]', close: '[/THINK]' },
  { open: '◁think▷', close: '◁/think▷' },
];
const closing = new RegExp(tags.map(({ close }) => close.replace(/[[\]]/g, '\\$&')).join('|'));
/** Closing tags that are looked at in a text that has none of its own: one that quotes more of them is about tags. */
const maxQuoted = 16;

/** `isAllReasoning`: the text before this was reasoning too. */
export type Split = { text: string; reasoning: string; isAllReasoning?: true };

/**
 * Separates a leading block of reasoning from the answer while it streams; the tags may be split anywhere (wire Q33).
 * The opening tag counts only at the very start, where a template may have put it into the prompt, so that the reply
 * has the closing one alone. A later tag is part of the answer's text.
 */
export class ThinkSplitter {
  #state: 'start' | 'thinking' | 'after' | 'answer' | 'over' = 'start';
  #close = '';
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
    if (this.#state === 'start') {
      const trimmed = rest.trimStart();
      const tag = tags.find(({ open }) => trimmed.startsWith(open));
      if (tag) {
        this.#state = 'thinking';
        this.#close = tag.close;
        rest = trimmed.slice(tag.open.length);
      } else if (!isLast && tags.some(({ open }) => open.startsWith(trimmed))) {
        this.#held = rest;
        return { text: '', reasoning: '' };
      } else {
        this.#state = 'answer';
      }
    }
    if (this.#state === 'answer') {
      return this.#findClosing(rest, isLast);
    }
    if (this.#state === 'thinking') {
      const at = rest.indexOf(this.#close);
      if (at === -1) {
        const end = isLast ? rest.length : startOfTag(rest);
        this.#held = rest.slice(end);
        return { text: '', reasoning: rest.slice(0, end) };
      }
      reasoning = rest.slice(0, at);
      rest = rest.slice(at + this.#close.length);
      this.#state = 'after';
    }
    return { text: this.#after(rest), reasoning };
  }

  /** Ends the stream. @returns text that was held back because it could have been the start of a tag. */
  end(): Split {
    return this.push('', true);
  }

  /** Drops the blank lines between the block and the answer. */
  #after(rest: string): string {
    const text = rest.trimStart();
    this.#state = text === '' ? 'after' : 'over';
    return text;
  }

  /** Looks for a closing tag without an opening one: all before it is reasoning. */
  #findClosing(rest: string, isLast: boolean): Split {
    let from = 0;
    for (;;) {
      const match = closing.exec(rest.slice(from));
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
      if (tags.some(({ open }) => before.includes(open)) || this.#quoted === maxQuoted) {
        this.#state = 'over';
        return { text: rest, reasoning: '' };
      }
      if (!isMention(before, rest.slice(end))) {
        this.#answer = '';
        return { reasoning: rest.slice(0, at), text: this.#after(rest.slice(end)), isAllReasoning: true };
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

/** Where a closing tag may begin that the text ends within; the length of the text if none does. */
function startOfTag(text: string): number {
  const at = Math.max(text.lastIndexOf('<'), text.lastIndexOf('['), text.lastIndexOf('◁'));
  const end = text.slice(at);
  return at !== -1 && tags.some(({ close }) => close.startsWith(end)) ? at : text.length;
}

/** UTF-16 units of all the reasoning, in several pieces, that a last message may repeat. */
const minRepeated = 16;

/**
 * Reads the reasoning of a message or delta from its dedicated fields (wire 1.2, Q33). Some gateways send the same text
 * in several fields, so only one is read; lists of details only while no other source had reasoning.
 */
export class ReasoningFields {
  /** Text read from lists of details, to detect another field that repeats it. */
  #fromDetails = '';
  #all = '';
  #pieces = 0;

  /** @param hasReasoning whether any source had reasoning before. @returns the new reasoning; empty for none. */
  read(message: LooseRecord, hasReasoning: boolean): string {
    const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, thinking_blocks } = message;
    const spelled =
      reasoningText(reasoning_content) ||
      reasoningText(reasoning) ||
      reasoningText(reasoning_text) ||
      reasoningText(thinking);
    if (spelled !== '') {
      const isWhole = spelled === this.#all && spelled.length >= minRepeated && this.#pieces > 1;
      if (isWhole || spelled === this.#fromDetails) {
        return '';
      }
      this.#all += spelled;
      this.#pieces++;
      return spelled;
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
  const texts = parts.map(({ text, thinking, content }: LooseRecord) =>
    [text, thinking, content]
      .map((each) => (typeof each === 'string' || Array.isArray(each) ? reasoningText(each) : ''))
      .find(Boolean),
  );
  const summaries = parts.map(({ summary }: LooseRecord) =>
    typeof summary === 'string' || Array.isArray(summary) ? reasoningText(summary) : '',
  );
  return texts.join('') || summaries.join('');
}
