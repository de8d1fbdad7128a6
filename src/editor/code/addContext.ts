import * as vscode from 'vscode';
import { type CodeContext, estimateTokens, isSamePiece } from '../../core/chat/context/prompt.ts';
import { count } from '../../core/chat/conversation/replyFacts.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import { shownPath } from '../ui/shownPath.ts';
import { fileContext, fileLimit, problemsContext, symbolContext } from './fileContexts.ts';
import { selectedCode } from './selection.ts';

/** What a row adds; without pieces it says why there are none. */
type Offer =
  | { readonly kind: 'pieces'; readonly pieces: readonly CodeContext[] }
  | { readonly kind: 'tooLarge'; readonly name: string; readonly units: number }
  | { readonly kind: 'otherFile' };

/** How long a language that is at work may take without anybody noticing. */
const symbolWaitMs = 250;

const otherFiles: Offer = { kind: 'otherFile' };

/**
 * *Add context*: lets the person pick what goes along with the question. Nothing is read that was not picked, but what
 * is needed to name it and to estimate its tokens.
 *
 * @param there what goes along already; it is not offered a second time.
 * @returns the new pieces; none when the person left.
 */
export async function pickContext(
  editor: vscode.TextEditor | undefined,
  there: readonly CodeContext[],
): Promise<readonly CodeContext[]> {
  const others = openFiles(editor?.document.uri);
  if (editor === undefined && others.length === 0) {
    void showInformationMessage('Open a file, or select code in one, then add it here.');
    return [];
  }
  const own = editor && rowsOf(editor, there);
  const finding = editor && symbolContext(editor.document, editor.selection.active);
  const first = finding && (await inTime(finding));
  const rows: Row<Offer, never>[] = [
    ...(own?.selection ?? []),
    ...(first ? [symbolRow(first, there)] : []),
    ...(own?.rest ?? []),
    ...(others.length === 0
      ? []
      : [
          {
            label: 'Other open file…',
            description: `${others.length}`,
            iconPath: new vscode.ThemeIcon('files'),
            value: otherFiles,
          },
        ]),
  ];
  const picked = await pickRow<Offer>({
    title: 'Add Context',
    placeholder: 'What goes along with the question, with its estimated tokens',
    rows,
    ...(first === undefined &&
      finding && {
        improve: async (_, show) => {
          const late = await finding;
          if (late) {
            // At the end: no row moves away under the pointer.
            show([...rows, symbolRow(late, there)]);
          }
        },
      }),
  });
  return picked.status === 'picked' ? piecesOf(picked.value, others, there) : [];
}

/** A language that is still starting takes seconds; the list does not wait for it. */
function inTime<T>(coming: Promise<T>): Promise<T | undefined> {
  return Promise.race([coming, new Promise<undefined>((resolve) => setTimeout(resolve, symbolWaitMs, undefined))]);
}

async function piecesOf(
  offer: Offer,
  others: readonly vscode.Uri[],
  there: readonly CodeContext[],
): Promise<readonly CodeContext[]> {
  switch (offer.kind) {
    case 'pieces':
      return offer.pieces.filter((piece) => !there.some((each) => isSamePiece(each, piece)));
    case 'tooLarge':
      tellTooLarge(offer.name, offer.units);
      return [];
    case 'otherFile':
      return otherFile(others, there);
    default:
      return offer satisfies never;
  }
}

function rowsOf(
  { document, selections }: vscode.TextEditor,
  there: readonly CodeContext[],
): { readonly selection: Row<Offer, never>[]; readonly rest: Row<Offer, never>[] } {
  const selected = selectedCode({ document, selections });
  const ranges = selections.filter(({ isEmpty }) => !isEmpty);
  const inSelection = ranges.length > 0 ? problemsContext(document, ranges) : undefined;
  const inFile = problemsContext(document, []);
  const title = selected.length > 1 ? `${selected.length} selections` : 'Selection';
  return {
    selection: selected.length > 0 ? [piecesRow('list-selection', title, selected, there)] : [],
    rest: [
      fileRow(document, there),
      ...(inSelection
        ? [piecesRow('warning', `Problems in the selection (${inSelection.count})`, [inSelection], there)]
        : []),
      ...(inFile ? [piecesRow('warning', `Problems in the file (${inFile.count})`, [inFile], there)] : []),
    ],
  };
}

function symbolRow(symbol: CodeContext, there: readonly CodeContext[]): Row<Offer, never> {
  const { symbol: word = '', name = '' } = symbol;
  const icon = ['class', 'interface', 'enum', 'namespace'].includes(word) ? `symbol-${word}` : 'symbol-method';
  return piecesRow(icon, `Enclosing ${word} “${name}”`, [symbol], there);
}

function fileRow(document: vscode.TextDocument, there: readonly CodeContext[]): Row<Offer, never> {
  const whole = fileContext(document);
  const name = whole.path.split('/').at(-1) ?? whole.path;
  const units = whole.text.length;
  return units <= fileLimit
    ? piecesRow('file', `File “${name}”`, [whole], there)
    : {
        label: `File “${name}”`,
        iconPath: new vscode.ThemeIcon('file'),
        description: `too large to go along whole: ${count(units)} characters`,
        value: { kind: 'tooLarge', name, units },
      };
}

function piecesRow(
  icon: string,
  label: string,
  pieces: readonly CodeContext[],
  there: readonly CodeContext[],
): Row<Offer, never> {
  const tokens = estimateTokens(pieces.map(({ text }) => text).join(''));
  const isThere = pieces.every((piece) => there.some((each) => isSamePiece(each, piece)));
  const facts = [linesSaid(pieces), `≈ ${count(tokens)} tokens`, ...(isThere ? ['goes along already'] : [])];
  return {
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: facts.join(' · '),
    value: { kind: 'pieces', pieces },
  };
}

/** Files in tabs, each once, but for the one that is offered already. */
function openFiles(current: vscode.Uri | undefined): vscode.Uri[] {
  const inTabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const files = new Map(inTabs.map((uri) => [uri.toString(), uri]));
  files.delete(current?.toString() ?? '');
  return [...files.values()].filter(({ scheme }) => !/^(?:output|ask-model-)/.test(scheme));
}

async function otherFile(uris: readonly vscode.Uri[], there: readonly CodeContext[]): Promise<readonly CodeContext[]> {
  const picked = await pickRow<vscode.Uri>({
    title: 'Add an Open File',
    placeholder: 'All of the file goes along with the question',
    rows: await Promise.all(
      uris.map(async (uri) => {
        const path = shownPath(uri);
        const units = await sizeOf(uri);
        return {
          label: path.split('/').at(-1) ?? path,
          iconPath: new vscode.ThemeIcon('file'),
          description: units === undefined ? path : `${path} · ≈ ${count(Math.ceil(units / 4))} tokens`,
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
  if (file.text.length > fileLimit) {
    tellTooLarge(file.path, file.text.length);
    return [];
  }
  return there.some((each) => isSamePiece(each, file)) ? [] : [file];
}

/** UTF-16 units of a file that is loaded, else its bytes, which are about as many; undefined when nobody knows. */
async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
  const loaded = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  return (
    loaded?.getText().length ??
    (await vscode.workspace.fs.stat(uri).then(
      ({ size }) => size,
      () => undefined,
    ))
  );
}

function tellTooLarge(name: string, units: number): void {
  void showInformationMessage(
    `${name} is too large to go along whole: it has ${count(units)} characters, and the limit is ${count(fileLimit)}. Select the part that matters and add that.`,
  );
}

function linesSaid(pieces: readonly CodeContext[]): string {
  const lines = pieces.map(({ startLine, endLine }) => (startLine === endLine ? startLine : `${startLine}–${endLine}`));
  return `${pieces.length === 1 && !String(lines[0]).includes('–') ? 'line' : 'lines'} ${lines.join(', ')}`;
}
