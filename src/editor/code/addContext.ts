import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText, numberText, plural } from '../../core/base/localization.ts';
import { type CodeContext, newPieces } from '../../core/chat/context/prompt.ts';
import { symbolText } from '../../core/chat/context/symbolText.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import { shownPath } from '../ui/shownPath.ts';
import { changesRows } from './contextFinder.ts';
import { linesText } from './contextLine.ts';
import { enclosingSymbolContext, fileContext, fileLimit, problemsContext, tooLargeText } from './fileContexts.ts';
import type { IncludableContext } from './foundContext.ts';
import { inTime } from './inTime.ts';
import { openFiles } from './openFiles.ts';
import { selectedCode } from './selection.ts';

/** Reads the context that a row adds; called when the row is picked. */
type Offer = () => readonly CodeContext[] | Promise<readonly CodeContext[]>;

/** How long the list waits for the enclosing symbol: short enough not to be noticed. */
const symbolWaitMs = 250;

/**
 * *Add Context*: lets the person pick context to send with the question. Of what is not picked, only as much is read as
 * its row shows: its name and its estimated tokens.
 *
 * @param attached the context that is attached already; its rows say so.
 * @returns the pieces; none when the person cancelled.
 */
export async function pickContext(
  editor: vscode.TextEditor | undefined,
  attached: readonly CodeContext[],
): Promise<readonly CodeContext[]> {
  const others = openFiles(editor?.document.uri);
  const changes = changesRows();
  if (editor === undefined && others.length === 0 && changes.length === 0) {
    void showInformationMessage(l10n.t('Open a file or select code to add it as context.'));
    return [];
  }
  const selected = selectedCode(editor);
  const finding = editor && enclosingSymbolContext(editor.document, editor.selection.active);
  const first = finding && (await inTime(symbolWaitMs, finding));
  const title = plural(selected.length, l10n.t('Selection'), l10n.t('{0} Selections', numberText(selected.length)));
  const rows: Row<Offer, never>[] = [
    ...(selected.length > 0 ? [piecesRow('list-selection', title, selected, attached)] : []),
    ...(first ? [symbolRow(first, attached)] : []),
    ...(editor ? [fileRow(editor.document, attached), ...problemRows(editor, attached)] : []),
    ...changes.map(changesRow),
    ...(others.length === 0
      ? []
      : [
          {
            label: l10n.t('Other Open File…'),
            description: numberText(others.length),
            iconPath: new vscode.ThemeIcon('files'),
            value: () => otherFile(others),
          },
        ]),
  ];
  const picked = await pickRow<Offer>({
    title: l10n.t('Add Context'),
    placeholder: l10n.t('Select context to include (estimated tokens)'),
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
  return picked.status === 'picked' ? picked.value() : [];
}

function changesRow({ label, detail, read }: IncludableContext): Row<Offer, never> {
  return {
    label,
    description: detail,
    iconPath: new vscode.ThemeIcon('diff'),
    value: async () => {
      const { pieces, note } = await read();
      if (note !== undefined) {
        void showInformationMessage(note);
      }
      return pieces;
    },
  };
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

function fileRow(document: vscode.TextDocument, attached: readonly CodeContext[]): Row<Offer, never> {
  const whole = fileContext(document);
  const name = whole.path.split('/').at(-1) ?? whole.path;
  const units = whole.text.length;
  return units <= fileLimit
    ? piecesRow('file', l10n.t('File "{0}"', name), [whole], attached)
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

async function otherFile(uris: readonly vscode.Uri[]): Promise<readonly CodeContext[]> {
  const picked = await pickRow<vscode.Uri>({
    title: l10n.t('Add Open File'),
    placeholder: l10n.t('Select a file to include in full'),
    rows: await Promise.all(
      uris.map(async (uri) => {
        const path = shownPath(uri);
        const text = await textOf(uri);
        return {
          label: path.split('/').at(-1) ?? path,
          iconPath: new vscode.ThemeIcon('file'),
          description: text === undefined ? path : `${path} · ${estimatedTokensText(estimateTokens(text))}`,
          value: uri,
        };
      }),
    ),
  });
  if (picked.status !== 'picked') {
    return [];
  }
  const document = await vscode.workspace.openTextDocument(picked.value);
  const file = fileContext(document);
  return file.text.length > fileLimit ? reportTooLarge(file.path, file.text.length) : [file];
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
