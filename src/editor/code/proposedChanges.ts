import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, Emitter } from '../../core/base/lifetime.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { type CodePlace, wholeLines } from '../../core/chat/edits/codeTarget.ts';
import { withCode } from '../../core/chat/edits/fitCode.ts';
import type { BlockId } from '../../protocol/protocol.ts';
import { nameOf, changeScheme as scheme } from '../ui/lastEditor.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { cellOf } from './notebookCells.ts';

/** A replacement of the code at a place in a file. */
export type Change = { readonly place: CodePlace; readonly code: string };

/** A change that a model proposes, made from the current text of the file and again when the file has changed. */
export type Proposal = {
  /** The id of the conversation. */
  readonly conversation: string;
  /** The code block. */
  readonly from: BlockId;
  /** Number of the file among those that the block changes. The same one is always compared in the same tab. */
  readonly part: number;
  readonly file: vscode.Uri;
  readonly model: string;
  /**
   * Makes the change, or is the text of a file that doesn't exist. @returns undefined when there is no place for it, or
   * the person has declined it.
   */
  readonly make: string | ((document: vscode.TextDocument) => Promise<Change | undefined>);
};

type ShownProposal = {
  readonly proposal: Proposal;
  readonly change: Change;
  readonly base: string;
  /** What the file has at the place, with three lines around it. */
  readonly around: string;
  readonly text: string;
};

/**
 * Shows the changes that models propose in VS Code's diff editor. Only *Accept* changes a file: as one undo step,
 * without saving it, and only if the lines that the diff showed are still the same.
 */
export class ProposedChanges extends DisposableStore {
  readonly #shown = new Map<string, ShownProposal>();
  readonly #changed = this.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #didChange = this.add(new Emitter<void>());
  /** Fires when a change was opened or closed. */
  readonly onDidChange = this.#didChange.event;
  /** The proposals that are being applied, so that accepting one twice applies it once. */
  readonly #busy = new Set<string>();
  /** Whether the active editor shows a change. */
  #isActive = false;

  constructor() {
    super();
    this.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#shown.get(uri.toString())?.text ?? '',
      }),
    );
    this.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const uri of closed.flatMap(proposedUri)) {
          if (tabsOf(uri).length === 0) {
            this.#forget(uri);
          }
        }
        this.#noteActive();
      }),
    );
    this.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#noteActive()));
  }

  /** The code blocks with changes that are open. */
  get blocks(): readonly BlockId[] {
    return [...this.#shown.values()].map(({ proposal: { from } }) => ({ replyId: from.replyId, block: from.block }));
  }

  /** Shows the diff. Resolves when it is shown, or when there is nothing to show. */
  async propose(proposal: Proposal, column: vscode.ViewColumn): Promise<void> {
    const { make } = proposal;
    const document = typeof make === 'string' ? undefined : await vscode.workspace.openTextDocument(proposal.file);
    const change =
      typeof make === 'string' ? { place: wholeLines([], 0, 0), code: make } : document && (await make(document));
    if (change === undefined) {
      return;
    }
    // Read only now: `make` may have waited for the person to answer a dialog.
    const base = document?.getText() ?? '';
    const { startLine: line, endLine } = change.place;
    const around = document?.getText(new vscode.Range(Math.max(0, line - 3), 0, endLine + 4, 0)) ?? '';
    const name = nameOf(proposal.file);
    const text = withCode(base, change.place, change.code);
    const isJson = document ? isJsonLanguage(document.languageId) : /\.(?:jsonc?|code-\w+)$/i.test(name);
    const uri = vscode.Uri.from({
      scheme,
      path: `/${name}${isJson ? '.jsonl' : ''}`,
      query: `${proposal.from.replyId}.${proposal.from.block}.${proposal.part}`,
    });
    if (document && text === base) {
      await closeTabs(uri);
      void showInformationMessage(l10n.t('{0} already contains this code.', name));
      return;
    }
    this.#shown.set(uri.toString(), { proposal, change, base, around, text });
    this.#changed.fire(uri);
    this.#didChange.fire();
    if (document && cellOf(document)) {
      await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri), document.languageId);
    }
    const title = document
      ? l10n.t('{0} (Proposed by {1})', name, proposal.model)
      : l10n.t('{0} (New File Proposed by {1})', vscode.workspace.asRelativePath(proposal.file), proposal.model);
    await vscode.commands.executeCommand(
      'vscode.diff',
      // A new file is compared with a document that has no text.
      document ? proposal.file : uri.with({ query: '' }),
      uri,
      visibleName(title),
      // Not as a preview, which the next opened file would replace.
      {
        preview: false,
        viewColumn: tabsOf(uri)[0]?.group.viewColumn ?? column,
        selection: new vscode.Range(line, 0, line, 0),
      },
    );
  }

  /** Applies the change that a diff shows. @param argument the URI of the diff, which VS Code passes to the button. */
  async accept(argument: unknown): Promise<void> {
    const uri = uriOf(argument);
    if (uri === undefined) {
      return;
    }
    const key = uri.toString();
    const shown = this.#shown.get(key);
    if (shown === undefined) {
      // VS Code restored its tab after a reload; the proposal was only in memory.
      await closeTabs(uri);
      void showInformationMessage(
        l10n.t('This comparison is from before the window was reloaded. Select Apply… on the code block again.'),
      );
      return;
    }
    if (this.#busy.has(key)) {
      return;
    }
    this.#busy.add(key);
    try {
      await this.#apply(uri, shown);
    } finally {
      this.#busy.delete(key);
    }
  }

  /** Closes a diff without changing the file. */
  async discard(argument: unknown): Promise<void> {
    const uri = uriOf(argument);
    if (uri) {
      this.#forget(uri);
      await closeTabs(uri);
    }
  }

  /** The conversation of the change that a diff shows; see `accept`. */
  conversationOf(argument: unknown): string | undefined {
    const uri = uriOf(argument);
    return uri && this.#shown.get(uri.toString())?.proposal.conversation;
  }

  /** Accepts or discards all open changes of a code block, or of an answer. */
  async decide({ replyId, block }: Partial<BlockId>, accepts: boolean): Promise<void> {
    for (const [uri, { proposal }] of [...this.#shown]) {
      if (proposal.from.replyId === replyId && (block === undefined || proposal.from.block === block)) {
        await (accepts ? this.accept(vscode.Uri.parse(uri)) : this.discard(vscode.Uri.parse(uri)));
      }
    }
  }

  /** For the keys: while the left side of a diff has the focus, the scheme of the resource is that of the file. */
  #noteActive(): void {
    const isActive = uriOf(undefined) !== undefined;
    if (isActive !== this.#isActive) {
      this.#isActive = isActive;
      void vscode.commands.executeCommand('setContext', 'askModel.isChangeActive', isActive);
    }
  }

  #forget(uri: vscode.Uri): void {
    if (this.#shown.delete(uri.toString())) {
      this.#didChange.fire();
    }
  }

  async #apply(uri: vscode.Uri, shown: ShownProposal): Promise<void> {
    const { proposal, change, base, text } = shown;
    const { file } = proposal;
    const name = nameOf(file);
    const column = tabsOf(uri)[0]?.group.viewColumn ?? vscode.ViewColumn.Active;
    if (vscode.workspace.fs.isWritableFileSystem(file.scheme) === false) {
      void showErrorMessage(l10n.t("{0} can't be changed because it's read-only.", name));
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    if (typeof proposal.make === 'string') {
      // In the encoding that is set for such files, as VS Code reads them (claude-code#28316).
      edit.createFile(file, { contents: await vscode.workspace.encode(text, { uri: file }) });
      if (!(await vscode.workspace.applyEdit(edit))) {
        void showErrorMessage(l10n.t("VS Code couldn't create {0}. It may exist already.", name));
        return;
      }
      this.#forget(uri);
      await closeTabs(uri);
      await vscode.window.showTextDocument(file, { viewColumn: column, preview: false });
      return;
    }
    const document = await vscode.workspace.openTextDocument(file);
    if (document.getText() !== base) {
      await this.propose(proposal, column);
      const again = this.#shown.get(uri.toString());
      if (again === undefined || again === shown) {
        return;
      }
      // Another change of the same answer, for example, was accepted elsewhere in the file (opencode#3914).
      if (again.around === shown.around && again.change.code === shown.change.code) {
        await this.#apply(uri, again);
        return;
      }
      void showWarningMessage(
        l10n.t(
          '{0} changed after this comparison was made, so nothing was applied. Review the new comparison, then accept it.',
          name,
        ),
      );
      return;
    }
    edit.replace(file, rangeOf(change.place), change.code);
    if (!(await vscode.workspace.applyEdit(edit))) {
      void showErrorMessage(l10n.t("VS Code couldn't apply the change to {0}. The file is unchanged.", name));
      return;
    }
    this.#forget(uri);
    await closeTabs(uri);
    const cell = cellOf(document);
    if (cell) {
      const selections = [new vscode.NotebookRange(cell.index, cell.index + 1)];
      await vscode.window.showNotebookDocument(cell.notebook, { viewColumn: column, selections });
      return;
    }
    const { startLine } = change.place;
    const selection = new vscode.Range(startLine, 0, startLine, 0);
    await vscode.window.showTextDocument(document, { viewColumn: column, preview: false, selection });
  }
}

/** Whether VS Code would request the address in the document's `$schema`, before the person has accepted the change. */
function isJsonLanguage(languageId: string): boolean {
  return /^(?:jsonc?|snippets)$/.test(languageId);
}

/** The diff's URI: the argument of the command, otherwise the active tab, since the command palette passes none. */
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

export function rangeOf({ startLine, startCharacter, endLine, endCharacter }: CodePlace): vscode.Range {
  return new vscode.Range(startLine, startCharacter, endLine, endCharacter);
}
