import * as l10n from '@vscode/l10n';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText, textButton } from '../page/dom.ts';

/** The button with the parameters of the next question. Without any, it is an icon. */
export class ParametersButton {
  readonly element: HTMLButtonElement;
  readonly #label = element('span', 'label');

  constructor(edit: () => void) {
    this.element = textButton('parametersButton', '', edit, 'settings');
    this.element.append(this.#label);
  }

  show(parameters: ComposerView['parameters']): void {
    const name = l10n.t('Parameters');
    const label = visibleName(parameters?.label ?? '');
    setText(this.#label, label);
    this.#label.hidden = label === '';
    this.element.setAttribute('aria-label', label === '' ? name : l10n.t('Parameters: {0}', label));
    this.element.title = parameters === undefined ? name : `${name}\n${visibleText(parameters.hint)}`;
  }
}
