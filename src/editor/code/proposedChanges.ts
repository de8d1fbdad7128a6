import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { CodePlace } from '../../core/chat/edits/codePlace.ts';
import { withCode } from '../../core/chat/edits/fitCode.ts';
import { changeScheme as scheme } from '../ui/changeScheme.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';

/** Code for a place in a file. */
export type Change = { readonly place: CodePlace; readonly code: string };

/** What is compared: made from the file's text as it is, and made anew when that has changed. */
export type Proposal = {
  /** One block of one answer: the same one is compared in the same tab. */
  readonly id: string;
  readonly file: vscode.Uri;
  readonly model: string;
  /** Undefined when there is no place for it in that text, and the person wanted none. */
  readonly make: (document: vscode.TextDocument) => Promise<Change | undefined>;
};

type Shown = { readonly proposal: Proposal; readonly change: Change; readonly base: string; readonly text: string };

/**
 * Changes that a model proposes, side by side with the file in VS Code's own diff. A file is changed by *Accept* alone:
 * as one step of undo, without saving it, and only when it still is what the diff was made from.
 */
export class ProposedChanges implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #shown = new Map<string, Shown>();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  /** Accepting twice is one change. */
  readonly #busy = new Set<string>();

  constructor(log: Log) {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#shown.get(uri.toString())?.text ?? '',
      }),
    );
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const uri of closed.flatMap(proposedUri)) {
          if (tabsOf(uri).length === 0) {
            this.#shown.delete(uri.toString());
          }
        }
      }),
    );
    // Left from before a reload: what they compared is gone.
    const stale = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => proposedUri(tab).length > 0));
    vscode.window.tabGroups
      .close(stale)
      .then(undefined, (error: unknown) => log.defect('Changes shown before a reload could not be closed', error));
  }

  /** Shows the diff. Resolves when it is there, or there was nothing to show. */
  async propose(proposal: Proposal, column: vscode.ViewColumn): Promise<void> {
    const document = await vscode.workspace.openTextDocument(proposal.file);
    const change = await proposal.make(document);
    if (change === undefined) {
      return;
    }
    // Only now: the person may have been asked meanwhile.
    const base = document.getText();
    const name = nameOf(proposal.file);
    const text = withCode(base, change.place, change.code);
    const uri = vscode.Uri.from({ scheme, path: `/${name}${isJson(document) ? '.jsonl' : ''}`, query: proposal.id });
    if (text === base) {
      await closeTabs(uri);
      void showInformationMessage(`${name} holds this code already.`);
      return;
    }
    this.#shown.set(uri.toString(), { proposal, change, base, text });
    this.#changed.fire(uri);
    await vscode.commands.executeCommand(
      'vscode.diff',
      proposal.file,
      uri,
      visibleName(`${name}: proposed by ${proposal.model}`),
      // A comparison is not opened to be replaced by the next file that is looked at.
      {
        preview: false,
        viewColumn: tabsOf(uri)[0]?.group.viewColumn ?? column,
        selection: new vscode.Range(change.place.startLine, 0, change.place.startLine, 0),
      },
    );
  }

  /** Makes the change that the diff shows. @param argument the diff's uri, as VS Code hands it to the button. */
  async accept(argument: unknown): Promise<void> {
    const uri = uriOf(argument);
    if (uri === undefined) {
      void showInformationMessage('There is no proposed change here. Choose Apply… at a block of code first.');
      return;
    }
    const key = uri.toString();
    const shown = this.#shown.get(key);
    if (shown === undefined) {
      await closeTabs(uri);
      void showInformationMessage(
        'This comparison is from before the window was reloaded. Choose Apply… at the block of code once more.',
      );
      return;
    }
    if (this.#busy.has(key)) {
      return;
    }
    this.#busy.add(key);
    try {
      await this.#make(uri, shown);
    } finally {
      this.#busy.delete(key);
    }
  }

  /** Closes the diff; the file stays as it is. */
  async discard(argument: unknown): Promise<void> {
    const uri = uriOf(argument);
    if (uri) {
      this.#shown.delete(uri.toString());
      await closeTabs(uri);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #make(uri: vscode.Uri, { proposal, change, base }: Shown): Promise<void> {
    const { file } = proposal;
    const name = nameOf(file);
    const column = tabsOf(uri)[0]?.group.viewColumn ?? vscode.ViewColumn.Active;
    if (vscode.workspace.fs.isWritableFileSystem(file.scheme) === false) {
      void showErrorMessage(`${name} can’t be changed: it is read-only.`);
      return;
    }
    const document = await vscode.workspace.openTextDocument(file);
    if (document.getText() !== base) {
      await this.propose(proposal, column);
      void showWarningMessage(
        `${name} changed since this comparison was made, so nothing was applied. It is compared anew: look again, then accept.`,
      );
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, rangeOf(change.place), change.code);
    if (!(await vscode.workspace.applyEdit(edit))) {
      void showErrorMessage(`VS Code did not take the change to ${name}. The file is as it was.`);
      return;
    }
    this.#shown.delete(uri.toString());
    await closeTabs(uri);
    const lines = change.code.split(/\r\n|\r|\n/);
    const { startLine } = change.place;
    const selection = new vscode.Range(startLine, 0, startLine + lines.length - 1, 0);
    const isFile = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputText && input.uri.toString() === file.toString();
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isFile));
    const viewColumn = group?.viewColumn ?? column;
    const editor = await vscode.window.showTextDocument(document, { viewColumn, preview: false });
    editor.selection = new vscode.Selection(selection.start, selection.start);
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function nameOf({ path }: vscode.Uri): string {
  return path.split('/').at(-1) || path;
}

/** VS Code would read the address a `$schema` names, and the text is not one that the person has taken yet. */
function isJson({ languageId }: vscode.TextDocument): boolean {
  return /^(?:jsonc?|snippets)$/.test(languageId);
}

/** The command's argument; from the palette there is none, and the diff in front is meant. */
function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri && argument.scheme === scheme) {
    return argument;
  }
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab && proposedUri(activeTab)[0];
}

function proposedUri({ input }: vscode.Tab): vscode.Uri[] {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme ? [input.modified] : [];
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const key = uri.toString();
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter((tab) => proposedUri(tab).some((each) => each.toString() === key)),
  );
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(tabsOf(uri));
}

function rangeOf({ startLine, startCharacter, endLine, endCharacter }: CodePlace): vscode.Range {
  return new vscode.Range(startLine, startCharacter, endLine, endCharacter);
}
