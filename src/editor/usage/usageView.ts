import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import { runInSlices } from '../../core/base/runInSlices.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { costsBySite } from '../../core/usage/usageTotals.ts';
import { composeUsage, shownConnection } from '../../core/usage/view/composeUsage.ts';
import { exportText } from '../../core/usage/view/exportCalls.ts';
import {
  type UsageAction,
  type UsageButton,
  type UsageChoice,
  usageAction,
  usageChoice,
} from '../../core/usage/view/usageDocument.ts';
import { chosenMatch } from '../../core/usage/view/usageTables.ts';
import { isChosen, spanOf, tallyUsage } from '../../core/usage/view/usageTally.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import type { Log } from '../ui/log.ts';
import { showDefect } from '../ui/messages.ts';
import { runCommand, usageViewType } from '../ui/registrations.ts';
import { loadPage } from '../ui/webviewPage.ts';
import { dailyLimits } from './dailyLimits.ts';
import type { UsageMatching } from './usageMatching.ts';

/** The conversations of calls. */
type CalledConversations = {
  /** The titles of those that can be opened. */
  readonly titles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly open: (id: string) => Promise<unknown>;
};

/** Calls that are shown at first, and that are added by each *Show More*. */
const callsAtOnce = 50;
/** Calls that end at the same moment, such as those of a comparison, are read together. */
const delayMs = 200;

/**
 * The view of what calls cost, in a panel of its own; there is at most one.
 *
 * @param dist the folder of the build, with the script and styles of the page.
 * @param home where file dialogs start when no folder is open.
 * @param noteGesture called when the person clicks in the view.
 */
export function openUsageView(
  log: Log,
  clock: Clock,
  ledger: Ledger,
  connections: Pick<Connections, 'all' | 'find'>,
  matching: UsageMatching,
  conversations: CalledConversations,
  dist: vscode.Uri,
  home: vscode.Uri,
  noteGesture: () => void,
) {
  let panel: vscode.WebviewPanel | undefined;
  let chosen: UsageChoice = { period: 'week' };
  let most = callsAtOnce;
  /** The connection that all of the view is about. */
  let shownId: string | undefined;
  let due: Disposable | undefined;
  /** Counts the updates, so that only the last one is shown. */
  let updates = 0;

  function show(): void {
    if (panel) {
      panel.reveal();
    } else {
      const options = { enableFindWidget: true };
      open(vscode.window.createWebviewPanel(usageViewType, '', vscode.ViewColumn.Active, options));
    }
  }

  /** Restores the panel after the window was reloaded. */
  function restore(surface: vscode.WebviewPanel, state: unknown): void {
    chosen = z.safeParse(usageChoice, state).data ?? chosen;
    panel?.dispose();
    open(surface);
  }

  function dispose(): void {
    panel?.dispose();
  }

  function open(surface: vscode.WebviewPanel): void {
    const { webview } = surface;
    panel = surface;
    surface.title = l10n.t('Usage');
    const store = new DisposableStore();
    store.add(
      webview.onDidReceiveMessage((received: unknown) => {
        const { data: action, error } = z.safeParse(usageAction, received);
        if (action === undefined) {
          log.warn(`The usage view sent what is no message: ${error?.issues.map(({ path }) => path.join('.'))}`);
          return;
        }
        // The page sends the others by itself.
        if (!['ready', 'broken'].includes(action.type)) {
          noteGesture();
        }
        act(action).catch(fail);
      }),
    );
    store.add(ledger.onDidChange(() => showSoon()));
    store.add(matching.onDidChange(() => showSoon()));
    store.add(vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration('askModel') && showSoon()));
    store.add(
      surface.onDidDispose(() => {
        store.dispose();
        due?.dispose();
        due = undefined;
        if (panel === surface) {
          panel = undefined;
        }
      }),
    );
    loadPage(surface, dist, { name: 'usage', title: surface.title, allowed: ["trusted-types 'none'"] });
  }

  async function act(action: UsageAction): Promise<void> {
    switch (action.type) {
      case 'ready':
        return refresh();
      case 'period':
        return choose({ period: action.period });
      case 'filter':
        return choose({ [action.by]: action.value });
      case 'showMore':
        most += callsAtOnce;
        return refresh();
      case 'toggleDifferences':
        return choose({ isDifferences: !chosen.isDifferences });
      case 'match':
        await (shownId && matching.match(shownId));
        return;
      case 'importLog':
        await (shownId && matching.importLog(shownId));
        return;
      case 'export':
        return exportCalls();
      case 'openConsole':
        await runCommand('askModel.openConsole', shownId, 'usage');
        return;
      case 'statePrice':
        await runCommand('askModel.statePrice', action.model);
        return;
      case 'openConversation':
        await conversations.open(action.id);
        return;
      case 'broken':
        log.defect('The usage view', new Error(action.message));
        return;
      default:
        return action satisfies never;
    }
  }

  /** Writes the calls that the choice selects to a file that the person names. */
  async function exportCalls(): Promise<void> {
    const choice = chosen;
    const { from, to } = spanOf(choice.period, clock.now());
    const filters = { CSV: ['csv'], JSON: ['json'] };
    const target = await askExportFile(home, 'ask-model-usage.csv', l10n.t('Export Usage'), filters);
    if (target === undefined) {
      return;
    }
    const known = new Map(connections.all.map((each) => [each.id, { name: each.name, host: each.url.host }]));
    const format = target.path.endsWith('.json') ? 'json' : 'csv';
    const { calls } = await ledger.callsBetween(from, to);
    const exported = calls.filter((call) => isChosen(choice, call)).sort((one, other) => one.at - other.at);
    await writeExport(
      target,
      exportText(format, exported, (id) => known.get(id) ?? { name: id }),
    );
  }

  function choose(change: Partial<UsageChoice>): Promise<void> {
    chosen = { ...chosen, ...change };
    most = callsAtOnce;
    return refresh();
  }

  function showSoon(): void {
    // A hidden page sends `ready` when it is shown again.
    if (panel?.visible) {
      due ??= clock.after(delayMs, () => {
        due = undefined;
        refresh().catch(fail);
      });
    }
  }

  const fail = (error: unknown) => showDefect(log, 'The usage view', error);

  /** Reads the calls and the titles of their conversations, and shows them. */
  async function refresh(): Promise<void> {
    const update = ++updates;
    const choice = chosen;
    const costOf = costsBySite(connections.all);
    const now = clock.now();
    const { from, to } = spanOf(choice.period, now);
    const tally = await runInSlices(clock, tallyUsage(await ledger.callsBetween(from, to), now, choice, costOf));
    const ids = connections.all.map(({ id }) => id);
    const shown = shownConnection(choice, tally.called, ids);
    const result = shown === undefined ? undefined : matching.resultOf(shown);
    const match = result && chosenMatch(result, choice);
    const compared = match && choice.isDifferences ? match.findings.flatMap(({ call }) => call ?? []) : [];
    const called = [...tally.calls.slice(0, most), ...compared].flatMap(({ conversation }) => conversation ?? []);
    const titles = await conversations.titles(called).catch((error: unknown) => {
      fail(error);
      return undefined;
    });
    if (update !== updates) {
      return;
    }
    shownId = shown;
    const limits = dailyLimits();
    const document = composeUsage({
      ...tally,
      most,
      costOf,
      choice,
      connections: ids,
      connectionName: (id) => connections.find(id)?.name ?? id,
      titles,
      limits: typeof limits === 'string' ? undefined : limits,
      match,
      logButtons: shown === undefined ? [] : logButtons(),
      hasConsole: shown !== undefined && ids.includes(shown),
    });
    void panel?.webview.postMessage(document);
  }

  return { show, restore, dispose };
}

function logButtons(): UsageButton[] {
  return [
    { text: l10n.t("Match with the Gateway's Log"), action: { type: 'match' } },
    { text: l10n.t('Import a Log…'), action: { type: 'importLog' } },
  ];
}
