import * as l10n from '@vscode/l10n';
import { element } from '../page/dom.ts';

/** Where text in brackets is no mark. */
const notText = 'a, code, pre, .formula, .codeBlock';

/** Replaces each match of a global pattern in a text, outside of links and code, by what `make` returns for it. */
export function replaceMarks(
  text: HTMLElement,
  pattern: RegExp,
  make: (match: RegExpExecArray, node: Text) => Node | undefined,
): void {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.data.search(pattern) !== -1 && node.parentElement?.closest(notText) === null) {
      found.push(node);
    }
  }
  for (const node of found) {
    const parts: (Node | string)[] = [];
    let from = 0;
    for (const match of node.data.matchAll(pattern)) {
      const made = make(match, node);
      if (made !== undefined) {
        parts.push(node.data.slice(from, match.index), made);
        from = match.index + match[0].length;
      }
    }
    if (parts.length > 0) {
      node.replaceWith(...parts, node.data.slice(from));
    }
  }
}

/** Where the marks of footnotes lead, and footnotes back. */
const targets = new WeakMap<Element, HTMLElement>();

/** What a mark or a footnote leads to. */
export const targetOfMark = (link: Element): HTMLElement | undefined => targets.get(link);

type Footnote = { readonly text: Text; readonly own: HTMLAnchorElement; readonly marks: HTMLAnchorElement[] };

/** `[^1]`, `[1]`, and `[words][1]`. */
const marks = /\[\^([^[\]]{1,50})\]|\[([^[\]]{1,300})\](?:\[((?!\^)[^[\]]{0,50})\])?/g;

/**
 * Makes links of the marks in an answer that has ended: `[^1]` leads to its footnote, a paragraph that begins with
 * `[^1]:`, and back; `[1]` and `[words][1]` lead to the address in the paragraph that begins with `[1]:`. A mark that
 * names nothing stays text.
 */
export function linkMarks(answer: HTMLElement): void {
  const addresses = new Map<string, string>();
  const footnotes = new Map<string, Footnote>();
  for (const { firstChild: text } of answer.querySelectorAll('p')) {
    const [, isNote, label = ''] = (text instanceof Text && /^\[(\^)?([^[\]]+)\]:/.exec(text.data)) || [];
    const address = text?.nextSibling;
    if (isNote && text instanceof Text) {
      footnotes.set(label, { text, own: markLink(label), marks: [] });
    } else if (label !== '' && address instanceof HTMLAnchorElement && address.href !== '') {
      addresses.set(label.toLowerCase(), address.href);
    }
  }
  if (addresses.size + footnotes.size === 0) {
    return;
  }
  replaceMarks(answer, marks, ({ index, 0: all, 1: note = '', 2: words = '', 3: label }, node) => {
    if (index === 0 && node.data[all.length] === ':') {
      return undefined;
    }
    const footnote = footnotes.get(note);
    if (footnote !== undefined) {
      const mark = markLink(note);
      lead(mark, footnote.own, l10n.t('Footnote {0}', note));
      footnote.marks.push(mark);
      return mark;
    }
    const address = addresses.get((label || words).toLowerCase());
    if (address === undefined) {
      return undefined;
    }
    const link = element('a', '', words);
    link.href = address;
    link.title = address;
    return link;
  });
  for (const {
    text,
    own,
    marks: [first],
  } of footnotes.values()) {
    if (first !== undefined) {
      lead(own, first, l10n.t('Back to Text'));
      text.data = text.data.slice(text.data.indexOf(':') + 1);
      text.before(own);
    }
  }
}

const markLink = (label: string) => element('a', 'mark', label);

function lead(link: HTMLAnchorElement, to: HTMLElement, title: string): void {
  link.href = '#';
  link.title = title;
  targets.set(link, to);
}
