import * as vscode from 'vscode';
import { isCode } from '../../core/chat/context/prompt.ts';
import { turnsTo } from '../../core/chat/conversation/branches.ts';
import { type Conversation, isRunning, type Turn } from '../../core/chat/conversation/conversation.ts';
import { aimCode } from '../../core/chat/edits/aimCode.ts';
import { type CodePlace, linesOf, settlePlace } from '../../core/chat/edits/codePlace.ts';
import { codeTargets, contextsFor, hasWholeBlock, type SelectedCode } from '../../core/chat/edits/codeTarget.ts';
import { fenceLanguage } from '../../core/chat/edits/fenceLanguage.ts';
import { findCode } from '../../core/chat/edits/findCode.ts';
import { fitCode } from '../../core/chat/edits/fitCode.ts';
import type { PanelMessage } from '../../protocol.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { showQuickPick } from '../ui/quickPick.ts';
import { contextFile } from './contextFile.ts';
import { fileColumn } from './fileColumn.ts';
import type { Change, ProposedChanges } from './proposedChanges.ts';

export type CodePorts = {
  readonly lastEditor: LastEditor;
  /** Loaded with the first change. */
  readonly changes: () => Promise<ProposedChanges>;
};

type UseCodeDeps = CodePorts & {
  /** Where the conversation is: files are shown elsewhere. */
  readonly panelColumn: vscode.ViewColumn | undefined;
};

type UseCode = Extract<PanelMessage, { type: 'useCode' }>;

/** Does what a person wants with a block of code of a reply. */
export async function useCode(wish: UseCode, conversation: Conversation, deps: UseCodeDeps): Promise<void> {
  const turn = conversation.turns.find(({ replies }) => replies.some(({ id }) => id === wish.replyId));
  const reply = turn?.replies.find(({ id }) => id === wish.replyId);
  if (turn === undefined || reply === undefined) {
    return;
  }
  if (isRunning(reply) && ![reply.text, reply.reasoning].some((text) => hasWholeBlock(text, wish.text))) {
    void showInformationMessage('This code is still arriving. Try again when all of it is there.');
    return;
  }
  switch (wish.action) {
    case 'insert':
      return insert(wish.text, deps);
    case 'replace':
      return replace(wish.text, deps);
    case 'newFile':
      return newFile(wish, deps);
    case 'apply':
      return apply(wish, reply.model, turn, conversation, deps);
    default:
      return wish.action satisfies never;
  }
}

async function insert(text: string, { lastEditor }: UseCodeDeps): Promise<void> {
  if (!(await lastEditor.insert(text))) {
    void showWarningMessage('There is no editor to insert into. Open a file beside the panel, then insert again.');
  }
}

async function replace(text: string, deps: UseCodeDeps): Promise<void> {
  const editor = deps.lastEditor.current;
  if (editor === undefined) {
    void showWarningMessage(
      'There is no editor with a selection. Open a file beside the panel and select what is to be replaced.',
    );
    return;
  }
  const { document, selection } = editor;
  if (selection.isEmpty) {
    await offerInsert(`Nothing is selected in ${nameOf(document.uri)}.`, text, deps);
    return;
  }
  const { place, code } = fitted(document, placeOf(selection), text, document.getText(selection));
  if (!(await deps.lastEditor.replace(editor, rangeOf(place), code))) {
    void showErrorMessage(`${nameOf(document.uri)} takes no edits; its selection is as it was.`);
  }
}

async function offerInsert(reason: string, text: string, deps: UseCodeDeps): Promise<void> {
  const action = 'Insert at Cursor';
  if ((await showInformationMessage(reason, action)) === action) {
    await insert(text, deps);
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
  wish: UseCode,
  model: string,
  turn: Turn,
  conversation: Conversation,
  deps: UseCodeDeps,
): Promise<void> {
  const id = `${wish.replyId}.${wish.block}`;
  // A question without code is about what is selected now, if anything is, else about the code asked about before.
  if (!turn.contexts.some(isCode) && deps.lastEditor.current?.selection.isEmpty === false) {
    await applyToSelection(wish, id, model, deps.lastEditor.current, deps);
    return;
  }
  const targets = codeTargets(contextsFor(turnsTo(conversation, turn.id), turn.id), wish.fence);
  if (targets.length === 0) {
    const reason = 'This question had no code from a file. Select what this code is to replace, then apply it again.';
    await offerNewFile(reason, wish, deps);
    return;
  }
  const target = await chooseTarget(targets);
  const document = target && (await contextFile(target));
  if (target === undefined) {
    return;
  }
  if (document === undefined) {
    await offerNewFile(`${target.path} is not in this workspace any more, or was never in it.`, wish, deps);
    return;
  }
  const make = (current: vscode.TextDocument) => changeFor(current, target, wish.text);
  await (await deps.changes()).propose(
    { id, file: document.uri, model, make },
    fileColumn(deps.lastEditor, deps.panelColumn),
  );
}

async function applyToSelection(
  wish: UseCode,
  id: string,
  model: string,
  editor: vscode.TextEditor,
  deps: UseCodeDeps,
): Promise<void> {
  const { document, selection } = editor;
  const target: SelectedCode = {
    path: nameOf(document.uri),
    languageId: document.languageId,
    startLine: selection.start.line + 1,
    endLine: selection.end.line + 1,
    text: document.getText(selection),
  };
  const make = (current: vscode.TextDocument) => changeFor(current, target, wish.text);
  await (await deps.changes()).propose(
    { id, file: document.uri, model, make },
    fileColumn(deps.lastEditor, deps.panelColumn),
  );
}

async function offerNewFile(reason: string, wish: UseCode, deps: UseCodeDeps): Promise<void> {
  const action = 'New File';
  if ((await showInformationMessage(reason, action)) === action) {
    await newFile(wish, deps);
  }
}

async function chooseTarget(targets: readonly SelectedCode[]): Promise<SelectedCode | undefined> {
  if (targets.length === 1) {
    return targets[0];
  }
  const items = targets.map((target) => ({
    label: target.path,
    description: placeSaid(target),
    detail: target.text.trim().split(/\r?\n/)[0] ?? '',
    target,
  }));
  const title = targets.some(({ kind }) => kind === 'file' || kind === 'symbol')
    ? 'What Does This Code Replace?'
    : 'Which Selection Does This Code Replace?';
  return (await showQuickPick(items, title))?.target;
}

/** Where the code goes in the file as it is now. Old line numbers alone are trusted only when the person says so. */
async function changeFor(
  document: vscode.TextDocument,
  target: SelectedCode,
  text: string,
): Promise<Change | undefined> {
  const found = findCode(document.getText(), target);
  if (found) {
    return fitted(document, aimCode(document.getText(), found, text), text, target.text);
  }
  const name = nameOf(document.uri);
  // A single line may stand in many places.
  if (text.trim().includes('\n') && findCode(document.getText(), { text, startLine: target.startLine })) {
    void showInformationMessage(`${name} holds this code already.`);
    return undefined;
  }
  if (target.startLine > document.lineCount) {
    void showInformationMessage(
      `The code this question was about is not in ${name} any more. Insert the answer where it belongs now.`,
    );
    return undefined;
  }
  const action = `Compare with ${linesSaid(target, true)}`;
  const answer = await showWarningMessage(
    `The code this question was about is not in ${name} any more, or was changed there.`,
    { modal: true, detail: 'Nothing is changed before you accept it in the comparison.' },
    action,
  );
  if (answer !== action) {
    return undefined;
  }
  const end = document.lineAt(Math.min(target.endLine, document.lineCount) - 1).range.end;
  const lines = new vscode.Range(new vscode.Position(target.startLine - 1, 0), end);
  return fitted(document, aimCode(document.getText(), placeOf(lines), text), text, document.getText(lines));
}

function fitted(document: vscode.TextDocument, at: CodePlace, text: string, selected: string): Change {
  const file = document.getText();
  const place = settlePlace(linesOf(file), at);
  return { place, code: fitCode(file, place, text, selected) };
}

function linesSaid({ startLine, endLine }: SelectedCode, isAction = false): string {
  const word = isAction ? 'Line' : 'line';
  return startLine === endLine ? `${word} ${startLine}` : `${word}s ${startLine}–${endLine}`;
}

function placeSaid(target: SelectedCode): string {
  switch (target.kind) {
    case 'file':
      return 'whole file';
    case 'symbol':
      return `${target.name ?? ''}, ${linesSaid(target)}`;
    default:
      return linesSaid(target);
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
