import * as vscode from 'vscode';
import { DisposableStore } from './core/base/lifetime.ts';
import { configureLocalization } from './core/base/localization.ts';
import { once } from './core/base/once.ts';
import { CallGate, openSenders } from './core/chat/sending/callGate.ts';
import { PaidActions } from './core/chat/sending/paidActions.ts';
import { openQuestionCosts } from './core/chat/sending/questionCosts.ts';
import { checkConnection } from './core/check/checkConnection.ts';
import { RecentErrors } from './core/check/diagnostics.ts';
import type { Transport } from './core/http/transport.ts';
import { confirmPaid } from './editor/actions/askCommands.ts';
import { ChangeCommands } from './editor/actions/changeCommands.ts';
import { deleteAllData } from './editor/actions/deleteAllData.ts';
import { developmentApi } from './editor/actions/developmentApi.ts';
import { EditorActions } from './editor/actions/editorActions.ts';
import { openActions } from './editor/actions/openActions.ts';
import { GitChanges } from './editor/code/gitChanges.ts';
import { WorkspaceFiles } from './editor/code/workspaceFiles.ts';
import { ensureConnected as connectIfNeeded } from './editor/connections/connect.ts';
import { connectionCommands } from './editor/connections/connectionCommands.ts';
import { clearSecrets, installationSecret } from './editor/connections/installationSecret.ts';
import { networkSettings } from './editor/connections/networkSettings.ts';
import { openConnections } from './editor/connections/openConnections.ts';
import { openConversations } from './editor/conversations/openConversations.ts';
import { CallerConsent } from './editor/languageModels/callerConsent.ts';
import { LanguageModels } from './editor/languageModels/languageModels.ts';
import { openModels } from './editor/models/openModels.ts';
import { showStatusItems } from './editor/models/statusItem.ts';
import { openPanels } from './editor/panel/openPanels.ts';
import type { LastEditor } from './editor/ui/lastEditor.ts';
import { Log } from './editor/ui/log.ts';
import type { LazyTree } from './editor/ui/registrations.ts';
import { Remembered } from './editor/ui/remembered.ts';
import { ShownTexts } from './editor/ui/shownTexts.ts';
import { openLedger, openUsage } from './editor/usage/openUsage.ts';
import { openUsageMatching } from './editor/usage/usageMatching.ts';
import { openUsageView } from './editor/usage/usageView.ts';
import { conversationFiles } from './node/files/conversationFiles.ts';
import { ledgerFiles } from './node/files/ledgerFiles.ts';
import { modelListFiles } from './node/files/modelListFiles.ts';
import { ignoredByGit, readGit } from './node/system/gitFiles.ts';
import { systemClock as clock, homeFolder, keyFingerprint, realPath, systemName } from './node/system/machine.ts';

/** All of the extension except its entry point, `extension.ts`. */
export type App = ReturnType<typeof openApp>;

/** Creates all parts of the extension and connects them. Reads no file and sends nothing. */
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
  const remembered = new Remembered(context.globalState);
  const shared = { store, log, clock, remembered };
  const folder = (name: string) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const fingerprint = keyFingerprint(() => installationSecret(context.secrets));
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const home = vscode.Uri.file(homeFolder());
  const documents = store.add(new ShownTexts(log));
  const paid = new PaidActions(clock, confirmPaid);
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
      return (kind === Keyboard || kind === Mouse) && paid.noteGesture();
    }),
  );
  for (const { view } of [tree, conversationsTree]) {
    store.add(view.onDidChangeSelection(({ selection }) => selection.length > 0 && paid.noteGesture()));
  }
  const { version } = context.extension.packageJSON as { version: string };
  const userAgent = `ask-model/${version}`;
  const environment = { ...process.env };
  // With the first request, so that a window without requests does not load undici.
  const network = once(async () => {
    const { openNetwork } = await import('./node/network/undiciTransport.ts');
    return openNetwork(networkSettings, environment);
  });
  // When loading failed, the requests already got the error.
  store.add({
    dispose: () =>
      void network.ifCalled()?.then(
        ({ close }) => close(),
        () => undefined,
      ),
  });
  const send: Transport = async (request, signal) => (await network()).send(request, signal);
  const opened = openConnections(shared, context.secrets, send, environment, userAgent, errors);
  const { connections, accounts, client, keys, connecting } = opened;
  const ensureConnected = () => connectIfNeeded(connecting);
  const ledger = openLedger(shared, ledgerFiles(context.globalStorageUri.fsPath));
  const lists = modelListFiles(folder('models'), clock);
  const models = openModels(shared, connections, accounts, opened.listModels, ledger, lists, fingerprint, tree);
  const { catalogue, pickModel } = models;
  store.add(opened.onDidChangeRoutes(() => catalogue.state.status === 'keyInClear' && catalogue.forget()));
  const usage = openUsage(shared, ledger, connections, models.pricesOf);
  const calls = new CallGate({ client, limiter: usage.limiter, priceNow: models.priceNow, clock, log });
  const senders = openSenders(connections, calls, userAgent, remembered.ofConnections('withoutUsage'));
  const costs = store.add(
    openQuestionCosts(ledger, connections, models.priceNow, clock, (error) =>
      log.defect('The usage data could not be read', error),
    ),
  );
  const gateways = {
    connections,
    accounts,
    catalogue,
    costs,
    ledger,
    limiter: usage.limiter,
    keys,
    senders,
    ensureConnected,
    pickModel,
  };
  const files = new WorkspaceFiles(ignoredByGit, realPath);
  const git = new GitChanges(readGit);
  const panels = openPanels(
    shared,
    context,
    gateways,
    conversationFiles(folder('conversations')),
    files,
    git,
    lastEditor,
    paid,
    documents,
    home,
  );
  const { questionSettings } = panels;
  const conversations = openConversations(shared, conversationsTree, panels, home);
  const usageView = once(() => {
    const matching = openUsageMatching(ledger(), clock, connections, remembered, accounts);
    const called = {
      titles: (ids: readonly string[]) => conversations.stored.titles(ids),
      open: async (id: string) => (await panels.panels()).show(id),
    };
    return store.add(
      openUsageView(log, clock, ledger(), connections, matching, called, dist, home, () => paid.noteGesture()),
    );
  });
  const consent = new CallerConsent(log, remembered);
  const languageModels = store.add(
    new LanguageModels({
      catalogue,
      clock,
      log,
      senders,
      ensureConnected,
      consent,
    }),
  );
  store.add(showStatusItems(catalogue, usage.today));
  const asking = {
    gateways,
    panels: panels.panels,
    lastEditor,
    paid,
    priceOf: models.pricing.priceOf,
    remembered,
  };
  const editor = new EditorActions(asking, panels.changes, panels.sources);
  const changeCommands = new ChangeCommands(asking, panels.sources);
  const ofConnections = connectionCommands({
    connecting,
    accounts,
    documents,
    checkSteps: (connection, key, signal) =>
      checkConnection(client, clock, networkSettings(), environment, connection, key, signal),
    openSettings: (connection, kind) => questionSettings.openOfConnection(connection, kind),
    diagnostics: {
      connections,
      clock,
      extension: context.extension,
      version,
      system: systemName(),
      runtime: process.version,
      errors,
      redact: (text) => log.redact(text),
    },
  });
  return {
    commands: openActions(
      log,
      asking,
      models,
      documents,
      panels.changes,
      changeCommands,
      editor,
      conversations.commands,
      {
        ...ofConnections,
        'askModel.showUsage': () => usageView().show(),
        'askModel.clearUsage': usage.clear,
        'askModel.deleteAllData': async () =>
          deleteAllData(
            log,
            connections,
            conversations.stored,
            ledger(),
            remembered,
            () => clearSecrets(context.secrets),
            context.globalStorageUri,
          ),
        'askModel.revokeExtension': () => consent.revoke(),
      },
    ),
    /** The rows of the models view. */
    view: models.view,
    /** The rows of the conversations view. */
    conversations: conversations.view,
    languageModels,
    questionSettings,
    api: developmentApi(connections, connecting.check),
    restorePanel: async (panel: vscode.WebviewPanel, state: unknown) => (await panels.panels()).restore(panel, state),
    restoreUsage: (panel: vscode.WebviewPanel, state: unknown) => usageView().restore(panel, state),
    /** Waits until everything that was shown is saved. */
    settled: async () => {
      await Promise.all([panels.conversations.settled(), calls.settled()]);
    },
    dispose: () => store.dispose(),
  };
}
