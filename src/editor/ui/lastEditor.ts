import * as vscode from 'vscode';
import { changeScheme } from './changeScheme.ts';
import { requestScheme } from './requestScheme.ts';

/**
 * The text editor a person worked in last. VS Code has no active text editor while a panel has the focus, which is just
 * when code is to be inserted or a selection to be added.
 */
export class LastEditor implements vscode.Disposable {
  #last = codeEditor(vscode.window.activeTextEditor);
  readonly #listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
    this.#last = codeEditor(editor) ?? this.#last;
  });

  /** Undefined when that editor is no longer shown. */
  get current(): vscode.TextEditor | undefined {
    const last = codeEditor(vscode.window.activeTextEditor) ?? this.#last;
    return vscode.window.visibleTextEditors.find(
      (editor) => editor === last || (editor.document === last?.document && editor.viewColumn === last.viewColumn),
    );
  }

  /** Inserts at the cursor as one step of undo. @returns false when there is no editor, or it takes no edits. */
  async insert(text: string): Promise<boolean> {
    const editor = this.current;
    if (editor === undefined) {
      return false;
    }
    const isDone = await editor.edit((edit) => edit.insert(editor.selection.active, text));
    if (isDone) {
      await focusEditor(editor);
    }
    return isDone;
  }

  /** Replaces a range as one step of undo. @returns false when that editor takes no edits. */
  async replace(editor: vscode.TextEditor, range: vscode.Range, text: string): Promise<boolean> {
    const isDone = await editor.edit((edit) => edit.replace(range, text));
    if (isDone) {
      await focusEditor(editor);
    }
    return isDone;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** Gives the focus back. An editor inside a diff has no column; showing its document would replace the diff. */
async function focusEditor({ document, viewColumn }: vscode.TextEditor): Promise<void> {
  if (viewColumn === undefined) {
    await vscode.commands.executeCommand('workbench.action.focusPreviousGroup');
  } else {
    await vscode.window.showTextDocument(document, viewColumn);
  }
}

/** VS Code counts the output panel as a text editor, and what this extension itself shows: proposals and requests. */
function codeEditor(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  const scheme = editor?.document.uri.scheme;
  return scheme === 'output' || scheme === changeScheme || scheme === requestScheme ? undefined : editor;
}
