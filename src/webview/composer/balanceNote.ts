import { visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText } from '../page/dom.ts';

/** What is left on the key or its account, beside the token estimate. */
export class BalanceNote {
  readonly element = element('span', 'estimate balance');

  show({ balance }: Pick<ComposerView, 'balance'>): void {
    setText(this.element, visibleText(balance?.text ?? ''));
    this.element.title = visibleText(balance?.title ?? '');
    this.element.hidden = balance === undefined;
    this.element.classList.toggle('isLow', balance?.isLow === true);
  }
}
