import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ReplyUpdate } from '../../protocol/views.ts';
import { element } from './dom.ts';

/** A live region that announces when an answer starts or ends. The answer's text is not announced. */
export class Announcer {
  readonly element = element('div', 'unseen');

  constructor() {
    this.element.setAttribute('role', 'status');
  }

  say(words: string): void {
    // A new element, because a live region does not announce the same text twice.
    this.element.replaceChildren(element('p', '', words));
  }

  /** @param from the model's name, when several models answer at once. */
  #sayOf(from: string | undefined, words: string): void {
    this.say(
      from === undefined
        ? words
        : l10n.t({
            message: '{0}: {1}',
            args: [visibleName(from), words],
            comment: ['The name of a model, and what became of its answer'],
          }),
    );
  }

  /**
   * Announces how an answer ended.
   *
   * @param from the model's name, when several models answer at once.
   */
  end({ state, trouble }: Pick<ReplyUpdate, 'state' | 'trouble'>, from?: string): void {
    switch (state) {
      case 'waiting':
      case 'streaming':
        break;
      case 'complete':
        this.#sayOf(from, l10n.t('Answer complete'));
        break;
      case 'stopped':
        this.#sayOf(from, l10n.t('Answer stopped'));
        break;
      case 'incomplete':
        this.#sayOf(
          from,
          trouble === undefined ? l10n.t('Answer incomplete') : l10n.t('Answer incomplete: {0}', trouble.title),
        );
        break;
      case 'failed':
        this.#sayOf(from, trouble === undefined ? l10n.t('No answer') : l10n.t('Answer failed: {0}', trouble.title));
        break;
      default:
        state satisfies never;
    }
  }
}
