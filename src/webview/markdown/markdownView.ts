import { CodeBlock } from '../code/codeBlock.ts';
import { element } from '../page/dom.ts';
import { withoutLongClusters } from '../page/longCluster.ts';
import type { TextActions } from '../page/panelActions.ts';
import { markSkippable } from '../page/skippable.ts';
import type { MarkdownElement, MarkdownNode } from './markdownNode.ts';

/** A node and what shows it. `inside` holds the views of an element's children. */
type View = { node: MarkdownNode; readonly dom: Node; readonly inside: View[]; readonly code?: CodeBlock };

/** So many blocks share a part of the page, which is not laid out while it is far out of sight. */
const partLength = 8;
/** So many parts share a section, which is not even looked at then. */
const sectionLength = 16;
/** The last parts are laid out wherever they are: see `markSkippable`. */
const laidOutParts = 4;

/** Shows the blocks of one text. What did not change stays the same element, so a selection in it survives. */
export class MarkdownView {
  readonly element = element('div', 'markdown');
  readonly #views: View[] = [];
  readonly #parts: HTMLElement[] = [];
  readonly #sections: HTMLElement[] = [];
  /** Blocks before this one are finished, and know it. */
  #finished = 0;
  readonly #actions: TextActions;

  constructor(actions: TextActions) {
    this.#actions = actions;
    this.element.addEventListener('click', this.#open);
    this.element.addEventListener('auxclick', this.#open);
  }

  show(from: number, blocks: readonly MarkdownNode[]): void {
    this.#finish(from);
    for (const [offset, block] of blocks.entries()) {
      const index = from + offset;
      const view = this.#views[index];
      if (view === undefined) {
        const made = this.#makeBlock(block);
        this.#part(Math.floor(index / partLength)).append(made.dom);
        this.#views.push(made);
      } else {
        this.#views[index] = this.#updatedBlock(view, block);
      }
    }
    const length = from + blocks.length;
    for (const view of this.#views.splice(length)) {
      view.dom.parentNode?.removeChild(view.dom);
    }
    const parts = Math.ceil(length / partLength);
    if (parts === this.#parts.length) {
      return;
    }
    cut(this.#parts, parts);
    cut(this.#sections, Math.ceil(parts / sectionLength));
    this.#markSkippable();
  }

  grow(code: string): void {
    this.#views.at(-1)?.code?.append(code);
  }

  replace(index: number, block: MarkdownNode): void {
    const view = this.#views[index];
    if (view === undefined) {
      return;
    }
    const made = this.#makeBlock(block);
    view.dom.parentNode?.replaceChild(made.dom, view.dom);
    this.#views[index] = made;
  }

  /** Nothing will be added. */
  end(): void {
    this.#finish(this.#views.length);
  }

  #finish(before: number): void {
    for (; this.#finished < before; this.#finished++) {
      const view = this.#views[this.#finished];
      if (view === undefined) {
        continue;
      }
      view.code?.finish();
      // Nothing is compared with it any more: a long answer would keep all of its words twice.
      this.#views[this.#finished] = { node: '', dom: view.dom, inside: [] };
    }
  }

  /**
   * Each block has the direction of its own first letter. For all of them together the browser would look for that
   * letter anew with every block that comes, through all there are when none of them has one.
   */
  #makeBlock(block: MarkdownNode): View {
    return inOwnDirection(this.#make(block));
  }

  #updatedBlock(view: View, block: MarkdownNode): View {
    const updated = this.#updated(view, block);
    return updated === view ? view : inOwnDirection(updated);
  }

  #part(index: number): HTMLElement {
    const known = this.#parts[index];
    if (known !== undefined) {
      return known;
    }
    if (index % sectionLength === 0) {
      this.element.append(added(this.#sections));
    }
    const part = added(this.#parts);
    this.#sections.at(-1)?.append(part);
    this.#markSkippable();
    return part;
  }

  #markSkippable(): void {
    const end = this.#parts.length - laidOutParts;
    markSkippable(this.#parts, end);
    markSkippable(this.#sections, Math.floor(end / sectionLength));
  }

  /** Makes `views`, which are the children of `parent`, show `nodes`. */
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
            view.dom.appendData(withoutLongClusters(node.slice(old.length), old));
          }
        } else {
          view.dom.data = withoutLongClusters(node);
        }
        view.node = node;
        return view;
      }
    } else if (node.kind === 'code') {
      if (view.code !== undefined) {
        view.code.update(node.info, node.text);
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
      return { node, dom: document.createTextNode(withoutLongClusters(node)), inside: [] };
    }
    if (node.kind === 'code') {
      const code = new CodeBlock(node.info, this.#actions);
      code.update(node.info, node.text);
      return { node, dom: code.element, inside: [], code };
    }
    const dom = this.#makeElement(node);
    const inside: View[] = [];
    this.#update(dom, inside, node.children);
    return { node, dom, inside };
  }

  #makeElement(node: MarkdownElement): HTMLElement {
    switch (node.tag) {
      case 'a':
        return this.#link(node.href ?? '');
      case 'input': {
        const box = element('input');
        box.type = 'checkbox';
        box.disabled = true;
        box.checked = node.checked ?? false;
        box.setAttribute('aria-label', box.checked ? 'Done' : 'Not done');
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
        box.setAttribute('aria-label', 'Table');
        return box;
      }
      case 'th':
      case 'td':
        return element(node.tag, node.align ?? '');
      default:
        return element(node.tag);
    }
  }

  #link(href: string): HTMLAnchorElement {
    const link = element('a');
    link.href = href;
    link.title = href;
    return link;
  }

  readonly #open = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) {
      return;
    }
    // VS Code's own frame listens further up and would open it a second time.
    event.preventDefault();
    event.stopPropagation();
    if (event.button < 2) {
      this.#actions.openLink(link.href);
    }
  };
}

function added(parts: HTMLElement[]): HTMLElement {
  const part = element('div', 'part');
  parts.push(part);
  return part;
}

/** Removes all parts but the first `length`. */
function cut(parts: HTMLElement[], length: number): void {
  for (const part of parts.splice(length)) {
    part.remove();
  }
}

function inOwnDirection(view: View): View {
  if (view.code === undefined && view.dom instanceof HTMLElement) {
    view.dom.dir = 'auto';
  }
  return view;
}

function isSameElement(old: MarkdownNode, node: MarkdownElement): boolean {
  return (
    typeof old !== 'string' &&
    old.kind === 'element' &&
    old.tag === node.tag &&
    old.href === node.href &&
    old.start === node.start &&
    old.align === node.align &&
    old.isTask === node.isTask &&
    old.checked === node.checked
  );
}
