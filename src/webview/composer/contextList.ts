import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../core/base/localization.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { FoundView, HostMessage } from '../../protocol.ts';
import { pictures } from '../conversation/chips.ts';
import { element } from '../page/dom.ts';
import { icon } from '../page/icons.ts';

export type ContextListActions = {
  /** Asks the host what the letters after `#` may mean; it answers with `found`. */
  findContext(request: number, query: string): void;
  /** Includes a row in the question, or searches with it: then the host answers with `found` again. */
  addFound(row: FoundView): void;
  /** Reads words aloud to people who use a screen reader. */
  say(words: string): void;
};

/** What Enter means when nothing was found. */
type Submit = { submit(): void };

/** How many rows Page Up and Page Down move. */
const pageRows = 8;

/** What was typed after `#` or `@`, and where it begins. A number alone is the number of an issue. */
function typedName(box: HTMLTextAreaElement): { readonly query: string; readonly start: number } | undefined {
  const { value, selectionStart, selectionEnd } = box;
  const [, typed, query] = /(?:^|\s)([#@](\S*))$/.exec(value.slice(0, selectionStart)) ?? [];
  if (selectionStart !== selectionEnd || typed === undefined || query === undefined || /^\d+$/.test(query)) {
    return undefined;
  }
  return { query, start: selectionStart - typed.length };
}

/**
 * The list that opens above the question box after `#` or `@`. It finds code to include by its name. The box keeps the
 * focus: arrow keys select, Enter and Tab include, Escape closes the list until another one is typed.
 */
export class ContextList {
  readonly element = element('div', 'found');
  readonly #box: HTMLTextAreaElement;
  readonly #actions: ContextListActions & Submit;
  #request = 0;
  #isWaiting = false;
  /** The request whose answer is shown. */
  #shownRequest = 0;
  /** The key that was pressed before the host answered: what was typed must not be sent if it is a name. */
  #early: 'Enter' | 'Tab' | undefined;
  #rows: readonly FoundView[] = [];
  /** -1 while no row is selected. */
  #selected = 0;
  /** Where the name begins for which the list was closed. */
  #closedAt: number | undefined;
  #query: string | undefined;

  constructor(box: HTMLTextAreaElement, actions: ContextListActions & Submit) {
    this.#box = box;
    this.#actions = actions;
    this.element.id = 'found';
    this.element.hidden = true;
    this.element.setAttribute('role', 'listbox');
    this.element.setAttribute('aria-label', l10n.t('Add Context'));
    box.setAttribute('aria-autocomplete', 'list');
    box.setAttribute('aria-controls', 'found');
    // The box keeps the focus.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
    this.element.addEventListener('click', (event) => {
      const at = [...this.element.children].findIndex(
        (row) => event.target instanceof Node && row.contains(event.target),
      );
      if (at >= 0) {
        this.#add(at);
      }
    });
    box.addEventListener('blur', () => this.#close());
    // A click or an arrow key can move the cursor out of the name.
    box.addEventListener('keyup', () => this.update());
    box.addEventListener('click', () => this.update());
  }

  /** Call this when the text or the cursor has changed. */
  update(): void {
    const typed = this.#box.readOnly ? undefined : typedName(this.#box);
    if (typed === undefined || typed.start === this.#closedAt) {
      this.#closedAt = typed?.start;
      this.#close();
    } else if (typed.query !== this.#query) {
      this.#closedAt = undefined;
      this.#query = typed.query;
      this.#isWaiting = true;
      this.#early = undefined;
      this.#actions.findContext(++this.#request, typed.query);
    }
  }

  /** Shows what the host has found. */
  show({ request, rows }: Extract<HostMessage, { type: 'found' }>): void {
    if (request !== this.#request || this.#query === undefined) {
      return;
    }
    const early = this.#early;
    this.#isWaiting = false;
    this.#early = undefined;
    const wasShown = !this.element.hidden;
    const hasChanged = JSON.stringify(rows) !== JSON.stringify(this.#rows);
    if (wasShown && !hasChanged && early === undefined) {
      return;
    }
    // What more is known of the rows, such as their tokens, must not move the selection.
    const selectedId = this.#shownRequest === request ? this.#rows[this.#selected]?.id : undefined;
    const isMoreOfTheSame = selectedId !== undefined && rows.some(({ id }) => id === selectedId);
    this.#shownRequest = request;
    this.#rows = rows;
    this.element.replaceChildren(...rows.map(rowElement));
    this.#setShown(rows.length > 0);
    // The frame around the box leaves room for scroll bars, whose width only the browser knows.
    this.element.style.width = `${this.#box.parentElement?.offsetWidth ?? 0}px`;
    // A search is selected only by a key or a click: if it is all there is, Enter still sends the text.
    this.#select(isMoreOfTheSame ? rows.findIndex(({ id }) => id === selectedId) : rows[0]?.isSearch ? -1 : 0);
    if (rows.length > 0 && !isMoreOfTheSame) {
      this.#actions.say(
        plural(rows.length, l10n.t('1 suggestion'), l10n.t('{0} suggestions', numberText(rows.length))),
      );
    }
    if (early !== undefined && this.#selected === 0 && rows.length > 0) {
      this.#add(0);
    } else if (early === 'Enter') {
      this.#actions.submit();
    }
  }

  /** @returns whether the key was for the list. */
  handleKey(event: KeyboardEvent): boolean {
    const hasModifier = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey;
    if (hasModifier || event.isComposing || event.keyCode === 229) {
      return false;
    }
    if (this.#isWaiting && (event.key === 'Enter' || event.key === 'Tab')) {
      this.#early = event.key;
      event.preventDefault();
      return true;
    }
    if (this.element.hidden) {
      return false;
    }
    const last = this.#rows.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.#selected === last ? 0 : this.#selected + 1,
      ArrowUp: this.#selected <= 0 ? last : this.#selected - 1,
      PageDown: Math.min(last, this.#selected + pageRows),
      PageUp: Math.max(0, this.#selected - pageRows),
    };
    const target = moves[event.key];
    if (target !== undefined) {
      this.#select(target);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && this.#selected >= 0) {
      this.#add(this.#selected);
    } else if (event.key === 'Escape') {
      this.#closedAt = typedName(this.#box)?.start;
      this.#close();
      // Escape also stops an answer.
      event.stopPropagation();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  #select(at: number): void {
    const rows = [...this.element.children];
    rows[this.#selected]?.setAttribute('aria-selected', 'false');
    this.#selected = at;
    const row = rows[at];
    if (row === undefined) {
      this.#box.removeAttribute('aria-activedescendant');
      return;
    }
    row.setAttribute('aria-selected', 'true');
    row.scrollIntoView({ block: 'nearest' });
    this.#box.setAttribute('aria-activedescendant', row.id);
  }

  /** Includes a row, and removes what was typed for it as one step of undo. */
  #add(at: number): void {
    const typed = typedName(this.#box);
    const row = this.#rows[at];
    if (typed === undefined || row === undefined) {
      return;
    }
    this.#actions.addFound(row);
    if (row.isSearch) {
      return;
    }
    this.#close();
    this.#box.setSelectionRange(typed.start, this.#box.selectionStart);
    // Deprecated, but nothing else in a text field can be undone.
    document.execCommand('delete');
  }

  #close(): void {
    this.#query = undefined;
    this.#isWaiting = false;
    this.#rows = [];
    this.#setShown(false);
    this.element.replaceChildren();
    this.#select(0);
  }

  /** While the list is shown, the box is a combobox to assistive technology: it announces the selected row. */
  #setShown(isShown: boolean): void {
    this.element.hidden = !isShown;
    if (isShown) {
      this.#box.setAttribute('role', 'combobox');
      this.#box.setAttribute('aria-expanded', 'true');
    } else {
      this.#box.removeAttribute('role');
      this.#box.removeAttribute('aria-expanded');
    }
  }
}

function rowElement({ kind, label, detail }: FoundView, index: number): HTMLElement {
  const name = visibleName(label);
  const where = visibleName(detail);
  const row = element('div', 'row', icon(pictures[kind]), element('span', 'label', name));
  if (where !== '') {
    row.append(element('span', 'detail', where));
  }
  row.id = `found-${index}`;
  row.title = where === '' ? name : `${name}\n${where}`;
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', 'false');
  return row;
}
