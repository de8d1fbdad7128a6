import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { visibleText } from '../../core/base/visibleText.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { CommandId } from '../ui/commandIds.ts';
import { plainLabel } from '../ui/plainText.ts';

/** The status bar's word on which model is asked when none is named; a click picks another one. */
export class StatusItem implements vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('askModel.model', vscode.StatusBarAlignment.Right, 100),
    );
    this.#item.name = 'Ask Model';
    this.#item.command = 'askModel.chooseModel' satisfies CommandId;
    this.#store.add(catalogue.onDidChange(() => this.#show()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(): void {
    const { state, defaultModel } = this.#catalogue;
    const { connection, status } = state;
    if (status === 'unread') {
      // Being read anew; what was shown stays for that moment.
      return;
    }
    if (connection === undefined || status.startsWith('key')) {
      this.#item.hide();
      return;
    }
    const isGone = defaultModel !== undefined && this.#catalogue.isGone(defaultModel);
    this.#item.text = `$(${isGone ? 'warning' : 'comment-discussion'}) ${plainLabel(defaultModel ?? 'Choose a model')}`;
    const words = defaultModel
      ? `${defaultModel} of ${connection.name} is asked when no other model is named.${isGone ? ' It is no longer in the gateway’s list.' : ''}`
      : `No default model is chosen for ${connection.name}.`;
    this.#item.tooltip = visibleText(`${words} Click to choose another.`);
    this.#item.accessibilityInformation = {
      label: visibleText(`Ask Model: ${defaultModel ?? 'no default model'}${isGone ? ', gone' : ''}`),
    };
    this.#item.show();
  }
}
