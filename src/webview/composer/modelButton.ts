import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';

/** The button with the model of the next question; its tooltip says where the question is sent. */
export class ModelButton {
  readonly element: HTMLButtonElement;
  readonly #label = element('span', 'label');

  constructor(choose: () => void) {
    this.element = textButton('modelButton', '', choose, 'hubot');
    this.element.append(this.#label, icon('chevronDown'));
  }

  show({ model, host }: Pick<ComposerView, 'model' | 'host'>): void {
    setText(this.#label, model === undefined ? l10n.t('Choose Model…') : visibleName(model));
    this.#label.classList.toggle('none', model === undefined);
    const destination = host === undefined ? l10n.t('No connection') : l10n.t('Questions are sent to {0}', host);
    // The button may cut off a long model ID.
    this.element.title = model === undefined ? destination : `${visibleName(model)}\n${destination}`;
  }
}
