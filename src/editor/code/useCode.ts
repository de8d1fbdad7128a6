import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cellSource } from '../../core/chat/context/cellText.ts';
import { isCode } from '../../core/chat/context/prompt.ts';
import { turnsTo } from '../../core/chat/conversation/branches.ts';
import { type Conversation, isRunning, type Turn } from '../../core/chat/conversation/conversation.ts';
import { type CodePlace, linesOf, normalizePlace } from '../../core/chat/edits/codePlace.ts';
import { codeTargets, contextsFor, hasWholeBlock, type SelectedCode } from '../../core/chat/edits/codeTarget.ts';
import { fenceLanguage } from '../../core/chat/edits/fenceLanguage.ts';
import { findCode } from '../../core/chat/edits/findCode.ts';
import { fitCode } from '../../core/chat/edits/fitCode.ts';
import { locateCode } from '../../core/chat/edits/locateCode.ts';
import type { PanelMessage } from '../../protocol/messages.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { showQuickPick } from '../ui/quickPick.ts';
import { contextFile } from './contextFile.ts';
import { linesText } from './contextLine.ts';
import { fileColumn } from './fileColumn.ts';
import { findCell, isCell, isNotebookPath, notebookText } from './notebookCells.ts';
import type { Change, ProposedChanges } from './proposedChanges.ts';

export type CodePorts = {
  readonly lastEditor: LastEditor;
  /** Loaded when the first change is proposed. */
  readonly changes: () => Promise<ProposedChanges>;
};

type UseCodeDeps = CodePorts & {
  /** The column of the conversation; files are shown in another one. */
  readonly panelColumn: vscode.ViewColumn | undefined;
};

type UseCode = Extract<PanelMessage, { type: 'useCode' }>;

/** Runs an action of the panel on a code block of a reply. */
export async function useCode(request: UseCode, conversation: Conversation, deps: UseCodeDeps): Promise<void> {
  const turn = conversation.turns.find(({ replies }) => replies.some(({ id }) => id === request.replyId));
  const reply = turn?.replies.find(({ id }) => id === request.replyId);
  if (turn === undefined || reply === undefined) {
    return;
  }
  if (isRunning(reply) && ![reply.text, reply.reasoning].some((text) => hasWholeBlock(text, request.text))) {
    void showInformationMessage(l10n.t("This code is still arriving. Try again when it's complete."));
    return;
  }
  switch (request.action) {
    case 'insert':
      return insert(request.text, deps);
    case 'replace':
      return replace(request.text, deps);
    case 'newFile':
      return newFile(request, deps);
    case 'apply':
      return apply(request, reply.model, turn, conversation, deps);
    default:
      return request.action satisfies never;
  }
}

async function insert(text: string, { lastEditor }: UseCodeDeps): Promise<void> {
  if (isNotebookFile(lastEditor.current?.document)) {
    return;
  }
  if (!(await lastEditor.insert(text))) {
    void showWarningMessage(l10n.t("There's no editor to insert into. Open a file beside the panel and insert again."));
  }
}

async function replace(text: string, deps: UseCodeDeps): Promise<void> {
  const editor = deps.lastEditor.current;
  if (editor === undefined) {
    void showWarningMessage(
      l10n.t("There's no editor with a selection. Open a file beside the panel and select the code to replace."),
    );
    return;
  }
  const { document, selection } = editor;
  if (isNotebookFile(document)) {
    return;
  }
  if (selection.isEmpty) {
    const action = l10n.t('Insert at Cursor');
    if (
      (await showInformationMessage(l10n.t('Nothing is selected in {0}.', nameOf(document.uri)), action)) === action
    ) {
      await insert(text, deps);
    }
    return;
  }
  const { place, code } = fitted(document, placeOf(selection), text, document.getText(selection));
  if (!(await deps.lastEditor.replace(editor, rangeOf(place), code))) {
    void showErrorMessage(l10n.t("{0} can't be edited. Nothing was changed.", nameOf(document.uri)));
  }
}

async function newFile({ fence, text }: UseCode, deps: UseCodeDeps): Promise<void> {
  const [word = ''] = fence.split(/[\s:{,]+/);
  const language = fenceLanguage(word, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ language, content: text === '' ? '' : `${text}\n` });
  await vscode.window.showTextDocument(document, {
    viewColumn: fileColumn(deps.lastEditor, deps.panelColumn),
    preview: false,
  });
}

async function apply(
  request: UseCode,
  model: string,
  turn: Turn,
  conversation: Conversation,
  deps: UseCodeDeps,
): Promise<void> {
  const propose = async (file: vscode.Uri, target: SelectedCode) => {
    const id = `${request.replyId}.${request.block}`;
    const make = (current: vscode.TextDocument) => changeFor(current, target, request.text);
    const changes = await deps.changes();
    await changes.propose({ id, file, model, make }, fileColumn(deps.lastEditor, deps.panelColumn));
  };
  const editor = deps.lastEditor.current;
  // For a question without code, the current selection is the target; otherwise the code of an earlier question.
  if (!turn.contexts.some(isCode) && editor?.selection.isEmpty === false) {
    const { document, selection } = editor;
    if (isNotebookFile(document)) {
      return;
    }
    await propose(document.uri, {
      path: nameOf(document.uri),
      languageId: document.languageId,
      startLine: selection.start.line + 1,
      endLine: selection.end.line + 1,
      text: document.getText(selection),
    });
    return;
  }
  const targets = codeTargets(contextsFor(turnsTo(conversation, turn.id), turn.id), request.fence);
  if (targets.length === 0) {
    const reason = l10n.t('This question included no code from a file. Select the code to replace, then apply again.');
    await offerNewFile(reason, request, deps);
    return;
  }
  const chosen = await chooseTarget(targets);
  if (chosen === undefined) {
    return;
  }
  const target = chosen.kind === 'cell' ? { ...chosen, text: cellSource(chosen.text) } : chosen;
  if (isNotebookPath(target.path)) {
    const cell = isNotebookJson(request.text) ? undefined : await findCell(target);
    if (cell === undefined) {
      void showWarningMessage(notebookText(target.path));
      return;
    }
    await propose(cell.document.uri, target);
    return;
  }
  const document = await contextFile(target);
  if (document === undefined) {
    await offerNewFile(l10n.t("{0} isn't in this workspace.", target.path), request, deps);
    return;
  }
  await propose(document.uri, target);
}

/** Whether a document is the text of a notebook's file. Shows the reason then. */
function isNotebookFile(document: vscode.TextDocument | undefined): boolean {
  const isFile = document !== undefined && isNotebookPath(document.uri.path) && !isCell(document);
  if (isFile) {
    void showWarningMessage(notebookText(nameOf(document.uri)));
  }
  return isFile;
}

/** Whether a text is that of a notebook's file. */
function isNotebookJson(text: string): boolean {
  return /^\s*\{[\s\S]*"(?:cells|nbformat)"\s*:/.test(text);
}

async function offerNewFile(reason: string, request: UseCode, deps: UseCodeDeps): Promise<void> {
  const action = l10n.t('New File');
  if ((await showInformationMessage(reason, action)) === action) {
    await newFile(request, deps);
  }
}

async function chooseTarget(targets: readonly SelectedCode[]): Promise<SelectedCode | undefined> {
  if (targets.length === 1) {
    return targets[0];
  }
  const items = targets.map((target) => ({
    label: target.path,
    description: placeText(target),
    detail: target.text.trim().split(/\r?\n/)[0] ?? '',
    target,
  }));
  return (await showQuickPick(items, l10n.t('Select the Code to Replace')))?.target;
}

/** Finds the place of the code in the file as it is now. Uses the old line numbers only if the person agrees. */
async function changeFor(
  document: vscode.TextDocument,
  target: SelectedCode,
  text: string,
): Promise<Change | undefined> {
  const found = findCode(document.getText(), target);
  if (found) {
    return fitted(document, locateCode(document.getText(), found, text), text, target.text);
  }
  const name = nameOf(document.uri);
  // A single line may occur in many places.
  if (text.trim().includes('\n') && findCode(document.getText(), { text, startLine: target.startLine })) {
    void showInformationMessage(l10n.t('{0} already contains this code.', name));
    return undefined;
  }
  if (target.startLine > document.lineCount) {
    void showInformationMessage(
      l10n.t('The code from this question is no longer in {0}. Insert the answer where it belongs instead.', name),
    );
    return undefined;
  }
  const action =
    target.startLine === target.endLine
      ? l10n.t('Compare with Line {0}', target.startLine)
      : l10n.t('Compare with Lines {0}–{1}', target.startLine, target.endLine);
  const answer = await showWarningMessage(
    l10n.t('The code from this question was changed or removed in {0}.', name),
    { modal: true, detail: l10n.t('The file stays unchanged until you accept the change in the comparison.') },
    action,
  );
  if (answer !== action) {
    return undefined;
  }
  const end = document.lineAt(Math.min(target.endLine, document.lineCount) - 1).range.end;
  const lines = new vscode.Range(new vscode.Position(target.startLine - 1, 0), end);
  return fitted(document, locateCode(document.getText(), placeOf(lines), text), text, document.getText(lines));
}

/** The change that puts a text at a place, with the indentation and line breaks of the code there. */
function fitted(document: vscode.TextDocument, at: CodePlace, text: string, selected: string): Change {
  const file = document.getText();
  const place = normalizePlace(linesOf(file), at);
  return { place, code: fitCode(file, place, text, selected) };
}

function placeText(target: SelectedCode): string {
  switch (target.kind) {
    case 'file':
      return l10n.t('whole file');
    case 'symbol':
      return [target.name ?? '', linesText([target])].join(' · ');
    default:
      return [...(target.cell === undefined ? [] : [l10n.t('cell {0}', target.cell)]), linesText([target])].join(' · ');
  }
}

function nameOf({ path }: vscode.Uri): string {
  return path.split('/').at(-1) || path;
}

function placeOf({ start, end }: vscode.Range): CodePlace {
  return {
    startLine: start.line,
    startCharacter: start.character,
    endLine: end.line,
    endCharacter: end.character,
  };
}

function rangeOf({ startLine, startCharacter, endLine, endCharacter }: CodePlace): vscode.Range {
  return new vscode.Range(startLine, startCharacter, endLine, endCharacter);
}
