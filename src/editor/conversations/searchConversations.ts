import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { numberText } from '../../core/base/localization.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore, StoredConversation } from '../../core/chat/store/conversationStore.ts';
import type { ConversationSummary } from '../../core/chat/store/conversationSummary.ts';
import { searchConversations, type TextHit } from '../../core/chat/store/searchConversations.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';
import { conversationIcon, describeConversation } from './conversationsView.ts';

type SearchDeps = {
  readonly index: ConversationIndex;
  readonly store: Pick<ConversationStore, 'read'>;
  readonly clock: Clock;
};

/** A conversation, and where in it the words were found; see `TextHit`. */
export type FoundConversation = { readonly id: string; readonly place?: string };
type Found = vscode.QuickPickItem & Partial<FoundConversation>;

/** The debounce time, long enough that a word is not searched letter by letter. */
const debounceMs = 150;
/** The shortest time between updates of the list: a list that changes with each hit can't be navigated. */
const batchMs = 100;
const maxHits = 200;
const maxTitles = 50;

/**
 * Searches conversations for the words typed into a quick pick: titles at once, then texts as they are read.
 *
 * @returns the picked conversation; undefined when the person cancels.
 */
export function pickBySearch(deps: SearchDeps, title: string): Promise<FoundConversation | undefined> {
  return new Promise((resolve, reject) => {
    const pick = createQuickPick<Found>();
    let search = new AbortController();
    let debounce: NodeJS.Timeout | undefined;
    // Other windows may have changed conversations.
    const refreshed = deps.index.refresh();
    const finish = (found: FoundConversation | undefined) => {
      clearTimeout(debounce);
      search.abort();
      resolve(found);
      pick.dispose();
    };
    const run = () => {
      search.abort();
      search = new AbortController();
      const { signal } = search;
      refreshed
        .then(() => show(deps, pick, pick.value, signal))
        .then(
          () => {
            if (!signal.aborted) {
              pick.busy = false;
            }
          },
          (error) => {
            if (!signal.aborted) {
              reject(error);
              pick.dispose();
            }
          },
        );
    };
    pick.title = title;
    pick.placeholder = l10n.t('Search titles, questions, code, and answers');
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
    pick.busy = true;
    run();
  });
}

async function show(
  { index, store, clock }: SearchDeps,
  pick: vscode.QuickPick<PlainItem<Found>>,
  words: string,
  signal: AbortSignal,
): Promise<void> {
  const wanted = words.trim().toLowerCase();
  const now = clock.now();
  const { entries } = index;
  // Without words only the newest are shown, so only those are read.
  const candidates = wanted === '' ? entries.slice(0, maxTitles) : entries;
  const summaries = new Map((await index.summaries(candidates.map(({ id }) => id))).map((each) => [each.id, each]));
  if (signal.aborted) {
    return;
  }
  const row = (entry: StoredConversation, summary: ConversationSummary, hit?: TextHit): Found => ({
    id: entry.id,
    ...(hit && { place: hit.place, detail: hitText(hit) }),
    label: summary.title,
    description: describeConversation(entry, summary, now),
    iconPath: conversationIcon(summary),
    // The words are already found; the pick must not filter the labels by them again.
    alwaysShow: true,
  });
  const titled = candidates.flatMap((entry) => {
    const summary = summaries.get(entry.id);
    const shown = summary && `${summary.title} ${describeConversation(entry, summary, now)}`;
    return summary && shown?.toLowerCase().includes(wanted) ? [{ entry, summary }] : [];
  });
  const byTitle = titled.slice(0, maxTitles).map(({ entry, summary }) => row(entry, summary));
  if (wanted === '') {
    pick.items = (byTitle.length > 0 ? byTitle : [nothing(l10n.t('No conversations yet'))]).map(plainItem);
    return;
  }
  const byText: Found[] = [];
  const paint = (isDone: boolean) => {
    const items = [
      ...byTitle,
      ...(byText.length > 0
        ? [
            separator(
              byText.length < maxHits
                ? l10n.t('matching text')
                : l10n.t('matching text (first {0})', numberText(maxHits)),
            ),
          ]
        : []),
      ...byText,
    ];
    const shown = items.length > 0 || !isDone ? items : [nothing(l10n.t('No results for "{0}"', words.trim()))];
    replaceItems(pick, shown.map(plainItem));
  };
  paint(false);
  const shown = new Set(byTitle.map(({ id }) => id));
  const rest = entries.filter(({ id }) => !shown.has(id));
  const known = new Map(rest.map((entry) => [entry.id, entry]));
  let painted = clock.now();
  for await (const hit of searchConversations(store, [...known.keys()], wanted, clock, signal)) {
    const entry = known.get(hit.id);
    const summary = summaries.get(hit.id);
    if (entry && summary) {
      byText.push(row(entry, summary, hit));
    }
    if (byText.length >= maxHits) {
      break;
    }
    if (clock.now() - painted >= batchMs) {
      painted = clock.now();
      paint(false);
    }
  }
  if (!signal.aborted) {
    paint(true);
  }
}

function hitText({ where, line }: TextHit): string {
  switch (where) {
    case 'question':
      return l10n.t('Question: {0}', line);
    case 'code':
      return l10n.t('Code: {0}', line);
    case 'answer':
      return l10n.t('Answer: {0}', line);
    default:
      return where satisfies never;
  }
}

/** Replaces the rows, and keeps the active row and the scroll position. */
function replaceItems(pick: vscode.QuickPick<PlainItem<Found>>, items: readonly PlainItem<Found>[]): void {
  const active = pick.activeItems[0]?.id;
  pick.keepScrollPosition = true;
  pick.items = items;
  const same = active === undefined ? undefined : items.find(({ id }) => id === active);
  if (same) {
    pick.activeItems = [same];
  }
}

function separator(label: string): Found {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function nothing(label: string): Found {
  return { label, alwaysShow: true };
}
