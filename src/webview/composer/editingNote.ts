import * as l10n from '@vscode/l10n';
import { element, textButton } from '../page/dom.ts';

/** Says above the question box that an earlier question is edited, and lets the person cancel that. */
export class EditingNote {
  readonly element = element('div', 'editing');
  readonly #note = element('p', 'note', l10n.t('Editing question. Sending creates a new branch.'));

  constructor(cancel: () => void) {
    this.#note.id = 'editing';
    this.element.append(this.#note, textButton('secondary', l10n.t('Cancel'), cancel));
  }

  /** @returns the id of the element with it; undefined when none is shown. */
  show(isEditing: boolean): string | undefined {
    this.element.hidden = !isEditing;
    return isEditing ? this.#note.id : undefined;
  }
}
