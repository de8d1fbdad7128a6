import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { numberText, plural } from '../../core/base/localization.ts';
import { writeEvent } from '../../core/chat/conversation/conversationRecord.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import { showInputBox } from '../ui/askText.ts';
import type { CommandId } from '../ui/commandIds.ts';
import type { Log } from '../ui/log.ts';
import { showInformationMessage, showWarningMessage, withProgress } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/quickPick.ts';
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
  /** The rows selected in the side bar, for a key binding pressed there. */
  readonly selection: () => readonly unknown[];
  readonly panels: () => Promise<ChatPanels>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * How many of the newest conversations a pick shows at first. The others follow, because each must be read for its
 * title.
 */
const shownAtFirst = 200;
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
    const id = await pickConversation(deps, title);
    return id === undefined ? [] : [id];
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
    const at = ids.indexOf(panels.shownId ?? '');
    const id = at === -1 ? ids[0] : ids.at((at + by) % ids.length);
    if (id === undefined) {
      void showInformationMessage(noConversationsText());
    } else if (!(await panels.browse(id))) {
      void showWarningMessage(goneText());
    }
  };
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
    'askModel.searchConversations': async () => open(await pickBySearch(deps)),
    'askModel.renameConversation': async (row) => {
      const [id] = await chosen(l10n.t('Rename Conversation'), row, undefined);
      await (id !== undefined && rename(deps, id));
    },
    'askModel.deleteConversation': async (row, selected) => {
      const ids = await chosen(l10n.t('Delete Conversation'), row, selected);
      if (typeof row === 'string' && ids.includes(row) && !(await deps.store.list()).some(({ id }) => id === row)) {
        void showWarningMessage(goneText());
        return;
      }
      await deleteConversations(deps, ids);
    },
    'askModel.deleteAllConversations': async () => {
      const ids = (await deps.store.list()).map(({ id }) => id);
      if (ids.length === 0) {
        void showInformationMessage(l10n.t('There are no conversations to delete.'));
        return;
      }
      const proceed = l10n.t('Delete All');
      const answer = await showWarningMessage(
        plural(
          ids.length,
          l10n.t('Delete the only conversation?'),
          l10n.t('Delete all {0} conversations?', numberText(ids.length)),
        ),
        {
          modal: true,
          detail: l10n.t(
            'This includes conversations of other windows. You can undo it from the notification that follows.',
          ),
        },
        proceed,
      );
      await (answer === proceed && deleteConversations(deps, ids));
    },
    'askModel.exportConversationMarkdown': async (row, selected) =>
      deps.transfer.exportMarkdown(await chosen(l10n.t('Export Conversation as Markdown'), row, selected)),
    'askModel.exportConversationJson': async (row, selected) =>
      deps.transfer.exportJson(await chosen(l10n.t('Export Conversation as JSON'), row, selected)),
    'askModel.importConversations': async () => {
      await deps.transfer.importJson();
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

async function pickConversation({ index, clock }: ConversationDeps, title: string): Promise<string | undefined> {
  await index.refresh();
  const { entries } = index;
  if (entries.length === 0) {
    void showInformationMessage(noConversationsText());
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
  const outcome = await pickRow({
    title,
    placeholder: l10n.t('Search by title, model, or time'),
    rows: await rowsOf(entries.slice(0, shownAtFirst)),
    ...(entries.length > shownAtFirst && {
      improve: async (_: AbortSignal, show: (rows: readonly Row<string, never>[]) => void) =>
        show(await rowsOf(entries)),
    }),
  });
  return outcome.status === 'picked' ? outcome.value : undefined;
}

async function rename({ index, store, panels, view }: ConversationDeps, id: string): Promise<void> {
  if (!index.hasRefreshed) {
    await index.refresh();
  }
  const [summary] = await index.summaries([id]);
  const title = await showInputBox({
    title: l10n.t('Rename Conversation'),
    prompt: l10n.t("The title appears in the list, in the panel, and in exports. It isn't sent."),
    value: summary?.title ?? '',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ''
        ? l10n.t('Enter a title.')
        : text.trim().length > maxTitle
          ? l10n.t('The title can have at most {0} characters.', numberText(maxTitle))
          : undefined,
  });
  const text = title?.trim().replace(/\s+/g, ' ');
  if (!text || text === summary?.title) {
    return;
  }
  // A new title does not change the place of the conversation in the list.
  const changedAt = (await store.list()).find((each) => each.id === id)?.changedAt;
  if (!(await (await panels()).conversations.rename(id, text))) {
    if (changedAt === undefined) {
      void showWarningMessage(goneText());
      await view.refresh();
      return;
    }
    await store.append(id, writeEvent({ type: 'title', text }));
  }
  if (changedAt !== undefined) {
    await store.setChangedAt(id, changedAt);
  }
  await view.refresh();
}
