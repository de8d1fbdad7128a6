import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { writeEvent } from '../../core/chat/conversation/conversationRecord.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import { showInputBox } from '../ui/boxes.ts';
import type { CommandId } from '../ui/commandIds.ts';
import type { Log } from '../ui/log.ts';
import { showInformationMessage, showWarningMessage, withProgress } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import { clicked, conversationIcon, describeConversation } from './conversationItem.ts';
import { ConversationsView } from './conversationsView.ts';
import type { ConversationTransfer } from './conversationTransfer.ts';
import { deleteConversations } from './deleteConversations.ts';
import { type FoundConversation, pickBySearch } from './searchConversations.ts';

export type ConversationDeps = {
  readonly index: ConversationIndex;
  readonly store: ConversationStore;
  readonly view: ConversationsView;
  readonly transfer: ConversationTransfer;
  /** The rows that are selected in the side bar, for a key that is pressed there. */
  readonly selection: () => readonly unknown[];
  readonly panels: () => Promise<ChatPanels>;
  readonly clock: Clock;
  readonly log: Log;
};

/** A pick begins with the newest, and goes on with the rest while it is there: each has to be read for its title. */
const shownAtOnce = 200;
const readAtOnce = 1_000;
const maxTitle = 200;
const gone = 'This conversation is not there any more. It was deleted in another window.';
/** Between the clicks of a double click, as Windows and GTK have it. */
const doubleClickMs = 500;

export type ConversationCommands = ReturnType<typeof conversationCommands>;

type Command = (row?: unknown, selected?: unknown) => Promise<unknown>;

/** What a person can do with conversations besides going on with them; each takes the rows it was called on. */
export function conversationCommands(deps: ConversationDeps) {
  /** Those of the rows; one that is picked when it was called on none, or on what is no row of the list. */
  const chosen = async (title: string, row: unknown, selected: unknown): Promise<readonly string[]> => {
    if (isKey(row)) {
      return deps.selection().flatMap((each) => ConversationsView.idsOf(each));
    }
    const ids = ConversationsView.idsOf(row, selected);
    if (ids.length > 0) {
      return ids;
    }
    const id = await pickConversation(deps, title);
    return id === undefined ? [] : [id];
  };
  const open = async (found: FoundConversation | undefined, keepsFocus = false) => {
    if (found !== undefined && !(await (await deps.panels()).show(found.id, found.place, keepsFocus))) {
      void showWarningMessage(gone);
      await deps.view.look();
    }
  };
  let lastClick: { readonly id: string | undefined; readonly at: number } | undefined;
  return {
    // As in the Explorer: a click shows it and leaves the focus in the list, a double click or Enter leads into it.
    'askModel.openConversation': async (row, selected) => {
      if (isKey(row)) {
        await vscode.commands.executeCommand('list.select');
      }
      const [id] = await chosen('Open Conversation', row, undefined);
      const at = deps.clock.now();
      const isClick = selected === clicked;
      const isDouble = isClick && lastClick?.id === id && at - (lastClick?.at ?? 0) < doubleClickMs;
      lastClick = isClick ? { id, at } : undefined;
      await open(id === undefined ? undefined : { id }, isClick && !isDouble);
    },
    'askModel.searchConversations': async () => open(await pickBySearch(deps)),
    'askModel.renameConversation': async (row) => {
      const [id] = await chosen('Rename Conversation', row, undefined);
      await (id !== undefined && rename(deps, id));
    },
    'askModel.deleteConversation': async (row, selected) => {
      const ids = await chosen('Delete Conversation', row, selected);
      if (typeof row === 'string' && ids.includes(row) && !(await deps.store.list()).some(({ id }) => id === row)) {
        void showWarningMessage(gone);
        return;
      }
      // In VS Code's trees the arrow keys move the focus and not the selection, and only the selection is known here.
      if (!isKey(row) || (await confirmsDeletion(deps, ids))) {
        await deleteConversations(deps, ids);
      }
    },
    'askModel.deleteAllConversations': async () => {
      // Also those that are too many to be listed.
      const ids = (await deps.store.list()).map(({ id }) => id);
      if (ids.length === 0) {
        void showInformationMessage('There is no conversation to delete.');
        return;
      }
      const proceed = 'Delete All';
      const answer = await showWarningMessage(
        ids.length === 1
          ? 'Delete the one conversation there is?'
          : `Delete all ${ids.length.toLocaleString('en-US')} conversations?`,
        {
          modal: true,
          detail: 'Also those of other windows. Undo is offered in a notification afterwards.',
        },
        proceed,
      );
      await (answer === proceed && deleteConversations(deps, ids));
    },
    'askModel.exportConversationMarkdown': async (row, selected) =>
      deps.transfer.exportMarkdown(await chosen('Export Conversation as Markdown', row, selected)),
    'askModel.exportConversationJson': async (row, selected) =>
      deps.transfer.exportJson(await chosen('Export Conversation as JSON', row, selected)),
    'askModel.importConversations': async () => {
      await deps.transfer.importJson();
      await deps.view.look();
    },
    'askModel.refreshConversations': async () =>
      withProgress({ location: { viewId: 'askModel.conversations' } }, () => deps.view.look()),
  } satisfies Partial<Record<CommandId, Command>>;
}

/** What the manifest's key bindings hand over: a key is pressed where rows are selected, and names none. */
function isKey(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'rows' in row && row.rows === 'selected';
}

async function confirmsDeletion({ index }: ConversationDeps, ids: readonly string[]): Promise<boolean> {
  const [first] = await index.summaries(ids.slice(0, 1));
  if (first === undefined) {
    return false;
  }
  const proceed = 'Delete';
  const what =
    ids.length === 1 ? `“${first.title}”` : `the ${ids.length.toLocaleString('en-US')} selected conversations`;
  const detail = 'Undo is offered afterwards.';
  return (await showWarningMessage(`Delete ${what}?`, { modal: true, detail }, proceed)) === proceed;
}

async function pickConversation({ index, clock }: ConversationDeps, title: string): Promise<string | undefined> {
  await index.look();
  const { entries } = index;
  if (entries.length === 0) {
    void showInformationMessage('There is no conversation yet. Ask a model first.');
    return undefined;
  }
  const now = clock.now();
  const rowsOf = async (some: typeof entries) => {
    const summaries = new Map((await index.summaries(some.map(({ id }) => id))).map((each) => [each.id, each]));
    return some.flatMap((entry) => {
      const summary = summaries.get(entry.id);
      return summary
        ? [
            {
              label: summary.title,
              description: describeConversation(entry, summary, now),
              iconPath: conversationIcon(summary),
              value: entry.id,
            },
          ]
        : [];
    });
  };
  const rows: Row<string, never>[] = await rowsOf(entries.slice(0, shownAtOnce));
  const improve = async (signal: AbortSignal, show: (rows: readonly Row<string, never>[]) => void) => {
    for (let from = shownAtOnce; from < entries.length && !signal.aborted; from += readAtOnce) {
      rows.push(...(await rowsOf(entries.slice(from, from + readAtOnce))));
      show(rows);
    }
    if (index.isPartial) {
      show([...rows, { label: 'Older conversations are not listed', kind: vscode.QuickPickItemKind.Separator }]);
    }
  };
  const outcome = await pickRow({
    title,
    placeholder: 'Title, model or time',
    rows,
    ...(entries.length > shownAtOnce && { improve }),
  });
  return outcome.status === 'picked' ? outcome.value : undefined;
}

async function rename({ index, store, panels, view }: ConversationDeps, id: string): Promise<void> {
  if (!index.hasLooked) {
    await index.look();
  }
  const [summary] = await index.summaries([id]);
  const title = await showInputBox({
    title: 'Rename Conversation',
    prompt: 'Seen in the list, on the panel and in exports. It is not sent.',
    value: summary?.title ?? '',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ''
        ? 'A title has at least one character.'
        : text.trim().length > maxTitle
          ? `A title has at most ${maxTitle} characters.`
          : undefined,
  });
  const text = title?.trim().replace(/\s+/g, ' ');
  if (!text || text === summary?.title) {
    return;
  }
  // A new title is no news of the conversation: it keeps its place in the list.
  const changedAt = (await store.list()).find((each) => each.id === id)?.changedAt;
  if (!(await (await panels()).conversations.rename(id, text))) {
    if (changedAt === undefined) {
      void showWarningMessage(gone);
      await view.look();
      return;
    }
    await store.append(id, writeEvent({ type: 'title', text }));
  }
  if (changedAt !== undefined) {
    await store.setChangedAt(id, changedAt);
  }
  await view.look();
}
