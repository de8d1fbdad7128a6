import * as l10n from '@vscode/l10n';
import { visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { markPaying } from '../page/payingButtons.ts';

export type SecretsLineActions = {
  /** Sends the question. @param asIs with the secrets, which are masked otherwise. */
  submit(asIs: boolean): void;
  leaveOutSecrets(): void;
  /** Never looks for secrets in this file again. */
  neverScanFile(): void;
};

/** Says that what would be sent has secrets, and asks what to do with them. The safe choice comes first. */
export class SecretsLine {
  readonly element = element('div', 'secrets');
  readonly #text = element('span', 'text');
  readonly #mask: HTMLButtonElement;
  readonly #leaveOut: HTMLButtonElement;
  readonly #asIs: HTMLButtonElement;
  readonly #never: HTMLButtonElement;

  constructor({ submit, leaveOutSecrets, neverScanFile }: SecretsLineActions) {
    this.#mask = textButton('primary', l10n.t('Mask and Send'), () => submit(false));
    this.#leaveOut = textButton('secondary', l10n.t('Leave Out'), leaveOutSecrets);
    this.#asIs = textButton('secondary', l10n.t('Send As Is'), () => submit(true));
    this.#never = textButton('secondary', l10n.t('Never for This File'), neverScanFile);
    this.#never.title = l10n.t('Include the file as it is, and never look for secrets in it in this workspace.');
    this.#mask.title = l10n.t(
      'Masked, the model gets placeholders, and the values are put back into its answer on this screen.',
    );
    this.#asIs.title = l10n.t('Sent as they are, the values are also stored in the conversation.');
    markPaying(this.#mask);
    markPaying(this.#asIs);
    this.#text.setAttribute('role', 'alert');
    this.element.append(
      element('span', 'words', icon('warning'), this.#text),
      element('span', 'buttons', this.#mask, this.#leaveOut, this.#asIs, this.#never),
    );
    this.element.hidden = true;
  }

  /** @returns whether the focus was on a button that is hidden now. */
  show(secrets: ComposerView['secrets'], canSend: boolean): boolean {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = secrets === undefined;
    setText(this.#text, visibleText(secrets?.text ?? ''));
    this.#leaveOut.hidden = secrets?.canLeaveOut !== true;
    this.#asIs.hidden = secrets?.canSendAsIs !== true;
    this.#never.hidden = secrets?.isOneFile !== true;
    this.#mask.disabled = !canSend;
    this.#asIs.disabled = !canSend;
    return hadFocus && secrets === undefined;
  }
}
