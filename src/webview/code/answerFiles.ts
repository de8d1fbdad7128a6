import * as l10n from '@vscode/l10n';
import { numberText } from '../../core/base/localization.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { BlockFiles, BlockId, HostMessage } from '../../protocol/protocol.ts';
import { element, type Post, textButton } from '../page/dom.ts';
import { codeOf } from './codeHeader.ts';

/** More are not listed. */
const maxBlocks = 50;

/** The texts of answers that have ended, by the ids of the replies. */
const texts = new Map<string, HTMLElement>();

/** The code blocks whose changes are open in a diff editor. */
let open: readonly BlockId[] = [];

/** Shows what is open of an answer, all of which is drawn, and asks the host which files its code blocks name. */
export function noteEnded(text: HTMLElement, replyId: string, post: Post): void {
  texts.set(replyId, text);
  showChangesIn(text, replyId, post);
  findFiles(text, replyId, post);
}

function findFiles(text: Element, replyId: string, post: Post): void {
  const blocks = blocksIn(text).slice(0, maxBlocks);
  if (blocks.length > 1) {
    post({ type: 'findFiles', replyId, blocks });
  }
}

function blocksIn(text: Element) {
  return [...text.querySelectorAll('.codeBlock')].map((each, block) => ({ block, ...codeOf(each) }));
}

/** Lists the files of an answer below its text, where each or all of them can be applied. */
export function showFiles({ replyId, blocks }: Extract<HostMessage, { type: 'files' }>, post: Post): void {
  const text = texts.get(replyId);
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

/** Shows *Accept* and *Discard* at these code blocks, and at no others. */
export function showOpenChanges(blocks: readonly BlockId[], post: Post): void {
  const isIn = (all: readonly BlockId[], { replyId, block }: BlockId) =>
    all.some((each) => each.replyId === replyId && each.block === block);
  const decided = new Set(open.filter((each) => !isIn(blocks, each)).map(({ replyId }) => replyId));
  open = blocks;
  for (const [replyId, text] of texts) {
    showChangesIn(text, replyId, post);
    if (decided.has(replyId)) {
      // A file that was new may exist by now.
      findFiles(text, replyId, post);
    }
  }
}

function showChangesIn(text: Element, replyId: string, post: Post): void {
  for (const [index, block] of [...text.querySelectorAll('.codeBlock')].entries()) {
    const shown = block.querySelector(':scope > .change');
    const isOpen = open.some((each) => each.replyId === replyId && each.block === index);
    if (isOpen && shown === null) {
      block.querySelector('.codeHeader')?.after(buttons({ replyId, block: index }, post));
    } else if (!isOpen) {
      shown?.remove();
    }
  }
  const isOpen = open.some((each) => each.replyId === replyId);
  text.querySelector(':scope > .files')?.classList.toggle('hasOpen', isOpen);
}

function buttons(block: BlockId, post: Post): HTMLElement {
  const decide = (accepts: boolean) => post({ type: 'decide', ...block, accepts });
  return element(
    'p',
    'change',
    element('span', '', l10n.t('Proposed change')),
    textButton('primary', l10n.t('Accept'), () => decide(true)),
    textButton('secondary', l10n.t('Discard'), () => decide(false)),
  );
}
