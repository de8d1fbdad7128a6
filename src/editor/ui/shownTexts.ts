import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { requestScheme as scheme } from './lastEditor.ts';
import type { Log } from './log.ts';

/** A text, with its name and the id of what it is from. */
type Shown = { readonly name: string; readonly about: string; readonly text: string };

/** The read-only documents that show requests, answers or lists of models beside each other, details of a model, and output
 * of closed terminals. A document is only in memory, until it is closed. */
export class ShownTexts extends DisposableStore {
  readonly #texts = new Map<string, string>();
  readonly #changed = this.add(new vscode.EventEmitter<vscode.Uri>());

  constructor(log: Log) {
    super();
    this.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
      }),
    );
    this.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#texts.delete(uri.toString());
      }),
    );
    // Tabs that VS Code restored after a reload; their text was only in memory.
    const stale = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === scheme),
    );
    vscode.window.tabGroups
      .close(stale)
      .then(undefined, (error: unknown) => log.defect('Requests shown before a reload could not be closed', error));
  }

  /**
   * Shows a text. A document with the same `name` and `about` is replaced in its tab.
   *
   * @param name the tab's title, with a file extension that tells the language.
   * @param about the id of a conversation, a reply, a context or a model.
   */
  async show(name: string, about: string, text: string, viewColumn?: vscode.ViewColumn): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: about });
    const isOpen = this.#texts.has(uri.toString());
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn, preview: true });
    const { languageId } = document;
    if (!isOpen && vscode.workspace.getConfiguration('editor', { uri, languageId }).get('wordWrap') === 'off') {
      // A file that was sent as context is one long line of JSON.
      await vscode.commands.executeCommand('editor.action.toggleWordWrap');
    }
  }

  /** Compares two texts in a diff editor; the title names them. */
  async diff([left, right]: readonly [Shown, Shown], viewColumn?: vscode.ViewColumn): Promise<void> {
    const [before, after] = [left, right].map(({ name, about, text }) => {
      const uri = vscode.Uri.from({ scheme, path: `/${name.replaceAll('/', ' ')}.md`, query: about });
      this.#texts.set(uri.toString(), text);
      this.#changed.fire(uri);
      return uri;
    });
    await vscode.commands.executeCommand('vscode.diff', before, after, `${left.name} ↔ ${right.name}`, { viewColumn });
  }
}
