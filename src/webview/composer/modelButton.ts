import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { ParametersButton } from './parametersButton.ts';

export type ModelActions = {
  chooseModel(): void;
  editParameters(): void;
};

/** The buttons with the model and the parameters of the next question; a tooltip says where the question is sent. */
export class ModelButton {
  readonly elements: readonly HTMLButtonElement[];
  readonly #button: HTMLButtonElement;
  readonly #parameters: ParametersButton;
  readonly #label = element('span', 'label');

  constructor(actions: ModelActions) {
    this.#button = textButton('modelButton', '', () => actions.chooseModel(), 'hubot');
    this.#parameters = new ParametersButton(() => actions.editParameters());
    this.elements = [this.#button, this.#parameters.element];
    this.#button.append(this.#label, icon('chevronDown'));
  }

  show({ model, host, parameters }: Pick<ComposerView, 'model' | 'host' | 'parameters'>): void {
    this.#parameters.show(parameters);
    setText(this.#label, model === undefined ? l10n.t('Choose Model…') : visibleName(model));
    this.#label.classList.toggle('none', model === undefined);
    const destination = host === undefined ? l10n.t('No connection') : l10n.t('Questions are sent to {0}', host);
    // The button may cut off a long model ID.
    this.#button.title = model === undefined ? destination : `${visibleName(model)}\n${destination}`;
  }
}
