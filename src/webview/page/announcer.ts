import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ReplyUpdate } from '../../protocol/protocol.ts';
import { element } from './dom.ts';

/** A live region that announces when an answer starts or ends. The answer's text is not announced. */
export const liveRegion = element('div', 'unseen');
liveRegion.setAttribute('role', 'status');

/** Announces words to people who use a screen reader. */
export function say(words: string): void {
  // A new element, because a live region does not announce the same text twice.
  liveRegion.replaceChildren(element('p', '', words));
}

/** Announces how an answer ended. @param from the model's name, when several models answer at once. */
export function sayEnd({ state, trouble }: Pick<ReplyUpdate, 'state' | 'trouble'>, from?: string): void {
  const words = endText(state, trouble?.title);
  if (words !== undefined && from !== undefined) {
    say(
      l10n.t({
        message: '{0}: {1}',
        args: [visibleName(from), words],
        comment: ['The name of a model, and what became of its answer'],
      }),
    );
  } else if (words !== undefined) {
    say(words);
  }
}

function endText(state: ReplyUpdate['state'], trouble: string | undefined): string | undefined {
  return {
    waiting: undefined,
    streaming: undefined,
    complete: l10n.t('Answer complete'),
    stopped: l10n.t('Answer stopped'),
    incomplete: trouble === undefined ? l10n.t('Answer incomplete') : l10n.t('Answer incomplete: {0}', trouble),
    failed: trouble === undefined ? l10n.t('No answer') : l10n.t('Answer failed: {0}', trouble),
  }[state];
}
