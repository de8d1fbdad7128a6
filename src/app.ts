import * as vscode from 'vscode';
import { DisposableStore } from './core/base/lifetime.ts';
import { once } from './core/base/once.ts';
import { PaidActions } from './core/chat/sending/paidActions.ts';
import { confirmPaid } from './editor/actions/confirmPaid.ts';
import { type DevelopmentActions, developmentApi } from './editor/actions/developmentApi.ts';
import { type Commands, openActions } from './editor/actions/openActions.ts';
import { installationSecret } from './editor/connections/installationSecret.ts';
import { WatchedNetworkSettings } from './editor/connections/networkSettings.ts';
import { openConnections } from './editor/connections/openConnections.ts';
import { openConversations } from './editor/conversations/openConversations.ts';
import type { LanguageModels } from './editor/languageModels/languageModels.ts';
import { openLanguageModels } from './editor/languageModels/openLanguageModels.ts';
import { openModels } from './editor/models/openModels.ts';
import { StatusItem } from './editor/models/statusItem.ts';
import { openPanels } from './editor/panel/openPanels.ts';
import type { LastEditor } from './editor/ui/lastEditor.ts';
import type { LazyTree, TreeRows } from './editor/ui/lazyTree.ts';
import { Log } from './editor/ui/log.ts';
import { Remembered } from './editor/ui/remembered.ts';
import { lazyTransport } from './node/network/lazyTransport.ts';
import { keyFingerprint } from './node/system/keyFingerprint.ts';
import { homeFolder, systemName } from './node/system/machine.ts';
import { systemClock as clock } from './node/system/systemClock.ts';

/** All of the extension but its front door. */
export type App = {
  readonly commands: Commands;
  /** The rows of the list of models. */
  readonly view: TreeRows;
  /** The rows of the list of conversations. */
  conversations(): Promise<TreeRows>;
  /** The models for the rest of VS Code. */
  languageModels(): Promise<LanguageModels>;
  readonly api: DevelopmentActions;
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
    environment: { ...process.env },
    secrets: context.secrets,
    fingerprint,
    version,
    userAgent: `ask-model/${version}`,
    system: systemName,
  });
  const models = openModels({
    ...shared,
    ...connections,
    lists: once(async () => (await import('./node/files/modelListFiles.ts')).modelListFiles(folder('models'))),
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
    files: async () => (await import('./node/files/conversationFiles.ts')).conversationFiles(folder('conversations')),
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
