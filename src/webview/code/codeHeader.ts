import { visibleName } from '../../core/base/visibleText.ts';
import type { CodeAction } from '../../protocol.ts';
import { confirmCopied, element, iconButton, setText } from '../page/dom.ts';
import { type IconName, icon } from '../page/icons.ts';
import type { TextActions } from '../page/panelActions.ts';
import { steer } from '../page/toolbar.ts';
import { languageName } from './languages.ts';

/** What a header needs of its block. */
export type CodeSource = {
  readonly block: HTMLElement;
  readonly text: () => string;
};

/** Each with its picture and its name; a button's `data-does` says which one it is. */
const doings = [
  ['copy', 'copy', 'Copy Code'],
  ['insert', 'insert', 'Insert at Cursor'],
  ['replace', 'replace', 'Replace Selection'],
  ['apply', 'diff', 'Apply…'],
  ['newFile', 'newFile', 'New File'],
  ['wrap', 'wordWrap', 'Wrap Lines'],
] as const satisfies readonly (readonly [does: CodeAction | 'copy' | 'wrap', picture: IconName, name: string])[];

/** Nothing can be pointed at without being pressed: what can be pressed is always seen. */
const touch = matchMedia('(hover: none)');

let drawn: HTMLElement | undefined;

/** A header of no block yet. A copy is several times faster than a new one, and a long answer has hundreds. */
function emptyHeader(): HTMLElement {
  drawn ??= draw();
  return document.importNode(drawn, true);
}

function draw(): HTMLElement {
  const buttons = doings.map(([does, picture, name], index) => {
    const button = iconButton(picture, name);
    button.replaceChildren();
    button.dataset.does = does;
    button.tabIndex = index === 0 ? 0 : -1;
    if (does === 'apply') {
      button.title = 'Apply… (compares with the file first)';
    }
    if (does === 'wrap') {
      button.classList.add('wrap');
    }
    return button;
  });
  const bar = element('div', 'actions', ...buttons);
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', 'Code');
  return element('div', 'codeHeader', bar);
}

/** Above a block of code: its language and file at the left, what can be done with it at the right. */
export class CodeHeader {
  readonly element = emptyHeader();
  readonly #label = element('span', 'language');
  readonly #actions: TextActions;
  readonly #source: CodeSource;
  #info = '';

  constructor(actions: TextActions, source: CodeSource) {
    this.#actions = actions;
    this.#source = source;
    this.element.prepend(this.#label);
    this.element.querySelector('.wrap')?.setAttribute('aria-pressed', String(actions.wrap.isOn));
    this.element.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest('button') : null;
      if (button !== null) {
        this.#do(button);
      }
    });
    steer(this.element);
    if (touch.matches) {
      this.#drawPictures();
    } else {
      // They are not seen before, and six in each of hundreds of blocks are most of what there is to make.
      source.block.addEventListener('pointerenter', () => this.#drawPictures(), { once: true });
      source.block.addEventListener('focusin', () => this.#drawPictures(), { once: true });
    }
  }

  #drawPictures(): void {
    for (const button of this.element.querySelectorAll('button')) {
      const picture = doings.find(([does]) => does === button.dataset.does)?.[1];
      if (picture !== undefined && button.firstChild === null) {
        button.append(icon(picture));
      }
    }
  }

  /** Shows what the fence says. Returns the language to colour the code by, and the words that name the block. */
  show(info: string): { readonly language: string | undefined; readonly label: string } {
    this.#info = info;
    const [word = '', ...rest] = info.split(/[\s:{,]+/);
    const name = word === '' ? undefined : languageName(word);
    const named = rest
      .join(' ')
      .replace(/^(?:title|file|filename|path)=/, '')
      .replaceAll(/["'}]/g, '')
      .trim();
    const file = named === '' ? this.#target(word, name) : named;
    const label = [name ?? (word === '' ? 'Text' : word), ...(file === undefined ? [] : [file])].join(' · ');
    const short = visibleName(label.slice(0, 120)).slice(0, 120);
    setText(this.#label, short);
    this.#label.title = short;
    return { language: name === undefined ? undefined : word, label: short };
  }

  /** The question's file, for code in its language: a command for the shell is not meant for it. */
  #target(word: string, name: string | undefined): string | undefined {
    const { file } = this.#actions;
    const ending = file === undefined ? '' : (/[^./]+$/.exec(file)?.[0].toLowerCase() ?? '');
    const isSame = name === undefined ? ending === word.toLowerCase() : languageName(ending) === name;
    return isSame && ending !== '' ? file : undefined;
  }

  #do(button: HTMLButtonElement): void {
    const [does] = doings.find(([each]) => each === button.dataset.does) ?? [];
    switch (does) {
      case undefined:
        break;
      case 'copy':
        this.#actions.copy(this.#source.text());
        confirmCopied(button);
        break;
      case 'wrap':
        this.#actions.wrap.toggle();
        break;
      default:
        this.#use(does);
    }
  }

  #use(action: Parameters<TextActions['useCode']>[0]['action']): void {
    const { block, text } = this.#source;
    const blocks = block.closest('.markdown')?.querySelectorAll('.codeBlock') ?? [];
    const index = Math.max(0, [...blocks].indexOf(block));
    this.#actions.useCode({ action, block: index, fence: this.#info.slice(0, 1_000), text: text() });
  }
}
