import * as vscode from 'vscode';

/** The URI scheme of documents that show the proposed version of a file. */
export const changeScheme = 'ask-model-change';
/** The URI scheme of the documents that *Show Request* opens. */
export const requestScheme = 'ask-model-request';

/** How long after the last look at an action its command may come. */
const chosenMs = 1_000;

/**
 * The text editor that was active last. VS Code has no active text editor while a panel has the focus, but that is when
 * the person inserts code or adds a selection.
 */
export class LastEditor implements vscode.Disposable {
  #last = codeEditor(vscode.window.activeTextEditor);
  readonly #listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
    this.#last = codeEditor(editor) ?? this.#last;
  });

  /** The editor; undefined when it is no longer visible. */
  get current(): vscode.TextEditor | undefined {
    const last = codeEditor(vscode.window.activeTextEditor) ?? this.#last;
    return vscode.window.visibleTextEditors.find(
      (editor) => editor === last || (editor.document === last?.document && editor.viewColumn === last.viewColumn),
    );
  }

  /** Problems that an action was chosen for. VS Code says so just before it runs the command of the action. */
  #chosen: { readonly uri: vscode.Uri; readonly ranges: readonly vscode.Range[]; readonly at: number } | undefined;

  chooseProblems(uri: vscode.Uri, ranges: readonly vscode.Range[]): void {
    this.#chosen = { uri, ranges, at: Date.now() };
  }

  /** The problems of the action whose command runs; undefined if the command runs without one. */
  takeProblems(): { readonly uri: vscode.Uri; readonly ranges: readonly vscode.Range[] } | undefined {
    const chosen = this.#chosen;
    this.#chosen = undefined;
    return chosen && Date.now() - chosen.at < chosenMs ? chosen : undefined;
  }

  /** The column to show files in: that of the editor, otherwise one beside the panel. */
  fileColumn(panelColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
    const beside = panelColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
    return this.current?.viewColumn ?? beside;
  }

  /**
   * Inserts a text at the cursor as one undo step. Its lines get the indentation of the line of the cursor in place of the
   * one that all of them have.
   *
   * @returns false when there is no editor, or it rejects the edit.
   */
  async insert(text: string): Promise<boolean> {
    const editor = this.current;
    if (editor === undefined) {
      return false;
    }
    const { active } = editor.selection;
    const [indent] = /^[ \t]*/.exec(editor.document.lineAt(active).text.slice(0, active.character)) ?? [];
    const lines = text.split('\n');
    const own = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
    const margin = indent === '' ? 0 : own.reduce((least, width) => Math.min(least, width), text.length);
    const indented = lines.map((line, at) => (at === 0 || line.trim() === '' ? '' : indent) + line.slice(margin));
    return change(editor, (builder) => builder.insert(active, indented.join('\n')));
  }

  /** Replaces a range as one undo step. @returns false when the editor rejects the edit. */
  replace(editor: vscode.TextEditor, range: vscode.Range, text: string): Promise<boolean> {
    return change(editor, (builder) => builder.replace(range, text));
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

async function change(editor: vscode.TextEditor, edit: (builder: vscode.TextEditorEdit) => void): Promise<boolean> {
  const { document, viewColumn } = editor;
  const isDone = await editor.edit(edit);
  // An editor inside a diff has no column, and `showTextDocument` would replace the diff.
  if (isDone && viewColumn !== undefined) {
    await vscode.window.showTextDocument(document, viewColumn);
  }
  return isDone;
}

/** Excludes text editors that are not code: the output panel, and this extension's own documents. */
function codeEditor(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  const scheme = editor?.document.uri.scheme;
  return scheme === 'output' || scheme === changeScheme || scheme === requestScheme ? undefined : editor;
}

/** The path relative to the workspace. Outside of it only the file name, since a full path may reveal private names. */
export function shownPath(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  }
  return nameOf(uri);
}

/** The name of a file or folder. */
export function nameOf({ path }: vscode.Uri): string {
  return path.split('/').at(-1) || path;
}

/** Resolves to undefined when nothing has come after `limitMs`. A language server that is still starting takes seconds. */
export function inTime<T>(limitMs: number, coming: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined);
  });
  return Promise.race([coming, late]).finally(() => clearTimeout(timer));
}

/** Where a context is, for `CodeContext`. Without an address if it's in no file: others get the name `Untitled-1` too. */
export function pathAndUri(uri: vscode.Uri): { path: string; uri: string | undefined } {
  return { path: shownPath(uri), uri: uri.scheme === 'untitled' ? undefined : uri.toString() };
}
