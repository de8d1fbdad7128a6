import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { CodeAction } from '../../protocol/protocol.ts';
import { confirmCopied, element, iconButton, type Post } from '../page/dom.ts';
import type { IconName } from '../page/icons.ts';
import { languageName } from './languages.ts';

/** The buttons and their icons; *More Actions* shows those after it. The action is in the button's `data-does`. */
const pictures = {
  copy: 'copy',
  insert: 'insert',
  apply: 'diff',
  more: 'ellipsis',
  replace: 'replace',
  newFile: 'newFile',
  wrap: 'wordWrap',
} as const satisfies Record<CodeAction | 'copy' | 'more' | 'wrap', IconName>;

/** The text shown for a language's name. Nearly all are brand names, which are the same in every language. */
function languageLabel(name: string): string {
  return name === 'Shell Session' ? l10n.t('Shell Session') : name;
}

const isAction = (name: string): name is keyof typeof pictures => Object.hasOwn(pictures, name);

let drawn: HTMLElement | undefined;

/** Creates a header without content. Cloning is several times faster than drawing; a long answer has hundreds. */
function emptyHeader(): HTMLElement {
  drawn ??= draw();
  return document.importNode(drawn, true);
}

function draw(): HTMLElement {
  const names: Readonly<Record<string, string>> = {
    copy: l10n.t('Copy Code'),
    insert: l10n.t('Insert at Cursor'),
    apply: l10n.t('Apply…'),
    more: l10n.t('More Actions'),
    replace: l10n.t('Replace Selection'),
    newFile: l10n.t('New File'),
    wrap: l10n.t('Wrap Lines'),
  };
  const buttons = Object.entries(pictures).map(([action, picture], index) => {
    const button = iconButton(picture, names[action] ?? '');
    button.dataset.does = action;
    button.classList.add(action);
    button.tabIndex = index === 0 ? 0 : -1;
    if (action === 'apply') {
      button.title = l10n.t('Apply… (Shows the Changes First)');
    } else if (action === 'more') {
      button.setAttribute('aria-expanded', 'false');
    }
    return button;
  });
  const bar = element('div', 'actions', ...buttons);
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', l10n.t('Code'));
  return element('div', 'codeHeader', bar);
}

let wrapsLines = false;
let saveWrap: (isOn: boolean) => void = () => undefined;

/** Sets whether long code lines wrap, for all code blocks. @param save saves a change by the person. */
export function wrapLines(isOn: boolean, save = saveWrap): void {
  wrapsLines = isOn;
  saveWrap = save;
  document.body.classList.toggle('wrapsCode', isOn);
  for (const button of document.querySelectorAll('button.wrap')) {
    button.setAttribute('aria-pressed', String(isOn));
  }
}

/** The header of a code block: its language, and the file that its fence names, on the left, its buttons on the right. */
export class CodeHeader {
  readonly element = emptyHeader();
  /** The language, and the file that the fence names. */
  readonly label: string;
  /** The language to highlight. */
  readonly language: string | undefined;
  readonly #info: string;
  readonly #replyId: string;
  readonly #post: Post;
  readonly #block: HTMLElement;
  readonly #text: () => string;

  /**
   * @param info the info string of the fence.
   * @param text returns the code of the block.
   */
  constructor(info: string, replyId: string, post: Post, block: HTMLElement, text: () => string) {
    this.#replyId = replyId;
    this.#post = post;
    this.#block = block;
    this.#text = text;
    this.#info = info;
    const [word = '', ...rest] = info.split(/[\s:{,]+/);
    const name = word === '' ? l10n.t('Text') : languageLabel(languageName(word) ?? word);
    const file = rest
      .join(' ')
      .replace(/^(?:title|file|filename|path)=/, '')
      .replaceAll(/["'}]/g, '')
      .trim();
    this.label = visibleName(`${name}${file && ` · ${file}`}`.slice(0, 120)).slice(0, 120);
    this.language = languageName(word) && word;
    const shown = element('span', 'language', this.label);
    shown.title = this.label;
    this.element.prepend(shown);
    this.element.querySelector('.wrap')?.setAttribute('aria-pressed', String(wrapsLines));
    this.element.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest('button') : null;
      if (button !== null) {
        this.#run(button);
      }
    });
    addRovingTabIndex(this.element);
  }

  #run(button: HTMLButtonElement): void {
    const action = button.dataset.does ?? '';
    if (!isAction(action)) {
      return;
    }
    switch (action) {
      case 'copy':
        this.#post({ type: 'copy', text: this.#text() });
        confirmCopied(button);
        break;
      case 'more':
        button.setAttribute('aria-expanded', String(this.element.classList.toggle('hasMore')));
        break;
      case 'wrap':
        wrapLines(!wrapsLines);
        saveWrap(wrapsLines);
        break;
      default: {
        const blocks = this.#block.closest('.markdown')?.querySelectorAll('.codeBlock') ?? [];
        const block = Math.max(0, [...blocks].indexOf(this.#block));
        const fence = this.#info.slice(0, 1_000);
        this.#post({ type: 'useCode', action, replyId: this.#replyId, block, fence, text: this.#text() });
      }
    }
  }
}

/** Makes the buttons of a toolbar one tab stop, initially the first; arrow keys, Home and End move between them. */
function addRovingTabIndex(bar: HTMLElement): void {
  const buttons = () => [...bar.querySelectorAll('button')].filter((button) => button.checkVisibility());
  bar.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) {
      return;
    }
    for (const button of buttons()) {
      button.tabIndex = button === target ? 0 : -1;
    }
  });
  bar.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const all = buttons();
    const { activeElement } = document;
    const at = activeElement instanceof HTMLButtonElement ? all.indexOf(activeElement) : -1;
    const last = all.length - 1;
    const next = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last };
    const to = Object.hasOwn(next, event.key) ? next[event.key as keyof typeof next] : undefined;
    if (at === -1 || to === undefined) {
      return;
    }
    event.preventDefault();
    all[to]?.focus();
  });
}
