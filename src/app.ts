import * as vscode from 'vscode';
import { DisposableStore } from './core/base/lifetime.ts';
import { configureLocalization } from './core/base/localization.ts';
import { amountOf } from './core/base/loose.ts';
import { once } from './core/base/once.ts';
import { PaidActions } from './core/chat/sending/paidActions.ts';
import { QuestionCosts } from './core/chat/sending/questionCosts.ts';
import { RecentErrors } from './core/check/diagnostics.ts';
import { confirmPaid } from './editor/actions/askCommands.ts';
import { deleteAllData } from './editor/actions/deleteAllData.ts';
import { developmentApi } from './editor/actions/developmentApi.ts';
import { openActions } from './editor/actions/openActions.ts';
import { clearSecrets, installationSecret } from './editor/connections/installationSecret.ts';
import { WatchedNetworkSettings } from './editor/connections/networkSettings.ts';
import { openConnections } from './editor/connections/openConnections.ts';
import { openConversations } from './editor/conversations/openConversations.ts';
import { CallerConsent } from './editor/languageModels/callerConsent.ts';
import { LanguageModels } from './editor/languageModels/languageModels.ts';
import { openModels } from './editor/models/openModels.ts';
import { StatusItem } from './editor/models/statusItem.ts';
import { type OpenedPanels, openPanels } from './editor/panel/openPanels.ts';
import { UnscannedFiles } from './editor/panel/secretRequests.ts';
import { QuestionSettings } from './editor/settingFiles/questionSettings.ts';
import type { LastEditor } from './editor/ui/lastEditor.ts';
import { Log } from './editor/ui/log.ts';
import type { LazyTree } from './editor/ui/registrations.ts';
import { Remembered } from './editor/ui/remembered.ts';
import { openUsage } from './editor/usage/openUsage.ts';
import { UsageMatching } from './editor/usage/usageMatching.ts';
import { UsageView } from './editor/usage/usageView.ts';
import { conversationFiles } from './node/files/conversationFiles.ts';
import { ledgerFiles } from './node/files/ledgerFiles.ts';
import { modelListFiles } from './node/files/modelListFiles.ts';
import { lazyTransport } from './node/network/lazyTransport.ts';
import { ignoredByGit } from './node/system/gitFiles.ts';
import {
  systemClock as clock,
  homeFolder,
  keyFingerprint,
  nodeVersion,
  realPath,
  systemName,
} from './node/system/machine.ts';

/** All of the extension except its entry point, `extension.ts`. */
export type App = ReturnType<typeof openApp>;

/** Creates all parts of the extension and connects them. Touches neither disk nor network. */
export function openApp(
  context: vscode.ExtensionContext,
  tree: LazyTree,
  conversationsTree: LazyTree,
  lastEditor: LastEditor,
) {
  configureLocalization({ language: vscode.env.language, texts: vscode.l10n.bundle });
  const store = new DisposableStore();
  const errors = new RecentErrors(clock);
  const log = store.add(new Log((where, error) => errors.defect(where, error)));
  const shared = { store, log, clock, remembered: new Remembered(context.globalState) };
  const { version } = context.extension.packageJSON as { version: string };
  const folder = (name: string) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const fingerprint = keyFingerprint(() => installationSecret(context.secrets));
  const settings = store.add(new WatchedNetworkSettings());
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const home = vscode.Uri.file(homeFolder());
  const paid = new PaidActions(clock, confirmPaid);
  const usedConnections = () =>
    connections.connections.all.map(({ id, name, url, creditUnit }) => {
      return { id, name, creditUnit, host: new URL(url.base).host };
    });
  const usage = openUsage(shared, ledgerFiles(context.globalStorageUri.fsPath), usedConnections, (connection, model) =>
    models.pricesOf(connection, model),
  );
  const connections = openConnections(shared, context, {
    limiter: usage.limiter,
    priceNow: (connection, model) => models.priceNow(connection, model),
    settings,
    network: store.add(lazyTransport(() => settings.current)),
    environment: { ...process.env },
    fingerprint,
    system: systemName(),
    runtime: nodeVersion(),
    errors,
    openSettings: (connection, kind) => questionSettings.openOfConnection(connection, kind),
  });
  const groupRatio = shared.remembered.ofConnections('groupRatio');
  const models = openModels(shared, {
    connections: connections.connections,
    unchecked: connections.unchecked,
    listModels: connections.listModels,
    onDidAnswer: connections.onDidAnswer,
    onDidChangeRoutes: connections.onDidChangeRoutes,
    ledger: usage.ledger,
    readPriceList: (id) => connections.accounts.prices(id, () => amountOf(groupRatio.read(id))),
    lists: modelListFiles(folder('models')),
    fingerprint,
    tree,
  });
  const costs = store.add(
    new QuestionCosts(usage.ledger, connections.connections, models.priceNow, clock, (error) =>
      log.defect('The usage data could not be read', error),
    ),
  );
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
      return (kind === Keyboard || kind === Mouse) && paid.noteGesture();
    }),
  );
  for (const { view } of [tree, conversationsTree]) {
    store.add(view.onDidChangeSelection(({ selection }) => selection.length > 0 && paid.noteGesture()));
  }
  const loaded = async () => (await panels.panels()).conversations;
  const questionSettings = new QuestionSettings(store, log, clock, connections.connections, {
    find: async (id) => (await loaded()).find(id),
    change: async (id, change) => (await loaded()).change(id, change),
    begin: async (id) => (await loaded()).begin(id),
    isOnDisk: async (id) => (await panels.conversationStore()).isOnDisk(id),
  });
  const panels: OpenedPanels = openPanels({
    ...shared,
    ...connections,
    ...models,
    questionSettings,
    ledger: usage.ledger,
    tokenFactor: usage.tokenFactor,
    costs,
    paid,
    lastEditor,
    unscanned: new UnscannedFiles(context.workspaceState),
    conversationFiles: conversationFiles(folder('conversations')),
    ignoredByGit,
    realPath,
    home,
    dist,
    version,
  });
  const conversations = openConversations({ ...shared, ...panels, home, tree: conversationsTree });
  const usageView = once(() => {
    const matching = new UsageMatching(
      usage.ledger(),
      clock,
      usedConnections,
      shared.remembered,
      (id, signal) => connections.accounts.log(id, signal),
      (id) => connections.connections.change({ id }, { probes: true }),
    );
    const called = {
      titles: async (ids: readonly string[]) => (await conversations.stored()).titles(ids),
      open: async (id: string) => (await panels.panels()).show(id),
    };
    return store.add(
      new UsageView(log, clock, usage.ledger(), usedConnections, matching, called, dist, home, () =>
        paid.noteGesture(),
      ),
    );
  });
  const consent = new CallerConsent(log, shared.remembered);
  const languageModels = store.add(
    new LanguageModels({
      catalogue: models.catalogue,
      clock,
      log,
      connectionId: () => connections.connections.active?.id,
      findSender: connections.findSender,
      lock: async (id) => (await panels.conversationStore()).lock(id),
      setWithoutUsage: (id) => shared.remembered.ofConnections('withoutUsage').write(id, true),
      ensureConnected: connections.ensureConnected,
      consent,
    }),
  );
  store.add(new StatusItem(models.catalogue, usage.today));
  const asking = {
    catalogue: models.catalogue,
    pickModel: models.pickModel,
    panels: panels.panels,
    lastEditor,
    ensureConnected: connections.ensureConnected,
    host: connections.host,
    paid,
  };
  return {
    commands: openActions({
      log,
      asking,
      comparing: {
        connections: connections.connections,
        costs,
        pricing: models.pricing,
        remembered: shared.remembered,
      },
      models: { ...models, ensureConnected: connections.ensureConnected },
      showUsage: () => usageView().show(),
      clearUsage: usage.clear,
      connectionCommands: connections.connectionCommands,
      conversations: conversations.conversations,
      changes: panels.changes,
      revokeExtension: () => consent.revoke(),
      deleteAllData: () =>
        deleteAllData({
          log,
          remembered: shared.remembered,
          connections: connections.connections,
          stored: conversations.stored,
          ledger: usage.ledger,
          clearSecrets: () => clearSecrets(context.secrets),
          folder: context.globalStorageUri,
        }),
    }),
    /** The rows of the models view. */
    view: models.view,
    /** The rows of the conversations view. */
    conversations: conversations.rows,
    languageModels,
    questionSettings,
    api: developmentApi(connections.connections, connections.check, (id) => consent.allow(id)),
    restorePanel: async (panel: vscode.WebviewPanel, state: unknown) => (await panels.panels()).restore(panel, state),
    restoreUsage: (panel: vscode.WebviewPanel, state: unknown) => usageView().restore(panel, state),
    /** Waits until everything that was shown is saved. */
    settled: async () => {
      await Promise.all([panels.settled(), connections.callsSettled()]);
    },
    dispose: () => store.dispose(),
  };
}
