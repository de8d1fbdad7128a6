import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { enclosingSymbol, symbolWord } from '../../core/chat/context/enclosingSymbol.ts';
import { symbolText } from '../../core/chat/context/symbolText.ts';
import { inTime, shownPath } from '../ui/lastEditor.ts';
import { outlineOf, symbolContext } from './fileContexts.ts';
import { type ContextSearch, detailOf, type IncludableContext, type ReadContext } from './foundContext.ts';

/** How long a search waits: a language server that has just started reads the whole workspace first. */
export const searchWaitMs = 20_000;

/** A row that looks for symbols in the whole workspace. That starts language servers, so it is done only on request. */
export function workspaceSymbolSearch(query: string, limit: number): ContextSearch {
  return {
    id: 'workspaceSymbols',
    kind: 'symbol',
    label: l10n.t('Symbols in Workspace…'),
    detail: query,
    search: () => workspaceSymbols(query, limit),
  };
}

async function workspaceSymbols(query: string, limit: number): Promise<readonly IncludableContext[]> {
  const searching = vscode.commands.executeCommand<unknown>('vscode.executeWorkspaceSymbolProvider', query);
  const found = await inTime(searchWaitMs, Promise.resolve(searching));
  const symbols = Array.isArray(found) ? found.filter((each) => each instanceof vscode.SymbolInformation) : [];
  return symbols.slice(0, limit).map((symbol) => {
    const { uri, range } = symbol.location;
    const { line } = range.start;
    return {
      id: `symbol:${uri.toString()}:${line}:${range.start.character}:${symbol.name}`,
      kind: 'symbol',
      label: symbol.name,
      detail: detailOf(kindText(symbol.kind), shownPath(uri), l10n.t('line {0}', line + 1)),
      read: () => readSymbol(symbol),
    };
  });
}

/** Reads the whole symbol from the outline of its file, because providers may give the place of its name only. */
async function readSymbol({ name, kind, location }: vscode.SymbolInformation): Promise<ReadContext> {
  const { uri, range } = location;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const found = enclosingSymbol(await outlineOf(document), range.start);
    const named = found ?? { symbol: { name, kind, range }, word: symbolWord(kind) ?? '' };
    return { pieces: [symbolContext(document, named)] };
  } catch {
    return { pieces: [], note: l10n.t('{0} no longer exists.', shownPath(uri)) };
  }
}

function kindText(kind: vscode.SymbolKind): string | undefined {
  const word = symbolWord(kind);
  return word && symbolText(word);
}
