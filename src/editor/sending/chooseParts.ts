import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimatedTokensText, plural } from '../../core/base/localization.ts';
import { type ContextWindow, requestSizeTexts } from '../../core/base/requestSize.ts';
import { contextLine } from '../../core/chat/context/contextText.ts';
import { questionTitle } from '../../core/chat/conversation/conversation.ts';
import { type RequestParts, tokensOf } from '../../core/chat/conversation/requestParts.ts';
import type { LeftOut } from '../../core/chat/conversation/storedParts.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';

/** A request to one model, and the room it has there. */
export type Request = {
  readonly model: string;
  /** Id of the turn that the question follows; `null` for a first question. */
  readonly after: string | null;
  readonly parts: RequestParts;
  /** Estimated, of the parts that are not left out, without the factor. */
  readonly tokens: number;
  readonly factor: number;
  readonly window: ContextWindow | undefined;
};

/** A row is sent while it is checked. */
type PartRow = vscode.QuickPickItem & { readonly turn?: string; readonly context?: string };

/**
 * Lets the person choose what a request consists of.
 *
 * @param proposed what is left out if the person changes nothing.
 * @param calls the number of paid calls.
 * @returns what is left out; undefined if the person cancelled, or the signal was aborted.
 */
export function chooseParts(
  request: Request,
  proposed: LeftOut,
  calls: number,
  signal: AbortSignal,
): Promise<LeftOut | undefined> {
  const { parts, factor, window } = request;
  const pick = createQuickPick<PartRow>();
  const items = rowsOf(request).map(plainItem);
  const rows = items.filter(({ kind }) => kind === undefined);
  const chosen = () => leftOutOf(rows, pick.selectedItems);
  const title = () => {
    const tokens = Math.round(tokensOf(parts, chosen()) * factor);
    const size = window
      ? requestSizeTexts(tokens, window)
      : [estimatedTokensText(tokens), l10n.t('context window unknown')];
    pick.title = plainLabel(l10n.t('Choose What to Send: {0}', size.join(' · ')));
  };
  pick.placeholder = plural(
    calls,
    l10n.t("What isn't checked is left out. OK makes a paid call."),
    l10n.t("What isn't checked is left out. OK makes {0} paid calls."),
  );
  pick.ignoreFocusOut = true;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = items;
  pick.selectedItems = rows.filter((row) => isSent(row, proposed));
  title();
  return new Promise((resolve) => {
    const finish = (leftOut?: LeftOut) => {
      resolve(leftOut);
      pick.dispose();
    };
    const cancel = () => finish();
    pick.onDidChangeSelection(title);
    pick.onDidAccept(() => finish(chosen()));
    pick.onDidHide(cancel);
    signal.addEventListener('abort', cancel, { once: true });
    pick.show();
    if (signal.aborted) {
      cancel();
    }
  });
}

function rowsOf({ parts, factor }: Request): PartRow[] {
  const size = (tokens: number) => estimatedTokensText(Math.round(tokens * factor));
  const separator = (label: string): PartRow => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const ofContext = parts.contexts.map(
    ({ context, tokens }): PartRow => ({
      label: contextLine(context),
      description: size(tokens),
      context: context.id,
    }),
  );
  const ofTurns = parts.turns.map(
    ({ turn, tokens }): PartRow => ({ label: questionTitle(turn), description: size(tokens), turn: turn.id }),
  );
  return [
    ...(ofContext.length > 0 ? [separator(l10n.t('Context of the question')), ...ofContext] : []),
    ...(ofTurns.length > 0 ? [separator(l10n.t('Earlier questions and answers')), ...ofTurns] : []),
  ];
}

function isSent({ turn, context }: PartRow, { turns, contexts }: LeftOut): boolean {
  return turn === undefined ? !contexts.some(({ id }) => id === context) : !turns.includes(turn);
}

function leftOutOf(rows: readonly PartRow[], checked: readonly PartRow[]): LeftOut {
  const unchecked = rows.filter((row) => !checked.includes(row));
  return {
    turns: unchecked.flatMap(({ turn }) => turn ?? []),
    contexts: unchecked.flatMap(({ context }) => (context === undefined ? [] : [{ id: context }])),
  };
}
