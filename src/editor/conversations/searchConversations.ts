import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { numberText } from '../../core/base/localization.ts';
import { searchable } from '../../core/base/searchable.ts';
import type { ConversationIndex, ListedConversation } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { findText, type TextHit } from '../../core/chat/store/searchConversations.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';
import { describeConversation, stateView } from './conversationsView.ts';

/** A conversation, and where in it the words were found; see `TextHit`. */
export type FoundConversation = { readonly id: string; readonly place?: string };
type Found = vscode.QuickPickItem & Partial<FoundConversation>;

/** The debounce time, long enough that a word is not searched letter by letter. */
const debounceMs = 150;
const maxHits = 200;
const maxTitles = 50;

/**
 * Searches conversations for the words typed into a quick pick: titles at once, then texts as they are read.
 *
 * @returns the picked conversation; undefined when the person cancels.
 */
export function pickBySearch(
  index: ConversationIndex,
  store: Pick<ConversationStore, 'read'>,
  clock: Pick<Clock, 'now'>,
  title: string,
): Promise<FoundConversation | undefined> {
  return new Promise((resolve, reject) => {
    const pick = createQuickPick<Found>();
    let search = new AbortController();
    let debounce: NodeJS.Timeout | undefined;
    // Other windows may have changed conversations.
    const refreshed = index.refresh();
    const finish = (found: FoundConversation | undefined) => {
      clearTimeout(debounce);
      search.abort();
      resolve(found);
      pick.dispose();
    };
    const run = () => {
      search = new AbortController();
      const { signal } = search;
      refreshed
        .then(() => show(index, store, clock.now(), pick, signal))
        .catch((error: unknown) => {
          reject(error);
          finish(undefined);
        });
    };
    pick.title = title;
    pick.placeholder = l10n.t('Search titles, questions, code, and answers');
    pick.busy = true;
    pick.keepScrollPosition = true;
    pick.onDidChangeValue(() => {
      search.abort();
      pick.busy = true;
      clearTimeout(debounce);
      debounce = setTimeout(run, debounceMs);
    });
    pick.onDidAccept(() => {
      const { id, place } = pick.selectedItems[0] ?? {};
      if (id !== undefined) {
        finish({ id, place });
      }
    });
    pick.onDidHide(() => finish(undefined));
    pick.show();
    run();
  });
}

async function show(
  index: ConversationIndex,
  store: Pick<ConversationStore, 'read'>,
  now: number,
  pick: vscode.QuickPick<PlainItem<Found>>,
  signal: AbortSignal,
): Promise<void> {
  const words = pick.value.trim();
  const wanted = searchable(words);
  // Without words only the newest are shown, so only those are read.
  const entries = wanted === '' ? index.entries.slice(0, maxTitles) : index.entries;
  const rows = (await index.listed(entries.map(({ id }) => id))).map((listed) => rowOf(listed, now));
  const titled = rows
    .filter(({ label, description }) => searchable(`${label} ${description}`).includes(wanted))
    .slice(0, maxTitles);
  const found: Found[] = [];
  const paint = (ifNone: readonly Found[]) => {
    const texts =
      found.length < maxHits ? l10n.t('matching text') : l10n.t('matching text (first {0})', numberText(maxHits));
    const all = [...titled, ...(found.length > 0 ? [separator(texts), ...found] : [])];
    const items: readonly PlainItem<Found>[] = (all.length > 0 ? all : ifNone).map((each) => plainItem<Found>(each));
    const active = items.find(({ id }) => id !== undefined && id === pick.activeItems[0]?.id);
    pick.items = items;
    if (active) {
      pick.activeItems = [active];
    }
  };
  if (signal.aborted) {
    return;
  }
  if (wanted !== '') {
    paint([]);
    const shown = new Set(titled.map(({ id }) => id));
    for (const row of rows.filter(({ id }) => !shown.has(id))) {
      // One that can't be read says so in the list.
      const hit = findText(row.id, (await store.read(row.id).catch(() => undefined)) ?? '', wanted);
      if (signal.aborted) {
        return;
      }
      found.push(...(hit ? [{ ...row, place: hit.place, detail: hitText(hit) }] : []));
      if (found.length === maxHits) {
        break;
      }
    }
  }
  paint([nothing(wanted === '' ? l10n.t('No conversations yet') : l10n.t('No results for "{0}"', words))]);
  pick.busy = false;
}

function rowOf(listed: ListedConversation, now: number) {
  return {
    id: listed.id,
    label: listed.title,
    description: describeConversation(listed, now),
    iconPath: stateView(listed).icon,
    // The words are already found; the pick must not filter the labels by them again.
    alwaysShow: true,
  };
}

function hitText({ where, line }: TextHit): string {
  return {
    question: l10n.t('Question: {0}', line),
    code: l10n.t('Code: {0}', line),
    answer: l10n.t('Answer: {0}', line),
  }[where];
}

function separator(label: string): Found {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function nothing(label: string): Found {
  return { label, alwaysShow: true };
}
