import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore, KeptConversation } from '../../core/chat/store/conversationStore.ts';
import type { ConversationSummary } from '../../core/chat/store/conversationSummary.ts';
import { searchConversations, type TextHit } from '../../core/chat/store/searchConversations.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';
import { conversationIcon, describeConversation } from './conversationItem.ts';

export type SearchDeps = {
  readonly index: ConversationIndex;
  readonly store: Pick<ConversationStore, 'pieces'>;
  readonly clock: Clock;
};

/** A conversation, and where in it the words were found; see `TextHit`. */
export type FoundConversation = { readonly id: string; readonly place?: string };
type Found = vscode.QuickPickItem & Partial<FoundConversation>;

/** Long enough that a word is not searched letter by letter. */
const restMs = 150;
/** Rows come in batches: a list that is replaced for each hit can not be walked through. */
const batchMs = 100;
const maxHits = 200;
const maxTitles = 50;

/**
 * A pick whose list is what has the typed words: titles at once, then texts while they are being read.
 *
 * @returns what was picked; undefined when the person left.
 */
export function pickBySearch(deps: SearchDeps): Promise<FoundConversation | undefined> {
  return new Promise((resolve, reject) => {
    const pick = createQuickPick<Found>();
    let search = new AbortController();
    let rest: NodeJS.Timeout | undefined;
    // Other windows may have written meanwhile.
    const looked = deps.index.look();
    const finish = (found: FoundConversation | undefined) => {
      clearTimeout(rest);
      search.abort();
      resolve(found);
      pick.dispose();
    };
    const run = () => {
      search.abort();
      search = new AbortController();
      const { signal } = search;
      looked
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
    pick.title = 'Search Conversations';
    pick.placeholder = 'Words of a title, a question, its code or an answer';
    pick.onDidChangeValue(() => {
      search.abort();
      pick.busy = true;
      clearTimeout(rest);
      rest = setTimeout(run, restMs);
    });
    pick.onDidAccept(() => {
      const { id, place } = pick.selectedItems[0] ?? {};
      if (id !== undefined) {
        finish({ id, ...(place !== undefined && { place }) });
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
  // Without words only the newest are shown, and only theirs have to be read.
  const asked = wanted === '' ? entries.slice(0, maxTitles) : entries;
  const summaries = new Map((await index.summaries(asked.map(({ id }) => id))).map((each) => [each.id, each]));
  if (signal.aborted) {
    return;
  }
  const row = (entry: KeptConversation, summary: ConversationSummary, hit?: TextHit): Found => ({
    id: entry.id,
    ...(hit && { place: hit.place, detail: `${places[hit.where]}: ${hit.line}` }),
    label: summary.title,
    description: describeConversation(entry, summary, now),
    iconPath: conversationIcon(summary),
    // The words were found already; the pick must not look for them in labels once more.
    alwaysShow: true,
  });
  const titled = asked.flatMap((entry) => {
    const summary = summaries.get(entry.id);
    return summary?.title.toLowerCase().includes(wanted) ? [{ entry, summary }] : [];
  });
  const byTitle = titled.slice(0, maxTitles).map(({ entry, summary }) => row(entry, summary));
  if (wanted === '') {
    pick.items = (byTitle.length > 0 ? byTitle : [nothing('There is no conversation yet')]).map(plainItem);
    return;
  }
  const byText: Found[] = [];
  const paint = (isDone: boolean) => {
    const items = [
      ...byTitle,
      ...(byText.length > 0
        ? [separator(byText.length < maxHits ? 'in texts' : `in texts, the first ${maxHits}`)]
        : []),
      ...byText,
    ];
    const shown = items.length > 0 || !isDone ? items : [nothing(`Nothing has “${words.trim()}” in it`)];
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

const places: Readonly<Record<TextHit['where'], string>> = { question: 'Question', code: 'Code', answer: 'Answer' };

/** Whoever is walking through the list stays on their row. */
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
