import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { numberText, sentences } from '../../core/base/localization.ts';
import type { Parsed } from '../../core/base/loose.ts';
import { messageOf } from '../../core/base/loose.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import type { LoadedConversations } from '../panel/loadedConversations.ts';
import { askText } from '../ui/askText.ts';
import type { Log } from '../ui/log.ts';
import {
  isConfirmed,
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
  withProgress,
} from '../ui/messages.ts';
import type { CommandId } from '../ui/registrations.ts';
import { ConversationsView, clicked } from './conversationsView.ts';
import { exportConversations, importJson } from './conversationTransfer.ts';
import { type FoundConversation, pickBySearch } from './searchConversations.ts';

export type ConversationDeps = {
  readonly index: ConversationIndex;
  readonly store: ConversationStore;
  readonly view: ConversationsView;
  /** The rows selected in the side bar, for a key binding pressed there. */
  readonly selection: () => readonly unknown[];
  readonly conversations: LoadedConversations;
  readonly panels: () => Promise<ChatPanels>;
  readonly clock: Clock;
  readonly log: Log;
  /** Where file dialogs start when no folder is open. */
  readonly home: vscode.Uri;
};

const maxTitle = 200;
/** The longest time between the clicks of a double click, as in Windows and GTK. */
const doubleClickMs = 500;

export type ConversationCommands = ReturnType<typeof conversationCommands>;

type Command = (row?: unknown, selected?: unknown) => Promise<unknown>;

/** The commands for stored conversations; each takes the rows it was called on. */
export function conversationCommands(deps: ConversationDeps) {
  /** The ids of the given rows. Without a row of the list, the person picks a conversation. */
  const chosen = async (title: string, row: unknown, selected: unknown): Promise<readonly string[]> => {
    if (isKeyBinding(row)) {
      return deps.selection().flatMap((each) => ConversationsView.idsOf(each));
    }
    const ids = ConversationsView.idsOf(row, selected);
    if (ids.length > 0) {
      return ids;
    }
    await deps.index.refresh();
    if (deps.index.entries.length === 0) {
      void showInformationMessage(noConversationsText());
      return [];
    }
    const found = await pickBySearch(deps.index, deps.store, deps.clock, title);
    return found === undefined ? [] : [found.id];
  };
  const open = async (found: FoundConversation | undefined, keepsFocus = false) => {
    if (found !== undefined && !(await (await deps.panels()).show(found.id, found.place, keepsFocus))) {
      void showWarningMessage(goneText());
      await deps.view.refresh();
    }
  };
  /** Shows the conversation below or above the current one in the list, at its end the first or last one. */
  const step = async (by: 1 | -1) => {
    await deps.index.refresh();
    const ids = deps.index.entries.map(({ id }) => id);
    const panels = await deps.panels();
    const at = ids.indexOf(panels.shown?.id ?? '');
    const id = at === -1 ? ids[0] : ids.at((at + by) % ids.length);
    if (id === undefined) {
      void showInformationMessage(noConversationsText());
    } else if (!(await panels.browse(id))) {
      void showWarningMessage(goneText());
    }
  };
  const exportAs =
    (format: 'Markdown' | 'JSON', title: () => string): Command =>
    async (row, selected) =>
      exportConversations(deps.conversations, await chosen(title(), row, selected), format, title());
  let lastClick: { readonly id: string | undefined; readonly at: number } | undefined;
  return {
    // As in the Explorer: a click shows the conversation and leaves the focus in the list; a double click or Enter
    // moves the focus to the conversation.
    'askModel.openConversation': async (row, selected) => {
      if (isKeyBinding(row)) {
        await vscode.commands.executeCommand('list.select');
      }
      const [id] = await chosen(l10n.t('Open Conversation'), row, undefined);
      const at = deps.clock.now();
      const isClick = selected === clicked;
      const isDouble = isClick && lastClick?.id === id && at - (lastClick?.at ?? 0) < doubleClickMs;
      lastClick = isClick ? { id, at } : undefined;
      await open(id === undefined ? undefined : { id }, isClick && !isDouble);
    },
    'askModel.nextConversation': () => step(1),
    'askModel.previousConversation': () => step(-1),
    'askModel.searchConversations': async () =>
      open(await pickBySearch(deps.index, deps.store, deps.clock, l10n.t('Search Conversations'))),
    'askModel.renameConversation': async (row) => {
      const [id] = await chosen(l10n.t('Rename Conversation'), row, undefined);
      await (id !== undefined && rename(deps, id));
    },
    'askModel.deleteConversation': async (row, selected) => {
      const ids = await chosen(l10n.t('Delete Conversation'), row, selected);
      await deleteConversations(deps, ids);
    },
    'askModel.deleteAllConversations': async () => {
      const ids = (await deps.store.list()).map(({ id }) => id);
      if (ids.length === 0) {
        void showInformationMessage(l10n.t('There are no conversations to delete.'));
        return;
      }
      const detail = l10n.t(
        'This includes conversations of other windows. You can undo it from the notification that follows.',
      );
      const question = l10n.t('Delete all conversations ({0})?', numberText(ids.length));
      await ((await isConfirmed(question, l10n.t('Delete All'), detail)) && deleteConversations(deps, ids));
    },
    'askModel.exportConversationMarkdown': exportAs('Markdown', () => l10n.t('Export Conversation as Markdown')),
    'askModel.exportConversationJson': exportAs('JSON', () => l10n.t('Export Conversation as JSON')),
    'askModel.importConversations': async () => {
      await importJson(deps.store, deps.home);
      await deps.view.refresh();
    },
    'askModel.refreshConversations': async () =>
      withProgress({ location: { viewId: 'askModel.conversations' } }, () => deps.view.refresh()),
  } satisfies Partial<Record<CommandId, Command>>;
}

/**
 * Whether a command was called by a key binding of the manifest. Such a call names no row: it applies to the selected
 * rows.
 */
function isKeyBinding(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'rows' in row && row.rows === 'selected';
}

function goneText(): string {
  return l10n.t('This conversation no longer exists. It was deleted in another window.');
}

function noConversationsText(): string {
  return l10n.t('No conversations yet. Ask a model first.');
}

function readTitle(text: string): Parsed<string> {
  const value = text.trim().replace(/\s+/g, ' ');
  if (value === '') {
    return { ok: false, reason: l10n.t('Enter a title.') };
  }
  return value.length > maxTitle
    ? { ok: false, reason: l10n.t('The title can have at most {0} characters.', numberText(maxTitle)) }
    : { ok: true, value };
}

async function rename({ index, store, conversations, view }: ConversationDeps, id: string): Promise<void> {
  const [summary] = await index.listed([id]);
  const asked = await askText({
    title: l10n.t('Rename Conversation'),
    prompt: () => l10n.t("The title appears in the list, in the panel, and in exports. It isn't sent."),
    value: summary?.title ?? '',
    read: readTitle,
    accept: async (title) => ({ done: title }),
  });
  if (asked.status !== 'done' || asked.value === summary?.title) {
    return;
  }
  const text = asked.value;
  const changedAt = async () => (await store.list()).find((each) => each.id === id)?.changedAt;
  const before = await changedAt();
  if (!(await conversations.change(id, (live) => live.rename(text)))) {
    void showWarningMessage(goneText());
  } else if (before !== undefined && before !== (await changedAt())) {
    // A new title does not change the place of the conversation in the list.
    await store.setChangedAt(id, before);
  }
  await view.refresh();
}

/** Deletes conversations and offers to undo it. A conversation that is still receiving a reply is not deleted. */
async function deleteConversations(deps: ConversationDeps, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) {
    return;
  }
  const [first] = await deps.index.listed(ids.slice(0, 1));
  const { removed, running, failures } = await withProgress({ location: { viewId: 'askModel.conversations' } }, () =>
    removeConversations(deps.conversations, ids),
  );
  await deps.view.refresh();
  for (const failure of failures) {
    deps.log.defect('A conversation could not be deleted', failure);
  }
  const left = sentences(
    running > 0 && l10n.t('Not deleted because an answer is still arriving: {0}. Stop it first.', numberText(running)),
    failures.length > 0 &&
      l10n.t("Couldn't be deleted: {0} ({1}).", numberText(failures.length), messageOf(failures[0])),
  );
  if (removed.length === 0) {
    void showWarningMessage(sentences(l10n.t('Nothing was deleted.'), left));
    return;
  }
  const done =
    ids.length === 1 && first !== undefined
      ? l10n.t('Deleted "{0}".', first.title)
      : l10n.t('Deleted conversations: {0}.', numberText(removed.length));
  // Not awaited: the command itself is done.
  void offerUndo(deps, removed, sentences(done, left)).catch((error: unknown) => {
    deps.log.defect('Undo of a deletion', error);
    void showErrorMessage(l10n.t("Couldn't restore everything: {0}", messageOf(error)));
  });
}

/** Deletes conversations, apart from those that are receiving a reply. They can be restored until the window closes. */
export async function removeConversations(conversations: Pick<LoadedConversations, 'remove'>, ids: readonly string[]) {
  const removed: string[] = [];
  const failures: unknown[] = [];
  for (const id of ids) {
    try {
      removed.push(...((await conversations.remove(id)) ? [id] : []));
    } catch (error) {
      failures.push(error);
    }
  }
  return { removed, running: ids.length - removed.length - failures.length, failures };
}

async function offerUndo(deps: ConversationDeps, removed: readonly string[], words: string): Promise<void> {
  const undo = l10n.t('Undo');
  if ((await showInformationMessage(words, undo)) !== undo) {
    return;
  }
  try {
    await Promise.all(removed.map((id) => deps.store.restore(id)));
  } finally {
    await deps.view.refresh();
  }
}
