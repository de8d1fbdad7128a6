import * as l10n from '@vscode/l10n';
import { numberText } from '../../core/base/localization.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { BlockFiles, HostMessage } from '../../protocol/protocol.ts';
import { element, type Post, textButton } from '../page/dom.ts';
import { codeOf } from './codeBlock.ts';
import { showChangesIn } from './proposals.ts';

/** More are not listed. */
const maxBlocks = 50;

/** The texts of answers whose files the host was asked for, by the ids of the replies. */
const texts = new Map<string, HTMLElement>();

/** Asks the host which files the code blocks of an answer name, when all of it is drawn. */
export function findFiles(text: HTMLElement, replyId: string, post: Post): void {
  const blocks = blocksIn(text).slice(0, maxBlocks);
  if (blocks.length > 1) {
    texts.set(replyId, text);
    post({ type: 'findFiles', replyId, blocks });
  }
}

function blocksIn(text: HTMLElement) {
  return [...text.querySelectorAll('.codeBlock')].map((each, block) => ({ block, ...codeOf(each) }));
}

/** Lists the files of an answer below its text, where each or all of them can be applied. */
export function showFiles({ replyId, blocks }: Extract<HostMessage, { type: 'files' }>, post: Post): void {
  const text = texts.get(replyId);
  texts.delete(replyId);
  if (text === undefined || blocks.length < 2) {
    return;
  }
  const apply = (chosen: readonly BlockFiles[]) => {
    const code = blocksIn(text);
    post({ type: 'applyFiles', replyId, blocks: chosen.flatMap(({ block }) => code[block] ?? []) });
  };
  const decide = (accepts: boolean) => post({ type: 'decide', replyId, accepts });
  const count = new Set(blocks.flatMap(({ files }) => files.map(({ path }) => path))).size;
  const head = element(
    'p',
    'head',
    element('span', '', l10n.t('Files in this answer: {0}', numberText(count))),
    textButton('secondary', l10n.t('Apply All…'), () => apply(blocks)),
    textButton('primary', l10n.t('Accept All'), () => decide(true)),
    textButton('secondary', l10n.t('Discard All'), () => decide(false)),
  );
  const rows = blocks.map((block) => {
    const names = block.files.map(({ path, isNew }) => {
      const name = element('span', 'path', visibleName(path));
      return element('span', 'name', name, ...(isNew ? [element('span', 'new', l10n.t('new file'))] : []));
    });
    const button = textButton('quietButton', l10n.t('Apply…'), () => apply([block]));
    button.setAttribute(
      'aria-label',
      l10n.t('Apply to {0}…', block.files.map(({ path }) => visibleName(path)).join(', ')),
    );
    return element('li', '', element('span', 'names', ...names), button);
  });
  const list = element('section', 'files', head, element('ul', '', ...rows));
  list.setAttribute('aria-label', l10n.t('Files in This Answer'));
  text.classList.add('hasFiles');
  text.querySelector(':scope > .files')?.remove();
  const sources = text.querySelector(':scope > .sources');
  if (sources === null) {
    text.append(list);
  } else {
    sources.before(list);
  }
  showChangesIn(text, replyId, post);
}
