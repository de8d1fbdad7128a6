import * as l10n from '@vscode/l10n';
import { CodeBlock } from '../code/codeBlock.ts';
import { watchCodeHeaders } from '../code/codeHeader.ts';
import { element, type Post } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { requestPaint } from '../page/painter.ts';
import { markSkippable } from '../page/skippable.ts';
import { answerPicture } from './answerPictures.ts';
import './copySelection.ts';
import { drawFormula } from './formulas.ts';
import type { MarkdownElement, MarkdownNode, NoteKind } from './markdownNode.ts';
import { type BlockSink, displayText, MarkdownStream } from './markdownStream.ts';
import { linkMarks, targetOfMark } from './marks.ts';
import { findPlaces, placeLink, placeOfLink } from './places.ts';

/** A Markdown node and the DOM node that shows it. `inside` has the views of an element's children. */
type View = { node: MarkdownNode; readonly dom: Node; readonly inside: View[]; readonly code?: CodeBlock };

/** Number of blocks in a part. A part is not laid out while it is far off screen. */
const blocksPerPart = 24;
/** Number of parts at the end that are always laid out: see `markSkippable`. */
const laidOutParts = 2;

/**
 * Markdown text that may still be arriving, drawn by the painter. Unchanged nodes keep their elements, so a
 * selection in them survives.
 */
export class MarkdownView implements BlockSink {
  readonly element = element('div', 'markdown');
  readonly #stream = new MarkdownStream(this);
  readonly #views: View[] = [];
  readonly #parts: HTMLElement[] = [];
  /** Blocks before this index are finished. */
  #finished = 0;
  readonly #post: Post;
  readonly #onDrawn: () => void;
  readonly #rest = element('p', 'plain');
  /** The Markdown that has arrived. */
  source = '';
  #isEnding = false;
  #isPlain = false;
  #isDrawn = false;

  /** @param onDrawn called when the text has ended and all of it is drawn. */
  constructor(replyId: string, post: Post, onDrawn: () => void = () => undefined) {
    this.#post = post;
    this.#onDrawn = onDrawn;
    this.element.addEventListener('click', this.#open);
    this.element.addEventListener('auxclick', this.#open);
    watchCodeHeaders(this.element, replyId, post);
  }

  /** Whether the text has ended and all of it is drawn. */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  append(text: string): void {
    this.source += text;
    this.#stream.append(text);
    requestPaint(this);
  }

  end(): void {
    if (!this.#isEnding) {
      this.#isEnding = true;
      this.#isDrawn = this.source === '';
      if (!this.#isDrawn) {
        this.#stream.end();
        requestPaint(this);
      }
    }
  }

  paint(mayContinue: () => boolean): boolean {
    if (this.#isPlain) {
      this.#showPlain();
      return false;
    }
    try {
      this.#stream.advance(mayContinue);
      if (this.#stream.hasWork) {
        return true;
      }
      if (this.#isEnding) {
        this.#finish(this.#views.length);
        linkMarks(this.element);
      }
    } catch (error) {
      this.#isPlain = true;
      this.#showPlain();
      throw error;
    }
    this.#notifyDrawn();
    return false;
  }

  /** Shows the plain text after a rendering error, so that nothing that was paid for is hidden. */
  #showPlain(): void {
    this.element.classList.add('plain');
    this.element.textContent = displayText(this.source);
    this.#notifyDrawn();
  }

  #notifyDrawn(): void {
    if (this.#isEnding && !this.#isDrawn) {
      this.#isDrawn = true;
      this.#onDrawn();
    }
  }

  settle(from: number, blocks: readonly MarkdownNode[]): void {
    this.#draw(from, blocks);
    this.#finish(from + blocks.length);
  }

  show(from: number, blocks: readonly MarkdownNode[]): void {
    this.#finish(from);
    this.#draw(from, blocks);
    const length = from + blocks.length;
    for (const view of this.#views.splice(length)) {
      view.dom.parentNode?.removeChild(view.dom);
    }
    for (const part of this.#parts.splice(Math.ceil(length / blocksPerPart))) {
      part.remove();
      this.#markSkippable();
    }
  }

  /**
   * Draws blocks. Each has the text direction of its own first letter: with one direction for all, the browser would
   * search for that letter again with every new block, through all blocks if none of them has one.
   */
  #draw(from: number, blocks: readonly MarkdownNode[]): void {
    for (const [index, block] of blocks.entries()) {
      const known = this.#views[from + index];
      const view = known === undefined ? this.#make(block) : this.#updated(known, block);
      if (view !== known && view.code === undefined && view.dom instanceof HTMLElement) {
        view.dom.dir = 'auto';
      }
      if (known === undefined) {
        this.#part(Math.floor((from + index) / blocksPerPart)).append(view.dom);
      }
      this.#views[from + index] = view;
    }
  }

  grow(code: string): void {
    this.#views.at(-1)?.code?.append(code);
  }

  showRest(text: string): void {
    if (this.#rest.parentNode === null) {
      const note = element('p', 'note', l10n.t('The rest of this answer is too long to be formatted.'));
      this.element.append(note, this.#rest);
    }
    // Pieces, because a megabyte in one takes a second of layout. One ends with a line, if lines are not very long.
    const last = this.#rest.lastElementChild;
    const piece = last?.textContent ?? '';
    if (last === null || piece.length > (piece.endsWith('\n') ? 4_000 : 8_000)) {
      this.#rest.append(element('div', 'part skippable', text));
    } else {
      last.append(text);
    }
  }

  #finish(before: number): void {
    for (; this.#finished < before; this.#finished++) {
      const view = this.#views[this.#finished];
      if (view === undefined) {
        continue;
      }
      view.code?.finish();
      findPlaces(view.dom, this.#post);
      // The node is no longer compared with anything; storing it would hold the text of a long answer twice.
      this.#views[this.#finished] = { node: '', dom: view.dom, inside: [] };
    }
  }

  #part(index: number): HTMLElement {
    const known = this.#parts[index];
    if (known !== undefined) {
      return known;
    }
    const part = element('div', 'part');
    this.#parts.push(part);
    this.element.append(part);
    this.#markSkippable();
    return part;
  }

  #markSkippable(): void {
    markSkippable(this.#parts, this.#parts.length - laidOutParts);
  }

  /** Updates `views`, which are the children of `parent`, to show `nodes`. */
  #update(parent: Element, views: View[], nodes: readonly MarkdownNode[]): void {
    for (const [index, node] of nodes.entries()) {
      const view = views[index];
      if (view === undefined) {
        const made = this.#make(node);
        parent.append(made.dom);
        views.push(made);
      } else {
        views[index] = this.#updated(view, node);
      }
    }
    for (const view of views.splice(nodes.length)) {
      parent.removeChild(view.dom);
    }
  }

  #updated(view: View, node: MarkdownNode): View {
    const old = view.node;
    if (old === node) {
      return view;
    }
    if (typeof node === 'string') {
      if (typeof old === 'string' && view.dom instanceof Text) {
        if (node.startsWith(old)) {
          if (node.length > old.length) {
            view.dom.appendData(node.slice(old.length));
          }
        } else {
          view.dom.data = node;
        }
        view.node = node;
        return view;
      }
    } else if (node.kind === 'code') {
      if (typeof old !== 'string' && old.kind === 'code' && old.info === node.info && node.text.startsWith(old.text)) {
        view.code?.append(node.text.slice(old.text.length));
        view.node = node;
        return view;
      }
    } else if (view.dom instanceof Element && isSameElement(old, node)) {
      this.#update(view.dom, view.inside, node.children);
      view.node = node;
      return view;
    }
    const made = this.#make(node);
    view.dom.parentNode?.replaceChild(made.dom, view.dom);
    return made;
  }

  #make(node: MarkdownNode): View {
    if (typeof node === 'string') {
      return { node, dom: document.createTextNode(node), inside: [] };
    }
    if (node.kind === 'code') {
      const code = new CodeBlock(node.info);
      code.append(node.text);
      return { node, dom: code.element, inside: [], code };
    }
    const dom = this.#makeElement(node);
    const inside: View[] = [];
    this.#update(dom, inside, node.children);
    if (node.tex !== undefined) {
      drawFormula(dom, node.tex, node.isDisplayed ?? false);
    }
    return { node, dom, inside };
  }

  #makeElement(node: MarkdownElement): HTMLElement {
    switch (node.tag) {
      case 'a':
        return node.place === undefined ? this.#link(node.href ?? '', node.title) : placeLink(node.place);
      case 'blockquote':
        return node.note === undefined ? element('blockquote') : noteElement(node.note);
      case 'input': {
        const box = element('input');
        box.type = 'checkbox';
        box.disabled = true;
        box.checked = node.checked ?? false;
        box.setAttribute('aria-label', box.checked ? l10n.t('Completed') : l10n.t('Not completed'));
        return box;
      }
      case 'ol': {
        const list = element('ol');
        if (node.start !== undefined) {
          list.start = node.start;
        }
        return list;
      }
      case 'li':
        return element('li', node.isTask ? 'task' : '');
      case 'div': {
        const box = element('div', 'table');
        box.tabIndex = 0;
        box.setAttribute('role', 'region');
        box.setAttribute('aria-label', l10n.t('Table'));
        return box;
      }
      case 'th':
      case 'td':
        return element(node.tag, node.align ?? '');
      default: {
        if (node.picture !== undefined) {
          return answerPicture(node.picture, node.title ?? '', this.#post);
        }
        const made = element(node.tag, node.isDisplayed ? 'formula displayed' : node.isFormula ? 'formula' : '');
        if (node.tag === 'code' || node.isFormula) {
          // Its letters don't count for the direction of the text around it.
          made.dir = 'ltr';
        }
        return made;
      }
    }
  }

  #link(href: string, title: string | undefined): HTMLAnchorElement {
    const link = element('a');
    link.href = href;
    link.title = title === undefined ? href : `${href}\n${title}`;
    return link;
  }

  readonly #open = (event: MouseEvent): void => {
    const clicked = event.target instanceof Element ? event.target : null;
    const link = clicked?.closest<HTMLAnchorElement>('a[href]') ?? null;
    const isBeside = event.ctrlKey || event.metaKey || event.button === 1;
    if (link === null) {
      const name = /^[\p{L}_$][\w$.\p{L}]*(?:\(\))?$/u.exec(clicked?.closest('code')?.textContent ?? '')?.[0];
      // A click that ends a selection leads nowhere.
      if (name !== undefined && event.button === 0 && document.getSelection()?.isCollapsed !== false) {
        this.#post({ type: 'openSymbol', name: name.replace('()', ''), isBeside });
      }
      return;
    }
    // VS Code's own frame also handles the event and would open the link a second time.
    event.preventDefault();
    event.stopPropagation();
    const place = placeOfLink(link);
    const target = targetOfMark(link);
    if (target !== undefined) {
      target.focus();
    } else if (event.button < 2) {
      this.#post(
        place === undefined ? { type: 'openLink', href: link.href } : { type: 'openPlace', ...place, isBeside },
      );
    }
  };
}

function noteElement(kind: NoteKind): HTMLElement {
  const [picture, label] = {
    note: ['info', l10n.t('Note')] as const,
    tip: ['lightbulb', l10n.t('Tip')] as const,
    important: ['comment', l10n.t('Important')] as const,
    warning: ['warning', l10n.t('Warning')] as const,
    caution: ['error', l10n.t('Caution')] as const,
  }[kind];
  return element(
    'blockquote',
    kind === 'note' ? 'callout' : `callout ${kind}`,
    element('p', 'kind', icon(picture), label),
  );
}

/** Whether an element can show another node by other children. A formula can't: it shows what was drawn. */
function isSameElement(old: MarkdownNode, node: MarkdownElement): boolean {
  const facts = ({ children, ...rest }: MarkdownElement) =>
    JSON.stringify(node.tex === undefined ? rest : [rest, children]);
  return typeof old !== 'string' && old.kind === 'element' && facts(old) === facts(node);
}
