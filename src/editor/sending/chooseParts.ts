import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimatedTokensText, numberText, plural } from '../../core/base/localization.ts';
import { type ContextWindow, requestSizeTexts } from '../../core/base/requestSize.ts';
import { contextLine } from '../../core/chat/context/contextText.ts';
import { questionTitle } from '../../core/chat/conversation/conversation.ts';
import { type RequestParts, tokensOf } from '../../core/chat/conversation/requestParts.ts';
import type { LeftOut } from '../../core/chat/conversation/storedParts.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';

/** A request that the person decides about. */
export type ChoosableRequest = {
  readonly parts: RequestParts;
  /** What to multiply estimates with for this model. */
  readonly factor: number;
  /** The context window of the model; undefined if it's unknown. */
  readonly window: ContextWindow | undefined;
  /** What is left out if the person changes nothing. */
  readonly proposed: LeftOut;
  /** The number of paid calls. */
  readonly calls: number;
};

/** A row is sent while it is checked. */
type Row = vscode.QuickPickItem & { readonly turn?: string; readonly context?: string };

/**
 * Lets the person choose what a request consists of.
 *
 * @returns what is left out; undefined if the person cancelled, or the signal was aborted.
 */
export function chooseParts(request: ChoosableRequest, signal: AbortSignal): Promise<LeftOut | undefined> {
  const { parts, factor, window, calls, proposed } = request;
  const pick = createQuickPick<Row>();
  const items = rowsOf(request).map(plainItem);
  const rows = items.filter(({ kind }) => kind === undefined);
  let checked = rows.filter((row) => isSent(row, proposed));
  const title = () => {
    const tokens = Math.round(tokensOf(parts, leftOutOf(rows, checked)) * factor);
    const size = window
      ? requestSizeTexts(tokens, window)
      : [estimatedTokensText(tokens), l10n.t('context window unknown')];
    pick.title = plainLabel(l10n.t('Choose What to Send: {0}', size.join(' · ')));
  };
  pick.placeholder = plural(
    calls,
    l10n.t('What is not checked is left out. OK makes a paid call.'),
    l10n.t('What is not checked is left out. OK makes {0} paid calls.', numberText(calls)),
  );
  pick.ignoreFocusOut = true;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = items;
  pick.selectedItems = checked;
  title();
  return new Promise((resolve) => {
    const finish = (chosen: LeftOut | undefined) => {
      resolve(chosen);
      signal.removeEventListener('abort', cancel);
      pick.dispose();
    };
    const cancel = () => finish(undefined);
    pick.onDidChangeSelection((selected) => {
      checked = [...selected];
      title();
    });
    pick.onDidAccept(() => finish(leftOutOf(rows, checked)));
    pick.onDidHide(cancel);
    signal.addEventListener('abort', cancel);
    pick.show();
    if (signal.aborted) {
      cancel();
    }
  });
}

function rowsOf({ parts, factor }: ChoosableRequest): Row[] {
  const size = (tokens: number) => estimatedTokensText(Math.round(tokens * factor));
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const ofContext = parts.contexts.map(
    ({ context, tokens }): Row => ({
      label: contextLine(context),
      description: size(tokens),
      context: context.id,
    }),
  );
  const ofTurns = parts.turns.map(
    ({ turn, tokens }): Row => ({ label: questionTitle(turn), description: size(tokens), turn: turn.id }),
  );
  return [
    ...(ofContext.length > 0 ? [separator(l10n.t('Context of the question')), ...ofContext] : []),
    ...(ofTurns.length > 0 ? [separator(l10n.t('Earlier questions and answers')), ...ofTurns] : []),
  ];
}

function isSent({ turn, context }: Row, { turns, contexts }: LeftOut): boolean {
  return turn === undefined ? !contexts.some(({ id }) => id === context) : !turns.includes(turn);
}

function leftOutOf(rows: readonly Row[], checked: readonly Row[]): LeftOut {
  const unchecked = rows.filter((row) => !checked.includes(row));
  return {
    turns: unchecked.flatMap(({ turn }) => turn ?? []),
    contexts: unchecked.flatMap(({ context }) => (context === undefined ? [] : [{ id: context }])),
  };
}
