import * as vscode from 'vscode';
import { PaidActions } from './core/chat/paidActions.ts';
import { DisposableStore } from './core/lifetime.ts';
import { routeVariables } from './core/network/route.ts';
import { once } from './core/once.ts';
import { confirmPaid } from './editor/confirmPaid.ts';
import { type DevelopmentApi, developmentApi } from './editor/developmentApi.ts';
import { installationSecret } from './editor/installationSecret.ts';
import type { LanguageModels } from './editor/languageModels.ts';
import type { LastEditor } from './editor/lastEditor.ts';
import type { LazyTree, TreeRows } from './editor/lazyTree.ts';
import { Log } from './editor/log.ts';
import { WatchedNetworkSettings } from './editor/networkSettings.ts';
import { type Commands, openActions } from './editor/openActions.ts';
import { openConnections } from './editor/openConnections.ts';
import { openConversations } from './editor/openConversations.ts';
import { openLanguageModels } from './editor/openLanguageModels.ts';
import { openModels } from './editor/openModels.ts';
import { openPanels } from './editor/openPanels.ts';
import { Remembered } from './editor/remembered.ts';
import { StatusItem } from './editor/statusItem.ts';
import { homeFolder } from './node/homeFolder.ts';
import { keyFingerprint } from './node/keyFingerprint.ts';
import { lazyTransport } from './node/lazyTransport.ts';
import { systemClock as clock } from './node/systemClock.ts';
import { systemName } from './node/systemName.ts';

/** All of the extension but its front door. */
export type App = {
  readonly commands: Commands;
  /** The rows of the list of models. */
  readonly view: TreeRows;
  /** The rows of the list of conversations. */
  conversations(): Promise<TreeRows>;
  /** The models for the rest of VS Code. */
  languageModels(): Promise<LanguageModels>;
  readonly api: Omit<DevelopmentApi, 'conversationsFolder'>;
  restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Waits until what was shown is kept. */
  settled(): Promise<void>;
} & vscode.Disposable;

/** What exists before anything is used. */
export type AppDeps = {
  readonly context: vscode.ExtensionContext;
  readonly tree: LazyTree;
  readonly conversationsTree: LazyTree;
  readonly lastEditor: LastEditor;
};

/** Opens every part of the extension and joins them. Touches neither disk nor network. */
export function openApp({ context, tree, conversationsTree, lastEditor }: AppDeps): App {
  const store = new DisposableStore();
  const log = store.add(new Log());
  const shared = { store, log, clock, remembered: new Remembered(context.globalState) };
  const { version } = context.extension.packageJSON as { version: string };
  const folder = (name: string) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const fingerprint = keyFingerprint(() => installationSecret(context.secrets));
  const settings = store.add(new WatchedNetworkSettings());
  const connections = openConnections({
    ...shared,
    settings,
    network: store.add(lazyTransport(() => settings.current)),
    environment: routeVariables(process.env),
    secrets: context.secrets,
    fingerprint,
    version,
    userAgent: `ask-model/${version}`,
    system: systemName,
  });
  const models = openModels({
    ...shared,
    ...connections,
    lists: once(async () => (await import('./node/modelListFiles.ts')).modelListFiles(folder('models'))),
    fingerprint,
    tree,
  });
  const paid = new PaidActions(clock, confirmPaid);
  const home = vscode.Uri.file(homeFolder());
  const panels = openPanels({
    ...shared,
    ...connections,
    ...models,
    paid,
    lastEditor,
    files: async () => (await import('./node/conversationFiles.ts')).conversationFiles(folder('conversations')),
    home,
    dist: vscode.Uri.joinPath(context.extensionUri, 'dist'),
    version,
  });
  const conversations = openConversations({ ...shared, ...panels, home, tree: conversationsTree });
  const { languageModels, consent } = openLanguageModels({ ...shared, ...connections, ...models });
  store.add(new StatusItem(models.catalogue));
  return {
    commands: openActions({ ...shared, ...connections, ...models, ...panels, ...conversations, paid, lastEditor }),
    view: models.view,
    conversations: conversations.rows,
    languageModels,
    api: developmentApi(connections.connections, connections.check, (id) => consent.allow(id)),
    restorePanel: async (panel, state) => (await panels.panels()).restore(panel, state),
    settled: panels.settled,
    dispose: () => store.dispose(),
  };
}
