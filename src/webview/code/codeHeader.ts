import * as l10n from '@vscode/l10n';
import { fenceWords } from '../../core/base/fencedCode.ts';
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

const isAction = (name: string): name is keyof typeof pictures => Object.hasOwn(pictures, name);

/** The language to highlight, and what the header says: its name and the file that the fence names. */
export function factsOf(info: string): { readonly language: string | undefined; readonly label: string } {
  const [word = '', ...rest] = fenceWords(info);
  const name = word === '' ? l10n.t('Text') : (languageName(word) ?? word);
  const file = rest
    .join(' ')
    .replace(/^(?:title|file|filename|path)=/, '')
    .replaceAll(/["'}]/g, '')
    .trim();
  const label = visibleName(`${name}${file && ` · ${file}`}`.slice(0, 120)).slice(0, 120);
  return { language: languageName(word) && word, label };
}

/** The code of blocks, by their elements. */
export const codes = new WeakMap<Element, () => { readonly fence: string; readonly text: string }>();

/** The info string and the code of a block, as far as it has arrived. */
export function codeOf(block: Element): { readonly fence: string; readonly text: string } {
  return codes.get(block)?.() ?? { fence: '', text: '' };
}

let drawn: HTMLElement | undefined;

/** The header of a code block: its label on the left, its buttons on the right. */
export function codeHeader(label: string): HTMLElement {
  // Cloning is several times faster than drawing; a long answer has hundreds.
  drawn ??= draw();
  const header = document.importNode(drawn, true);
  const shown = element('span', 'language', label);
  shown.title = label;
  header.prepend(shown);
  header.querySelector('.wrap')?.setAttribute('aria-pressed', String(wrapsLines));
  return header;
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

/** Lets the buttons of all code blocks in an answer work. */
export function watchCodeHeaders(answer: HTMLElement, replyId: string, post: Post): void {
  answer.addEventListener('click', ({ target }) => {
    const button = buttonOf(target);
    const block = button?.closest('.codeBlock');
    const action = button?.dataset.does ?? '';
    if (button === null || !block || !isAction(action)) {
      return;
    }
    const code = codeOf(block);
    switch (action) {
      case 'copy':
        post({ type: 'copy', text: code.text });
        confirmCopied(button);
        break;
      case 'more':
        button.setAttribute(
          'aria-expanded',
          String(button.closest('.codeHeader')?.classList.toggle('hasMore') ?? false),
        );
        break;
      case 'wrap':
        wrapLines(!wrapsLines);
        saveWrap(wrapsLines);
        break;
      default: {
        const index = [...answer.querySelectorAll('.codeBlock')].indexOf(block);
        post({ type: 'useCode', action, replyId, block: index, ...code });
      }
    }
  });
  moveInHeaders(answer);
}

const buttonOf = (target: EventTarget | null): HTMLButtonElement | null =>
  target instanceof Element ? target.closest<HTMLButtonElement>('.codeHeader button') : null;

/** Makes the buttons of each header one tab stop, initially the first; arrow keys, Home and End move between them. */
function moveInHeaders(answer: HTMLElement): void {
  const buttons = (of: Element) =>
    [...(of.parentElement?.querySelectorAll('button') ?? [])].filter((button) => button.checkVisibility());
  answer.addEventListener('focusin', ({ target }) => {
    const focused = buttonOf(target);
    for (const button of focused ? buttons(focused) : []) {
      button.tabIndex = button === focused ? 0 : -1;
    }
  });
  answer.addEventListener('keydown', (event) => {
    const from = buttonOf(event.target);
    if (from === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const all = buttons(from);
    const last = all.length - 1;
    const at = all.indexOf(from);
    const next: Readonly<Record<string, number>> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const to = all[next[event.key] ?? -1];
    if (to !== undefined) {
      event.preventDefault();
      to.focus();
    }
  });
}
