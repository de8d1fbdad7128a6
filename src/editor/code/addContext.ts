import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText, numberText, plural, sentences } from '../../core/base/localization.ts';
import { type CodeContext, newPieces } from '../../core/chat/context/prompt.ts';
import { symbolText } from '../../core/chat/context/symbolText.ts';
import { inTime } from '../ui/inTime.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import { shownPath } from '../ui/shownPath.ts';
import { changesRows } from './contextFinder.ts';
import { linesText } from './contextLine.ts';
import { enclosingSymbolContext, fileContext, fileLimit, problemsContext, tooLargeText } from './fileContexts.ts';
import { exclusionNote } from './fileExclusion.ts';
import { detailOf, type IncludableContext } from './foundContext.ts';
import { changesProblem } from './gitChanges.ts';
import { cellRows, isCell } from './notebookCells.ts';
import { openFiles } from './openFiles.ts';
import { readFileContext } from './readFileContext.ts';
import { selectedCode } from './selection.ts';
import type { TerminalCommands } from './terminalCommands.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

export type PickContextDeps = {
  readonly lastEditor: LastEditor;
  readonly terminals: Pick<TerminalCommands, 'rows'>;
  readonly files: Pick<WorkspaceFiles, 'excluded'>;
};

/** Reads the context that a row adds; called when the row is picked. */
type Offer = () => readonly CodeContext[] | Promise<readonly CodeContext[]>;

/** How long the list waits for the enclosing symbol and for changes: short enough not to be noticed. */
const waitMs = 250;

/**
 * *Add Context*: lets the person pick context to send with the question. Of what is not picked, only as much is read as
 * its row shows: its name and its estimated tokens.
 *
 * @param attached the context that is attached already; its rows say so.
 * @returns the pieces, of one or more rows; none when the person cancelled.
 */
export async function pickContext(
  { lastEditor, terminals, files }: PickContextDeps,
  attached: readonly CodeContext[],
): Promise<readonly CodeContext[]> {
  const editor = lastEditor.current;
  const others = openFiles(editor?.document.uri);
  const found = [...changesRows(), ...terminals.rows(''), ...cellRows('')];
  if (editor === undefined && others.length === 0 && found.length === 0) {
    void showInformationMessage(l10n.t('Open a file or select code to add it as context.'));
    return [];
  }
  const selected = selectedCode(editor);
  const finding = editor && enclosingSymbolContext(editor.document, editor.selection.active);
  const first = finding && (await inTime(waitMs, finding));
  const title = plural(selected.length, l10n.t('Selection'), l10n.t('{0} Selections', numberText(selected.length)));
  const rows: Row<Offer, never>[] = [
    ...(selected.length > 0 ? [piecesRow('list-selection', title, selected, attached)] : []),
    ...(first ? [symbolRow(first, attached)] : []),
    ...(editor && !isCell(editor.document) ? [fileRow(editor.document, attached, files)] : []),
    ...(editor ? problemRows(editor, attached) : []),
    ...(await Promise.all(found.map((row) => foundRow(row, attached)))),
    ...(others.length === 0
      ? []
      : [
          {
            label: l10n.t('Other Open Files…'),
            description: numberText(others.length),
            iconPath: new vscode.ThemeIcon('files'),
            value: () => otherFiles(others, attached, files),
          },
        ]),
    ...noChangesRow(),
  ];
  const picked = await pickRow<Offer>({
    title: l10n.t('Add Context'),
    placeholder: l10n.t('Select context to include (estimated tokens)'),
    canPickMany: true,
    rows,
    ...(first === undefined &&
      finding && {
        improve: async (_, show) => {
          const late = await finding;
          if (late) {
            // At the end, so that no row moves under the pointer.
            show([...rows, symbolRow(late, attached)]);
          }
        },
      }),
  });
  const added: CodeContext[] = [];
  for (const read of picked.status === 'picked' ? picked.all : []) {
    added.push(...(await read()));
  }
  return added;
}

const icons: Readonly<Record<string, string>> = { changes: 'diff', terminal: 'terminal', cell: 'notebook' };

async function foundRow(found: IncludableContext, attached: readonly CodeContext[]): Promise<Row<Offer, never>> {
  const { kind, label, detail, size, read } = found;
  // Changes have to be read to be compared: only if the question includes some already.
  const isComparable = attached.some((each) => each.kind === kind);
  const reading = isComparable && found.pieces === undefined ? read().catch(() => undefined) : undefined;
  const pieces = found.pieces ?? (reading && (await inTime(waitMs, reading)))?.pieces ?? [];
  const isAttached = pieces.length > 0 && newPieces(pieces, attached).length === 0;
  return {
    label,
    description: detailOf(detail, size, isAttached ? l10n.t('already included') : undefined),
    iconPath: new vscode.ThemeIcon(icons[kind] ?? 'file'),
    value: async () => {
      const { pieces: added, note } = await read();
      if (note !== undefined) {
        void showInformationMessage(note);
      }
      return added;
    },
  };
}

/** A row that says why there are no changes to include. */
function noChangesRow(): Row<Offer, never>[] {
  const problem = changesProblem();
  if (problem === undefined) {
    return [];
  }
  const value = () => {
    void showInformationMessage(sentences(l10n.t("Uncommitted changes can't be included."), problem));
    return [];
  };
  return [
    { label: l10n.t('Uncommitted Changes'), description: problem, iconPath: new vscode.ThemeIcon('diff'), value },
  ];
}

function problemRows(
  { document, selections }: vscode.TextEditor,
  attached: readonly CodeContext[],
): Row<Offer, never>[] {
  const ranges = selections.filter(({ isEmpty }) => !isEmpty);
  const inSelection = ranges.length > 0 ? problemsContext(document, ranges) : undefined;
  const inFile = problemsContext(document, []);
  return [
    ...(inSelection
      ? [
          piecesRow(
            'warning',
            l10n.t('Problems in Selection ({0})', numberText(inSelection.count ?? 0)),
            [inSelection],
            attached,
          ),
        ]
      : []),
    ...(inFile
      ? [piecesRow('warning', l10n.t('Problems in File ({0})', numberText(inFile.count ?? 0)), [inFile], attached)]
      : []),
  ];
}

function symbolRow(symbol: CodeContext, attached: readonly CodeContext[]): Row<Offer, never> {
  const { symbol: word = '', name = '' } = symbol;
  const icon = ['class', 'interface', 'enum', 'namespace'].includes(word) ? `symbol-${word}` : 'symbol-method';
  return piecesRow(icon, l10n.t('Enclosing Symbol "{0}"', name), [symbol], attached, symbolText(word));
}

function fileRow(
  document: vscode.TextDocument,
  attached: readonly CodeContext[],
  files: PickContextDeps['files'],
): Row<Offer, never> {
  const whole = fileContext(document);
  const name = whole.path.split('/').at(-1) ?? whole.path;
  const units = whole.text.length;
  return units <= fileLimit
    ? {
        ...piecesRow('file', l10n.t('File "{0}"', name), [whole], attached),
        value: async () => {
          await reportExcluded([document.uri], files);
          return [whole];
        },
      }
    : {
        label: l10n.t('File "{0}"', name),
        iconPath: new vscode.ThemeIcon('file'),
        description: l10n.t('too large to include: {0} characters', numberText(units)),
        value: () => reportTooLarge(name, units),
      };
}

function piecesRow(
  icon: string,
  label: string,
  pieces: readonly CodeContext[],
  attached: readonly CodeContext[],
  ...before: readonly string[]
): Row<Offer, never> {
  const tokens = estimateTokens(pieces.map(({ text }) => text).join(''));
  const isAttached = newPieces(pieces, attached).length === 0;
  const facts = [
    ...before,
    linesText(pieces),
    estimatedTokensText(tokens),
    ...(isAttached ? [l10n.t('already included')] : []),
  ];
  return {
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: facts.join(' · '),
    value: () => pieces,
  };
}

async function otherFiles(
  uris: readonly vscode.Uri[],
  attached: readonly CodeContext[],
  files: PickContextDeps['files'],
): Promise<readonly CodeContext[]> {
  const picked = await pickRow<vscode.Uri>({
    title: l10n.t('Add Open Files'),
    placeholder: l10n.t('Select files to include in full'),
    canPickMany: true,
    rows: await Promise.all(
      uris.map(async (uri) => {
        const path = shownPath(uri);
        const text = await textOf(uri);
        const isAttached = attached.some((each) => each.kind === 'file' && each.path === path && each.text === text);
        return {
          label: path.split('/').at(-1) ?? path,
          iconPath: new vscode.ThemeIcon('file'),
          description: detailOf(
            path,
            text === undefined ? undefined : estimatedTokensText(estimateTokens(text)),
            isAttached ? l10n.t('already included') : undefined,
          ),
          value: uri,
        };
      }),
    ),
  });
  const added: CodeContext[] = [];
  const included: vscode.Uri[] = [];
  for (const uri of picked.status === 'picked' ? picked.all : []) {
    const { pieces, note } = await readFileContext(uri);
    added.push(...pieces);
    included.push(...(pieces.length > 0 ? [uri] : []));
    if (note !== undefined) {
      void showInformationMessage(note);
    }
  }
  await reportExcluded(included, files);
  return added;
}

/** Says which included files are excluded from the list of files. */
async function reportExcluded(uris: readonly vscode.Uri[], files: PickContextDeps['files']): Promise<void> {
  const note = exclusionNote(await files.excluded(uris));
  if (note !== undefined) {
    void showInformationMessage(note);
  }
}

/** The text of a file in a tab; undefined when it can't be read, or is too large to be added. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const loaded = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (loaded) {
    return loaded.getText();
  }
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > fileLimit ? undefined : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

function reportTooLarge(name: string, units: number): readonly CodeContext[] {
  void showInformationMessage(tooLargeText(name, units));
  return [];
}
