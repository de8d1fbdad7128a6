import * as l10n from '@vscode/l10n';
import { plural } from '../../core/base/localization.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { FoundView, HostMessage } from '../../protocol/protocol.ts';
import { pictures } from '../conversation/chips.ts';
import { say } from '../page/announcer.ts';
import { element, isForInputMethod, type Post } from '../page/dom.ts';
import { icon } from '../page/icons.ts';

/** Texts with more lines can't be undone: Chromium inserts them line by line, which takes 30 s for 4,500 lines. */
const maxUndoneLines = 300;

/** How many rows Page Up and Page Down move. */
const pageRows = 8;

/**
 * The list that opens above the question box after a typed `#` or `@`, with code to include, and after `/`, with prompts,
 * both found by name. The box keeps the focus: arrow keys select, Enter chooses the selected row, Tab that or the first
 * one, and Escape closes the list until another name is typed. After `#` and `@` no row is selected at first, because
 * `#todo` can be meant as it is: Enter sends it (element-web#9876, postage#112).
 */
export class ContextList {
  readonly element = element('div', 'found');
  readonly #box: HTMLTextAreaElement;
  readonly #post: Post;
  /** What Enter means when nothing was found. */
  readonly #submit: () => void;
  #request = 0;
  #isWaiting = false;
  /** The request whose answer is shown. */
  #shownRequest = 0;
  /** The key that was pressed before the host answered: what was typed must not be sent if it is a name. */
  #early: 'Enter' | 'Tab' | undefined;
  #rows: readonly FoundView[] = [];
  /** -1 while no row is selected. */
  #selected = -1;
  /** Where the name begins for which the list was closed. */
  #closedAt: number | undefined;
  /** What was typed, with its sign. */
  #typed: string | undefined;
  /** The prompt that was chosen, until the host answers with its text: its row, the text in the box, its name's end. */
  #chosen: { readonly id: string; readonly value: string; readonly end: number } | undefined;

  constructor(box: HTMLTextAreaElement, post: Post, submit: () => void) {
    this.#box = box;
    this.#post = post;
    this.#submit = submit;
    this.element.id = 'found';
    this.element.hidden = true;
    this.element.setAttribute('role', 'listbox');
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
    // A prompt that was typed before is still not meant to be sent.
    box.addEventListener('focus', () => typedName(box)?.isPrompt && this.update());
    // A click or an arrow key can move the cursor out of the name. Into one, it doesn't open the list.
    const follow = () => this.#typed !== undefined && this.update();
    box.addEventListener('keyup', follow);
    box.addEventListener('click', follow);
    box.addEventListener('input', (event) => {
      if (event instanceof InputEvent && /^insertFrom(?:Paste|Drop)/.test(event.inputType)) {
        // What was not typed names nothing.
        this.#closeHere();
      } else {
        this.update();
      }
    });
  }

  /** Whether a prompt was chosen and its text has not come yet. The person can go on typing instead of waiting. */
  get isFilling(): boolean {
    return this.#chosen !== undefined && this.#chosen.value === this.#box.value;
  }

  /** Follows a change of the text or the cursor. */
  update(): void {
    if (this.isFilling) {
      return;
    }
    this.#chosen = undefined;
    const typed = this.#box.readOnly ? undefined : typedName(this.#box);
    if (typed === undefined || typed.start === this.#closedAt) {
      this.#closedAt = typed?.start;
      this.#close();
    } else if (`${typed.isPrompt ? '/' : '#'}${typed.query}` !== this.#typed) {
      this.#closedAt = undefined;
      this.#typed = `${typed.isPrompt ? '/' : '#'}${typed.query}`;
      this.#isWaiting = true;
      this.#early = undefined;
      this.#request++;
      this.element.setAttribute('aria-label', typed.isPrompt ? l10n.t('Prompts') : l10n.t('Add Context'));
      const type = typed.isPrompt ? 'findPrompts' : 'findContext';
      this.#post({ type, request: this.#request, query: typed.query.slice(0, 500) });
    }
  }

  /** Shows what the host has found. */
  show({ request, rows }: Extract<HostMessage, { type: 'found' }>): void {
    if (request !== this.#request || this.#typed === undefined) {
      return;
    }
    const early = this.#early;
    this.#isWaiting = false;
    this.#early = undefined;
    const hasChanged = JSON.stringify(rows) !== JSON.stringify(this.#rows);
    // What more is known of the rows, such as that a search runs, must not move the selection.
    const selectedId = this.#shownRequest === request ? this.#rows[this.#selected]?.id : undefined;
    const kept = rows.findIndex(({ id }) => id === selectedId);
    this.#shownRequest = request;
    this.#rows = rows;
    this.element.replaceChildren(...rows.map(rowElement));
    this.#setShown(rows.length > 0);
    // The frame around the box leaves room for scroll bars, whose width only the browser knows.
    this.element.style.width = `${this.#box.parentElement?.offsetWidth ?? 0}px`;
    // After a search that was chosen, its first result is selected.
    const isSelected = selectedId !== undefined || rows[0]?.kind === 'prompt';
    this.#select(kept === -1 && isSelected ? 0 : kept);
    if (rows.length > 0 && hasChanged && kept === -1) {
      say(plural(rows.length, l10n.t('1 suggestion'), l10n.t('{0} suggestions')));
    }
    if (early !== undefined && rows.length > 0) {
      this.#add(0);
    } else if (early === 'Enter') {
      this.#submit();
    }
  }

  /** @returns whether the key was for the list. */
  handleKey(event: KeyboardEvent): boolean {
    const hasModifier = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey;
    if (hasModifier || isForInputMethod(event)) {
      return false;
    }
    if (this.isFilling && event.key === 'Enter') {
      event.preventDefault();
      return true;
    }
    const isChosen = this.#typed?.startsWith('/') || (this.#selected >= 0 && !this.#isWaiting);
    if (event.key === 'Enter' && !isChosen) {
      this.#closeHere();
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
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      this.#add(Math.max(0, this.#selected));
    } else if (event.key === 'Escape') {
      this.#closeHere();
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

  /** Chooses a row. What was typed to include it is removed as one step of undo; a prompt's text replaces it later. */
  #add(at: number): void {
    const typed = typedName(this.#box);
    const row = this.#rows[at];
    if (typed === undefined || row === undefined) {
      return;
    }
    this.#post({ type: 'addFound', id: row.id });
    if (row.isSearch) {
      this.#select(at);
      return;
    }
    this.#close();
    if (row.kind === 'prompt') {
      this.#chosen = { id: row.id, value: this.#box.value, end: this.#box.selectionStart };
      return;
    }
    this.#replace(typed.start, this.#box.selectionStart, '');
  }

  /** Puts the text of the prompt that was chosen into the box, instead of its name, as one step of undo. */
  fill({ id, text }: Extract<HostMessage, { type: 'prompt' }>): void {
    const chosen = this.isFilling ? this.#chosen : undefined;
    if (chosen === undefined || chosen.id !== id) {
      return;
    }
    this.#chosen = undefined;
    if (text === undefined) {
      // The person cancelled: the list opens again, so that Enter doesn't send the name.
      this.update();
      return;
    }
    this.#replace(0, chosen.end, text);
    // A name at the end of the text was not typed.
    this.#closeHere();
  }

  #replace(start: number, end: number, text: string): void {
    if (text.split('\n').length > maxUndoneLines) {
      this.#box.focus();
      this.#box.setRangeText(text, start, end, 'end');
      this.#box.dispatchEvent(new Event('input'));
      return;
    }
    this.#box.setSelectionRange(start, end);
    this.#box.focus();
    // Deprecated, but nothing else in a text field can be undone.
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  }

  /** Closes the list until another name is typed. */
  #closeHere(): void {
    this.#closedAt = typedName(this.#box)?.start;
    this.#close();
  }

  #close(): void {
    this.#typed = undefined;
    this.#isWaiting = false;
    this.#rows = [];
    this.#setShown(false);
    this.element.replaceChildren();
    this.#select(-1);
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

function rowElement({ kind, label, detail, size = '' }: FoundView, index: number): HTMLElement {
  const name = visibleName(label);
  const where = visibleName(detail);
  const row = element('div', 'row', icon(pictures[kind]), element('span', 'label', name));
  if (where !== '') {
    row.append(element('span', 'detail', where));
  }
  if (size !== '') {
    row.append(element('span', 'size', where === '' ? size : ` · ${size}`));
  }
  row.id = `found-${index}`;
  row.title = [name, where, size].filter(Boolean).join('\n');
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', 'false');
  return row;
}

/** What was typed after `#`, `@`, or `/` at the start of the box, and where it begins. */
type TypedName = { readonly query: string; readonly start: number; readonly isPrompt: boolean };

/**
 * A sign after which a name is typed. Chinese and Japanese are written without blanks, and their input methods type the
 * signs in full width. What stands before must not make it a part of a word, a mail address or a link.
 */
const named = /(?<![!-')-~\p{LC}])([#@＃＠](\S*))$/u;

/**
 * Finds the name that ends at the cursor. A number after `#` alone is the number of an issue. With another slash, what
 * begins with `/` is a path.
 */
function typedName(box: HTMLTextAreaElement): TypedName | undefined {
  const { value, selectionStart, selectionEnd } = box;
  const before = value.slice(0, selectionStart);
  const [prompt] = /^[/／][^\s/]*$/.exec(before) ?? [];
  if (selectionStart !== selectionEnd) {
    return undefined;
  }
  if (prompt !== undefined) {
    return { query: prompt.slice(1), start: 0, isPrompt: true };
  }
  const [, typed, query] = named.exec(before) ?? [];
  if (typed === undefined || query === undefined || /^\d+$/.test(query)) {
    return undefined;
  }
  return { query, start: selectionStart - typed.length, isPrompt: false };
}
