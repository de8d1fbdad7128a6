import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import type { DailyLimits } from '../../core/usage/limits.ts';
import { costsBySite } from '../../core/usage/usageTotals.ts';
import { composeUsage, shownConnection } from '../../core/usage/view/composeUsage.ts';
import { exportRow, exportText } from '../../core/usage/view/exportCalls.ts';
import {
  type UsageAction,
  type UsageButton,
  type UsageChoice,
  usageAction,
  usageChoice,
} from '../../core/usage/view/usageDocument.ts';
import { callsInDifferences, chosenMatch } from '../../core/usage/view/usageTables.ts';
import { isChosen, readUsage, spanOf } from '../../core/usage/view/usageTally.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { runCommand, usageViewType } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import { escaped, webviewPage } from '../ui/webviewPage.ts';
import { UsageMatching, type UsageMatchingPorts } from './usageMatching.ts';

export type UsageViewPorts = Pick<SharedPorts, 'log'> &
  UsageMatchingPorts & {
    /** The folder of the build, with the script and styles of the page. */
    readonly dist: vscode.Uri;
    /** Where file dialogs start when no folder is open. */
    readonly home: vscode.Uri;
    readonly limits: () => DailyLimits | string;
    /** The titles of those conversations that can be opened. */
    readonly conversationTitles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
    readonly openConversation: (id: string) => Promise<unknown>;
    /** Called when the person clicks in the view. */
    readonly noteGesture: () => void;
  };

type Matching = Pick<UsageMatching, 'match' | 'import' | 'resultOf' | 'onDidChange' | 'dispose'>;

/** Calls that are shown at first, and that are added by each *Show More*. */
const callsAtOnce = 50;
/** Calls that end at the same moment, such as those of a comparison, are read together. */
const delayMs = 200;

/** The view of what calls cost, in a panel of its own; there is at most one. */
export class UsageView implements Disposable {
  readonly #ports: UsageViewPorts;
  /** Compares the calls with logs of gateways. */
  readonly #matching: Matching;
  #surface: vscode.WebviewPanel | undefined;
  #choice: UsageChoice = { period: 'week' };
  #most = callsAtOnce;
  /** The connection that all of the view is about. */
  #shown: string | undefined;
  #titles: ReadonlyMap<string, string | undefined> = new Map();
  #due: Disposable | undefined;
  /** Counts the updates, so that only the last one is shown. */
  #update = 0;

  constructor(ports: UsageViewPorts, matching: Matching = new UsageMatching(ports)) {
    this.#ports = ports;
    this.#matching = matching;
  }

  show(): void {
    if (this.#surface) {
      this.#surface.reveal();
    } else {
      const options = { enableFindWidget: true };
      this.#open(vscode.window.createWebviewPanel(usageViewType, '', vscode.ViewColumn.Active, options));
    }
  }

  /** Restores the panel after the window was reloaded. */
  restore(surface: vscode.WebviewPanel, state: unknown): void {
    this.#choice = z.safeParse(usageChoice, state).data ?? this.#choice;
    this.#surface?.dispose();
    this.#open(surface);
  }

  dispose(): void {
    this.#surface?.dispose();
    this.#matching.dispose();
  }

  #open(surface: vscode.WebviewPanel): void {
    const { dist, ledger, log } = this.#ports;
    const { webview } = surface;
    this.#surface = surface;
    surface.title = l10n.t('Usage');
    const icon = (theme: string) => vscode.Uri.joinPath(dist, '..', 'media', `panel-${theme}.svg`);
    surface.iconPath = { light: icon('light'), dark: icon('dark') };
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    const store = new DisposableStore();
    store.add(
      webview.onDidReceiveMessage((received: unknown) => {
        const { data: action, error } = z.safeParse(usageAction, received);
        if (action === undefined) {
          log.warn(`The usage view sent what is no message: ${error?.issues.map(({ path }) => path.join('.'))}`);
          return;
        }
        if (action.type !== 'ready') {
          this.#ports.noteGesture();
        }
        this.#act(action).catch((error: unknown) => this.#fail(error));
      }),
    );
    store.add(ledger().onDidChange(() => this.#showSoon()));
    store.add(this.#matching.onDidChange(() => this.#showSoon()));
    store.add(vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration('askModel') && this.#showSoon()));
    store.add(
      surface.onDidDispose(() => {
        store.dispose();
        this.#due?.dispose();
        this.#due = undefined;
        if (this.#surface === surface) {
          this.#surface = undefined;
        }
      }),
    );
    webview.html = usageHtml(webview, dist);
  }

  async #act(action: UsageAction): Promise<void> {
    const { openConversation, log } = this.#ports;
    switch (action.type) {
      case 'ready':
        return this.#show();
      case 'period':
        return this.#choose({ period: action.period });
      case 'filter':
        return this.#choose({ [action.by]: action.value });
      case 'toggleTable':
        return this.#choose({ isTable: !this.#choice.isTable });
      case 'showMore':
        this.#most += callsAtOnce;
        return this.#show();
      case 'toggleDifferences':
        return this.#choose({ isDifferences: !this.#choice.isDifferences });
      case 'match':
        await (this.#shown && this.#matching.match(this.#shown));
        return;
      case 'importLog':
        await (this.#shown && this.#matching.import(this.#shown));
        return;
      case 'export':
        return this.#export();
      case 'openConsole':
        await runCommand('askModel.openConsole', this.#shown, 'usage');
        return;
      case 'statePrice':
        await runCommand('askModel.statePrice', action.model);
        return;
      case 'openConversation':
        await openConversation(action.id);
        return;
      case 'broken':
        log.defect('The usage view', new Error(action.message));
        return;
      default:
        return action satisfies never;
    }
  }

  /** Writes the calls that the choice selects to a file that the person names. */
  async #export(): Promise<void> {
    const { clock, home, ledger, connections } = this.#ports;
    const choice = this.#choice;
    const { from, to } = spanOf(choice.period, clock.now());
    const filters = { CSV: ['csv'], JSON: ['json'] };
    const target = await askExportFile(home, 'ask-model-usage.csv', l10n.t('Export Usage'), filters);
    if (target === undefined) {
      return;
    }
    const known = new Map(connections().map((each) => [each.id, each]));
    const format = target.path.endsWith('.json') ? 'json' : 'csv';
    const rows: { readonly at: number; readonly text: string }[] = [];
    await ledger().visit(from, to, (call) => {
      if (isChosen(choice, call)) {
        const connection = known.get(call.connection) ?? { name: call.connection };
        rows.push({ at: call.at, text: exportRow(format, call, ledger().stateOf(call), connection) });
      }
    });
    rows.sort((one, other) => one.at - other.at);
    await writeExport(
      target,
      exportText(
        format,
        rows.map(({ text }) => text),
      ),
    );
  }

  #choose(change: Partial<UsageChoice>): Promise<void> {
    this.#choice = { ...this.#choice, ...change };
    this.#most = callsAtOnce;
    return this.#show();
  }

  #showSoon(): void {
    // A hidden page sends `ready` when it is shown again.
    if (this.#surface?.visible) {
      this.#due ??= this.#ports.clock.after(delayMs, () => {
        this.#due = undefined;
        this.#show().catch((error: unknown) => this.#fail(error));
      });
    }
  }

  #fail(error: unknown): void {
    const { log } = this.#ports;
    log.defect('The usage view', error);
    const reason = log.redact(error instanceof Error ? error.message : String(error));
    void showErrorMessage(l10n.t('Ask Model ran into an error: {0}', reason));
  }

  /** Reads the calls and shows them; then the titles of their conversations, if they are new. */
  async #show(): Promise<void> {
    const update = ++this.#update;
    const isCurrent = () => update === this.#update;
    const post = await this.#prepare();
    if (!isCurrent()) {
      return;
    }
    const ids = post();
    const found = await this.#ports.conversationTitles(ids);
    const titles = new Map(ids.map((id) => [id, found.get(id)]));
    if (isCurrent() && ids.some((id) => !this.#titles.has(id) || this.#titles.get(id) !== titles.get(id))) {
      this.#titles = titles;
      post();
    }
  }

  /** @returns a function that shows the document, and returns the ids of its conversations. */
  async #prepare(): Promise<() => string[]> {
    const choice = this.#choice;
    const ledger = this.#ports.ledger();
    const connections = this.#ports.connections();
    const costOf = costsBySite(connections);
    const read = await readUsage(ledger, this.#ports.clock.now(), choice, this.#most, costOf);
    const limits = this.#ports.limits();
    const ids = connections.map(({ id }) => id);
    return () => {
      const shown = shownConnection(choice, read.tally, ids);
      const result = shown === undefined ? undefined : this.#matching.resultOf(shown);
      const match = result && chosenMatch(result, choice);
      const compared = match && choice.isDifferences ? callsInDifferences(match) : [];
      this.#shown = shown;
      const document = composeUsage({
        ...read,
        costOf,
        stateOf: (call) => ledger.stateOf(call),
        choice,
        connections: ids,
        connectionName: (id) => connections.find((each) => each.id === id)?.name ?? id,
        titles: this.#titles,
        limits: typeof limits === 'string' ? undefined : limits,
        match,
        logButtons: shown === undefined ? [] : logButtons(),
        hasConsole: shown !== undefined && ids.includes(shown),
      });
      void this.#surface?.webview.postMessage(document);
      return [...read.tally.latest, ...compared].flatMap(({ conversation }) => conversation ?? []);
    };
  }
}

function logButtons(): UsageButton[] {
  return [
    { text: l10n.t("Match with the Gateway's Log"), action: { type: 'match' } },
    { text: l10n.t('Import a Log…'), action: { type: 'importLog' } },
  ];
}

/** The HTML of the page. Its policy allows only the script with the nonce and styles from the extension's folder. */
function usageHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  return webviewPage(
    [
      `script-src 'nonce-${nonce}'`,
      `style-src ${webview.cspSource}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ],
    `<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(l10n.t('Usage'))}</title>
<link rel="stylesheet" href="${file('usage.css')}">`,
    `<main id="app"></main>
<script nonce="${nonce}" src="${file('usage.js')}"></script>`,
  );
}
