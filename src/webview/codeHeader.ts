import { confirmCopied, element, iconButton, setText } from './dom.ts';
import { languageName } from './languages.ts';
import type { TextActions } from './panelActions.ts';
import { toolbar } from './toolbar.ts';
import { visibleName } from './visibleName.ts';

/** What a header needs of its block. */
export type CodeSource = {
  readonly block: HTMLElement;
  readonly text: () => string;
};

/** Above a block of code: its language and file at the left, what can be done with it at the right. */
export class CodeHeader {
  readonly element: HTMLElement;
  readonly #label = element('span', 'language');
  readonly #actions: TextActions;
  readonly #source: CodeSource;
  #info = '';

  constructor(actions: TextActions, source: CodeSource) {
    this.#actions = actions;
    this.#source = source;
    const copy = iconButton('copy', 'Copy Code', () => {
      actions.copy(source.text());
      confirmCopied(copy);
    });
    const apply = iconButton('diff', 'Apply…', () => this.#use('apply'));
    apply.title = 'Apply… (compares with the file first)';
    const wrap = iconButton('wordWrap', 'Wrap Lines', () => actions.wrap.toggle());
    wrap.classList.add('wrap');
    wrap.setAttribute('aria-pressed', String(actions.wrap.isOn));
    const bar = toolbar('Code', [
      copy,
      iconButton('insert', 'Insert at Cursor', () => this.#use('insert')),
      iconButton('replace', 'Replace Selection', () => this.#use('replace')),
      apply,
      iconButton('newFile', 'New File', () => this.#use('newFile')),
      wrap,
    ]);
    this.element = element('div', 'codeHeader', this.#label, bar);
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

  #use(action: Parameters<TextActions['useCode']>[0]['action']): void {
    const { block, text } = this.#source;
    const blocks = block.closest('.markdown')?.querySelectorAll('.codeBlock') ?? [];
    const index = Math.max(0, [...blocks].indexOf(block));
    this.#actions.useCode({ action, block: index, fence: this.#info.slice(0, 1_000), text: text() });
  }
}
