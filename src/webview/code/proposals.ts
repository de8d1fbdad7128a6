import * as l10n from '@vscode/l10n';
import type { BlockId } from '../../protocol/protocol.ts';
import { element, type Post, textButton } from '../page/dom.ts';

/** The code blocks whose changes are open in a diff editor. */
let open: readonly BlockId[] = [];

/** The ids of the replies, by the elements with their text. */
const replyIds = new WeakMap<Element, string>();

/** Shows *Accept* and *Discard* at these code blocks, and at no others. */
export function showOpenChanges(blocks: readonly BlockId[], post: Post): void {
  open = blocks;
  for (const text of document.querySelectorAll('.markdown')) {
    const replyId = replyIds.get(text);
    if (replyId !== undefined) {
      showChangesIn(text, replyId, post);
    }
  }
}

/** Does so in the text of a reply, which has all its code blocks now. */
export function showChangesIn(text: Element, replyId: string, post: Post): void {
  replyIds.set(text, replyId);
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
