import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { fenceWords } from '../../core/base/fencedCode.ts';
import { cellSource } from '../../core/chat/context/cellText.ts';
import { linesText } from '../../core/chat/context/contextText.ts';
import { isCode } from '../../core/chat/context/prompt.ts';
import { turnsTo } from '../../core/chat/conversation/branches.ts';
import { type Conversation, isRunning, type Turn } from '../../core/chat/conversation/conversation.ts';
import { applyHunks } from '../../core/chat/edits/applyHunks.ts';
import {
  type CodePlace,
  codeTargets,
  contextsFor,
  lineBefore,
  linesOf,
  normalizePlace,
  type SelectedCode,
  wholeLines,
} from '../../core/chat/edits/codeTarget.ts';
import { fitCode } from '../../core/chat/edits/fitCode.ts';
import { findCode, locateCode, locateInFile } from '../../core/chat/edits/locateCode.ts';
import { findOmission } from '../../core/chat/edits/omission.ts';
import {
  type FileEdit,
  isSettingsPath,
  pathProblem,
  readBlock,
  withoutPathLine,
} from '../../core/chat/edits/readBlock.ts';
import type { Masks } from '../../core/chat/masking/masks.ts';
import type { BlockFiles, PanelMessage } from '../../protocol/protocol.ts';
import { type LastEditor, nameOf } from '../ui/lastEditor.ts';
import { isConfirmed, showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { pickOne } from '../ui/quickPick.ts';
import { fileOfOldVersion, selectedCode } from './fileContexts.ts';
import { contextFile, foundPaths, namedFile, newFileUri, pathInFolder } from './filePlaces.ts';
import { findCell, isCell, isNotebookPath, notebookText } from './notebookCells.ts';
import { type Change, type Proposal, type ProposedChanges, rangeOf } from './proposedChanges.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

export type UseCodeDeps = {
  readonly lastEditor: LastEditor;
  readonly changes: ProposedChanges;
  readonly files: WorkspaceFiles;
  readonly masks: Pick<Masks, 'otherFile' | 'restore'>;
  /** The column of the conversation; files are shown in another one. */
  readonly panelColumn: vscode.ViewColumn | undefined;
};

type UseCode = Extract<PanelMessage, { type: 'useCode' }>;

/** Runs an action of the panel on a code block of a reply. */
export async function useCode(shown: UseCode, conversation: Conversation, deps: UseCodeDeps): Promise<void> {
  const turn = conversation.turns.find(({ replies }) => replies.some(({ id }) => id === shown.replyId));
  const reply = turn?.replies.find(({ id }) => id === shown.replyId);
  if (turn === undefined || reply === undefined) {
    return;
  }
  const lead = [reply.text, reply.reasoning]
    .map((text) => lineBefore(text, shown.text, shown.block))
    .find((line) => line !== undefined);
  if (isRunning(reply) && lead === undefined) {
    void showInformationMessage(l10n.t("This code is still arriving. Try again when it's complete."));
    return;
  }
  // The panel leaves placeholders in web addresses.
  const request = { ...shown, text: deps.masks.restore(shown.text) };
  switch (request.action) {
    case 'insert':
      return insert(request.text, deps);
    case 'replace':
      return replace(request.text, deps);
    case 'newFile':
    case 'apply': {
      const contexts = contextsFor(turnsTo(conversation, turn.id), turn.id);
      const edits = editsIn(request, lead ?? '');
      const proposals = (typeof edits === 'string' ? [] : edits).map((edit, index): Apply => {
        const about = { conversation: conversation.id, from: request, part: index, model: reply.model };
        return { about, edit, request, turn, contexts, deps };
      });
      if (request.action === 'newFile') {
        return newFileNamed(proposals, request, deps);
      }
      if (typeof edits === 'string') {
        void showWarningMessage(edits);
      }
      for (const proposal of proposals) {
        await apply(proposal);
      }
      return;
    }
    default:
      return request.action satisfies never;
  }
}

/** What a block proposes, see `readBlock`, for files with their paths in the workspace. */
function editsIn({ fence, text }: Pick<UseCode, 'fence' | 'text'>, lead: string): readonly FileEdit[] | string {
  const edits = readBlock(fence, text, lead);
  return typeof edits === 'string'
    ? edits
    : edits.map((edit) => ({ ...edit, path: edit.path && pathInFolder(edit.path) }));
}

/** Finds the code blocks of an answer that name files inside the workspace; none if fewer than two do. */
export async function filesOf(
  { replyId, blocks }: Extract<PanelMessage, { type: 'findFiles' }>,
  { turns }: Conversation,
  files: WorkspaceFiles,
): Promise<readonly BlockFiles[]> {
  const answer = turns.flatMap(({ replies }) => replies).find(({ id }) => id === replyId)?.text ?? '';
  const named = blocks.flatMap(({ block, fence, text }) => {
    const lead = lineBefore(answer, text, block);
    const edits = lead === undefined ? [] : editsIn({ fence, text }, lead);
    const paths = typeof edits === 'string' ? [] : edits.flatMap(({ path }) => path ?? []);
    const isInside = paths.length > 0 && paths.every((path) => pathProblem(path) === undefined);
    return isInside ? [{ block, paths: [...new Set(paths)] }] : [];
  });
  if (named.length < 2) {
    return [];
  }
  const found = new Set(await foundPaths([...new Set(named.flatMap(({ paths }) => paths))], files));
  return named.map(({ block, paths }) => ({
    block,
    files: paths.map((path) => ({ path, isNew: !found.has(path) })),
  }));
}

/** Proposes the changes of several code blocks, one after another: each may ask something. */
export async function applyFiles(
  { replyId, blocks }: Extract<PanelMessage, { type: 'applyFiles' }>,
  conversation: Conversation,
  deps: UseCodeDeps,
): Promise<void> {
  for (const block of blocks) {
    await useCode({ type: 'useCode', action: 'apply', replyId, ...block }, conversation, deps);
  }
}

async function insert(text: string, { lastEditor, masks }: UseCodeDeps): Promise<void> {
  const document = lastEditor.current?.document;
  if (isNotebookFile(document)) {
    return;
  }
  if (document && !(await mayGet(document.uri, text, masks))) {
    return;
  }
  if (!(await lastEditor.insert(text))) {
    void showWarningMessage(l10n.t("There's no editor to insert into. Open a file beside the panel and insert again."));
  }
}

/** Whether a masked value in the code may get into a file. The person is asked when it is from another file. */
async function mayGet(file: vscode.Uri, code: string, masks: UseCodeDeps['masks']): Promise<boolean> {
  const name = vscode.workspace.asRelativePath(file);
  const from = masks.otherFile(code, name);
  const question = l10n.t('This code contains a masked value from {0}. Put it into {1}?', from ?? '', name);
  return from === undefined || isConfirmed(question, l10n.t('Continue'));
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
    void showInformationMessage(l10n.t('Nothing is selected in {0}.', nameOf(document.uri)));
    return;
  }
  if (isIncomplete(text, document.languageId, document.getText(), nameOf(document.uri))) {
    return;
  }
  if (!(await mayGet(document.uri, text, deps.masks))) {
    return;
  }
  const { start, end } = selection;
  const selected = {
    startLine: start.line,
    startCharacter: start.character,
    endLine: end.line,
    endCharacter: end.character,
  };
  const { place, code } = fitted(document, selected, text, document.getText(selection));
  if (!(await deps.lastEditor.replace(editor, rangeOf(place), code))) {
    void showErrorMessage(l10n.t("{0} can't be edited. Nothing was changed.", nameOf(document.uri)));
  }
}

/** The name of the language in the info string of a fence. */
function fenceWord(fence: string): string {
  return fenceWords(fence)[0] ?? '';
}

/** Proposes a new file at the path that the answer names; otherwise opens one without a path. */
async function newFileNamed(proposals: readonly Apply[], request: UseCode, deps: UseCodeDeps): Promise<void> {
  const [proposal] = proposals;
  const edit = proposals.length === 1 ? proposal?.edit : undefined;
  const [path, code] = [edit?.path, edit && newText(edit)];
  if (
    proposal === undefined ||
    path === undefined ||
    code === undefined ||
    pathProblem(path) !== undefined ||
    isNotebookPath(path) ||
    findOmission(code, fenceWord(request.fence), '') !== undefined ||
    (await namedFile(path, deps.files)) !== undefined
  ) {
    return newFile(request, deps);
  }
  return proposeNew(proposal, path);
}

async function newFile({ fence, text }: UseCode, deps: UseCodeDeps): Promise<void> {
  const language = languageOf(fenceWord(fence));
  const document = await vscode.workspace.openTextDocument({ language, content: text === '' ? '' : `${text}\n` });
  await vscode.window.showTextDocument(document, {
    viewColumn: deps.lastEditor.fileColumn(deps.panelColumn),
    preview: false,
  });
}

/** A language that an extension brings, as its manifest describes it. */
const contributed = z.object({
  id: z.string(),
  aliases: z.optional(z.array(z.string())),
  extensions: z.optional(z.array(z.string())),
});

/** VS Code's id for the language of a fence: it is the id, another name of the language, or an ending of its files. */
function languageOf(name: string): string {
  // Names that models use and no language has.
  const word = name
    .toLowerCase()
    .replace(/^(?:shell|console)$/, 'sh')
    .replace(/^golang$/, 'go');
  const languages = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const all: unknown = packageJSON?.contributes?.languages;
    return Array.isArray(all) ? all.flatMap((each) => z.safeParse(contributed, each).data ?? []) : [];
  });
  const named = languages.find(({ id, aliases = [], extensions = [] }) =>
    [id, ...aliases, ...extensions.map((ending) => ending.slice(1))].some((name) => name.toLowerCase() === word),
  );
  return named?.id ?? 'plaintext';
}

type Apply = {
  readonly about: Omit<Proposal, 'file' | 'make'>;
  readonly edit: FileEdit;
  readonly request: UseCode;
  readonly turn: Turn;
  /** The code that the question is about. */
  readonly contexts: readonly SelectedCode[];
  readonly deps: UseCodeDeps;
};

/** Proposes what a code block changes in one file: the one that the answer names, otherwise that of the question. */
async function apply(all: Apply): Promise<void> {
  const { edit, contexts, deps, turn } = all;
  const { path } = edit;
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem !== undefined) {
    void showWarningMessage(problem);
    return;
  }
  const editor = deps.lastEditor.current;
  const shown = editor && (fileOfOldVersion(editor.document) ?? editor.document.uri);
  const targets = path === undefined ? contexts : codeTargets(contexts, path);
  if (path !== undefined && targets.length === 0) {
    const file = await namedFile(path, deps.files);
    if (file === undefined) {
      await proposeNew(all, path);
    } else if (file !== 'none') {
      const isSelected = editor?.document.uri.toString() === file.toString() && !editor.selection.isEmpty;
      await propose(all, file, isSelected ? selectedIn(editor) : undefined);
    }
    return;
  }
  // For a question without code, the current selection is the target; otherwise the code of an earlier question.
  if (path === undefined && !turn.contexts.some(isCode) && shown && !editor.selection.isEmpty) {
    await propose(all, shown, selectedIn(editor));
    return;
  }
  if (targets.length === 0) {
    await offerFile(l10n.t('This question included no code from a file.'), all, shown);
    return;
  }
  const files = [...new Map(targets.map((target) => [`${target.path} ${target.cell}`, target])).values()];
  const chosen = await chooseTarget(edit.hunks ? files : targets);
  if (chosen === undefined) {
    return;
  }
  const target = chosen.kind === 'cell' ? { ...chosen, text: cellSource(chosen.text) } : chosen;
  if (isNotebookPath(target.path)) {
    const cell = isNotebookJson(all.request.text) ? undefined : await findCell(target);
    if (cell === undefined) {
      void showWarningMessage(notebookText(target.path));
      return;
    }
    await propose(all, cell.document.uri, target);
    return;
  }
  const document = await contextFile(target);
  if (document === undefined) {
    await offerFile(l10n.t("{0} isn't in this workspace.", target.path), all);
    return;
  }
  await propose(all, document.uri, target);
}

/** The code of the first selection. */
function selectedIn({ document, selection }: vscode.TextEditor): SelectedCode | undefined {
  return selectedCode({ document, selections: [selection] })[0];
}

/** Says why it isn't known where code belongs. Offers a new file, and to compare it with one that may be meant. */
async function offerFile(reason: string, all: Apply, file?: vscode.Uri): Promise<void> {
  const [compare, create] = [file && l10n.t('Compare with {0}', nameOf(file)), l10n.t('New File')];
  const answer = await showInformationMessage(reason, ...(compare === undefined ? [] : [compare]), create);
  if (answer === create) {
    await newFile(all.request, all.deps);
  } else if (file && answer === compare) {
    await propose(all, file, undefined);
  }
}

/** Shows the change of a file that exists. @param target the lines to replace; undefined to find them by the code. */
async function propose(all: Apply, file: vscode.Uri, target: SelectedCode | undefined): Promise<void> {
  const { edit, deps } = all;
  const document = await vscode.workspace.openTextDocument(file);
  if (!isNotebookFile(document) && (await mayChange(file, proposedCode(edit), deps))) {
    await show(all, file, (current) => changeFor(current, target, edit));
  }
}

/** Shows a file that an answer proposes. Only *Accept* creates it. */
async function proposeNew(all: Apply, path: string): Promise<void> {
  const { edit, request, contexts, deps } = all;
  const file = await newFileUri(path, contexts);
  const code = newText(edit);
  if (file === undefined) {
    await offerFile(l10n.t('No folder is open in which {0} could be created.', path), all);
  } else if (code === undefined) {
    void showWarningMessage(l10n.t("{0} isn't in this workspace.", path));
  } else if (isNotebookPath(path)) {
    void showWarningMessage(notebookText(path));
  } else if (!isIncomplete(code, fenceWord(request.fence), '', path) && (await mayChange(file, code, deps))) {
    await show(all, file, `${withoutPathLine(code, '').trimEnd()}\n`);
  }
}

function show({ about, deps }: Apply, file: vscode.Uri, make: Proposal['make']): Promise<void> {
  return deps.changes.propose({ ...about, file, make }, deps.lastEditor.fileColumn(deps.panelColumn));
}

/** The text of a file that an edit creates; undefined if it changes lines of one that exists. */
function newText({ code, hunks }: FileEdit): string | undefined {
  return hunks?.every(({ search }) => search.trim() === '') ? hunks[0]?.replace : code;
}

function proposedCode({ code, hunks }: FileEdit): string {
  return code ?? hunks?.map(({ replace: text }) => text).join('\n') ?? '';
}

/** Whether a file is in the workspace, or is open without being in it. Says so if a link leads out of the workspace. */
export async function isWithin(file: vscode.Uri, files: UseCodeDeps['files']): Promise<boolean> {
  const { outside } = await files.follow(file);
  if (outside !== undefined) {
    const name = vscode.workspace.asRelativePath(file);
    void showWarningMessage(l10n.t('{0} leads out of the workspace by a link. Nothing was changed.', name));
  }
  return outside === undefined;
}

/** Whether a file may be changed: it is in the workspace or open, and the person agrees if it sets how VS Code works. */
export async function mayChange(
  file: vscode.Uri,
  code: string,
  deps: Pick<UseCodeDeps, 'files' | 'masks'>,
): Promise<boolean> {
  const name = vscode.workspace.asRelativePath(file);
  if (!(await isWithin(file, deps.files))) {
    return false;
  }
  if (!(await mayGet(file, code, deps.masks))) {
    return false;
  }
  if (!isSettingsPath(name)) {
    return true;
  }
  const detail = l10n.t('It can make VS Code run commands. Check every line before you accept the change.');
  return isConfirmed(l10n.t('{0} sets how VS Code works in this workspace.', name), l10n.t('Show Changes'), detail);
}

/** Whether code has a line that stands for what it leaves out. Shows the reason then. */
function isIncomplete(code: string, language: string, known: string, name: string): boolean {
  const line = findOmission(code, language, known);
  if (line !== undefined) {
    void showWarningMessage(
      l10n.t(
        'This code leaves out parts of {0}: "{1}". Nothing was changed, because those parts would be lost. Ask for the complete code.',
        name,
        line.slice(0, 80),
      ),
    );
  }
  return line !== undefined;
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

function chooseTarget(targets: readonly SelectedCode[]): Promise<SelectedCode | undefined> {
  const row = (target: SelectedCode) => ({
    label: target.path,
    description: placeText(target),
    detail: target.text.trim().split(/\r?\n/)[0] ?? '',
  });
  return pickOne(targets, row, l10n.t('Select the Code to Replace'));
}

/** Finds the place of the code in the file as it is now. Uses an uncertain place only if the person agrees. */
async function changeFor(
  document: vscode.TextDocument,
  target: SelectedCode | undefined,
  edit: FileEdit,
): Promise<Change | undefined> {
  const file = document.getText();
  const name = nameOf(document.uri);
  const proposed = proposedCode(edit);
  if (isIncomplete(proposed, document.languageId, file, name)) {
    return undefined;
  }
  if (edit.hunks) {
    const change = applyHunks(file, edit.hunks, name);
    if (typeof change !== 'string') {
      return change;
    }
    void showWarningMessage(change);
    return undefined;
  }
  const text = withoutPathLine(proposed, file);
  if (target === undefined) {
    const at = locateInFile(file, text);
    const reason = l10n.t("It isn't clear which lines of {0} this code replaces.", name);
    const detail = l10n.t('To replace only some lines, select them in the file and apply again.');
    const isWhole = at === undefined && (await isConfirmed(reason, l10n.t('Compare with Whole File'), detail));
    const place = at ?? (isWhole ? wholeLines(linesOf(file), 0, document.lineCount - 1) : undefined);
    return place && fitted(document, place, text, '');
  }
  const found = findCode(file, target);
  if (found) {
    return fitted(document, locateCode(file, found, text), text, target.text);
  }
  // A single line may occur in many places.
  if (text.trim().includes('\n') && findCode(document.getText(), { text, startLine: target.startLine })) {
    void showInformationMessage(l10n.t('{0} already contains this code.', name));
    return undefined;
  }
  if (target.isOld) {
    void showWarningMessage(
      l10n.t(
        'The code of this question is from an old version of {0} and is no longer in it. Select the lines to replace, then apply again.',
        name,
      ),
    );
    return undefined;
  }
  const lines = await askForLines(document, target);
  const replaced = lines && document.getText(rangeOf(lines));
  return lines && fitted(document, locateCode(document.getText(), lines, text), text, replaced ?? '');
}

/** Asks whether code replaces the old lines of a question, because its text isn't there any more. */
export async function askForLines(
  document: vscode.TextDocument,
  target: Pick<SelectedCode, 'startLine' | 'endLine'>,
): Promise<CodePlace | undefined> {
  const name = nameOf(document.uri);
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
  const reason = l10n.t('The code from this question was changed or removed in {0}.', name);
  const detail = l10n.t('The file stays unchanged until you accept the change in the comparison.');
  if (!(await isConfirmed(reason, action, detail))) {
    return undefined;
  }
  const last = Math.min(target.endLine, document.lineCount) - 1;
  return wholeLines(linesOf(document.getText()), target.startLine - 1, last);
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
