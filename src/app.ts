import * as vscode from 'vscode';
import { chosenStore } from './core/chat/chosenStore.ts';
import { memoryConversations } from './core/chat/memoryConversations.ts';
import { PaidActions } from './core/chat/paidActions.ts';
import { ClearRoutes, guardedTransport } from './core/gateway/clearRoutes.ts';
import { Connections } from './core/gateway/connections.ts';
import { loggedTransport } from './core/gateway/loggedTransport.ts';
import type { Transport } from './core/gateway/transport.ts';
import { UncheckedConnections } from './core/gateway/uncheckedConnections.ts';
import { DisposableStore, Emitter } from './core/lifetime.ts';
import { Catalogue } from './core/models/catalogue.ts';
import { routeVariables } from './core/network/route.ts';
import { once } from './core/once.ts';
import type { CheckKey } from './editor/askKey.ts';
import { CallerConsent } from './editor/callerConsent.ts';
import type { ChatPanels } from './editor/chatPanels.ts';
import { type Commands, commandsOf } from './editor/commands.ts';
import { confirmPaid } from './editor/confirmPaid.ts';
import { connectionStores } from './editor/connectionStores.ts';
import { type DevelopmentApi, developmentApi } from './editor/developmentApi.ts';
import { findSender, seeCall } from './editor/findSender.ts';
import { installationSecret } from './editor/installationSecret.ts';
import { isKeepingConversations } from './editor/keepSetting.ts';
import type { LanguageModels } from './editor/languageModels.ts';
import type { LastEditor } from './editor/lastEditor.ts';
import type { LazyTree, TreeRows } from './editor/lazyTree.ts';
import { Log } from './editor/log.ts';
import { ModelDetails } from './editor/modelDetails.ts';
import { ModelsView } from './editor/modelsView.ts';
import { WatchedNetworkSettings } from './editor/networkSettings.ts';
import { Remembered } from './editor/remembered.ts';
import { StatusItem } from './editor/statusItem.ts';
import { timeouts } from './editor/timeouts.ts';
import { homeFolder } from './node/homeFolder.ts';
import { keyFingerprint } from './node/keyFingerprint.ts';
import { lazyTransport } from './node/lazyTransport.ts';
import { systemClock as clock } from './node/systemClock.ts';
import { systemName } from './node/systemName.ts';

/** All of the extension but its front door. */
export type App = {
  readonly commands: Commands;
  readonly view: ModelsView;
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

/** Builds every object once and introduces them. Touches neither disk nor network. */
export function openApp({ context, tree, conversationsTree, lastEditor }: AppDeps): App {
  const store = new DisposableStore();
  const { version } = context.extension.packageJSON as { version: string };
  const userAgent = `ask-model/${version}`;
  const storage = (name: string) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const log = store.add(new Log());
  const remembered = new Remembered(context.globalState);
  const fingerprint = keyFingerprint(() => installationSecret(context.secrets));
  const lists = once(async () => {
    const { modelListFiles } = await import('./node/modelListFiles.ts');
    return modelListFiles(storage('models'));
  });

  const settings = store.add(new WatchedNetworkSettings());
  const network = store.add(lazyTransport(() => settings.current));
  const routes = new ClearRoutes({
    settings: () => settings.current,
    environment: routeVariables(process.env),
    memory: { read: () => remembered.clearRoutes, write: (accepted) => remembered.setClearRoutes(accepted) },
  });
  const logged = loggedTransport(guardedTransport(network.send, routes), log, clock);
  const transport: Transport = async (request, signal) => {
    const response = await logged(request, signal);
    if (response.status < 300) {
      catalogue.answered(request.url).catch((error) => log.defect('The list of models', error));
    }
    return response;
  };
  const client = once(async () => {
    const { GatewayClient } = await import('./core/gateway/gatewayClient.ts');
    return new GatewayClient({ transport, clock, limits: timeouts, userAgent });
  });
  const check: CheckKey = async (target, signal) => {
    // Typed a moment ago and kept nowhere yet; a gateway may repeat it in its answer all the same.
    log.conceal(target.key);
    return (await client()).listModels(target, signal);
  };

  const connections = store.add(
    new Connections(connectionStores(context.secrets, log, (address) => routes.unacceptedTo(address))),
  );
  const host = () => connections.active && new URL(connections.active.url.base).host;
  const unchecked = store.add(
    new UncheckedConnections({
      read: (id) => remembered.checkState(id),
      write: (id, state) => remembered.setCheckState(id, state),
    }),
  );
  const onUnnoted = (error: unknown) => log.defect('What a call has shown of a connection was not remembered', error);
  const findCallSender = () =>
    findSender(
      connections,
      client,
      (id) => remembered.isWithoutUsage(id),
      (id) => unchecked.answered(id).catch(onUnnoted),
    );
  const connecting = once(async () => {
    const { connectionCommands } = await import('./editor/connectionCommands.ts');
    const { connectMs: connectTimeoutMs } = timeouts;
    const wire = { transport, clock, userAgent, connectTimeoutMs };
    const checkPorts = async () => ({
      ...wire,
      connectTimeoutMs: timeouts.connectMs,
      probe: await network.probe(),
      carrier: settings.current.transport,
    });
    return store.add(
      connectionCommands({
        ...wire,
        connections,
        check,
        unchecked,
        holdsKey: (text) => log.redact(text) !== text,
        routes: {
          routeTo: (address) => routes.routeTo(address),
          accept: async (address, route) => {
            await routes.accept(address, route);
            lookAtRouteAgain();
          },
        },
        version,
        fingerprint,
        system: systemName(),
        checkPorts,
      }),
    );
  });
  const ensureConnected = async () =>
    (await connections.findDestination()).status === 'ready' || (await connecting()).ensureConnected();

  const catalogue = store.add(
    new Catalogue({
      findDestination: () => connections.findDestination(),
      connectionId: () => connections.active?.id,
      listModels: async ({ connection: { id, url, headers }, key }, signal) => {
        const list = await (await client()).listModels({ url, key, headers }, signal, 2);
        unchecked.listed(id).catch(onUnnoted);
        return list;
      },
      advise: async (problem, { url }) => {
        const { advice } = await import('./core/gateway/advice.ts');
        return advice(problem, { host: new URL(url.base).host });
      },
      clock,
      kept: {
        lists,
        fingerprint,
        onFailure: (error) => log.defect('A list of models could not be kept or read', error),
      },
      memory: {
        read: (id) => remembered.models(id),
        write: (id, choices) => remembered.setModels(id, choices),
      },
    }),
  );
  store.add(connections.onDidChangeDestination(() => catalogue.forget()));
  const lookAtRouteAgain = () => catalogue.state.status === 'keyInClear' && catalogue.forget();
  store.add(settings.onDidChange(lookAtRouteAgain));
  // Another window may have chosen favourites meanwhile.
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && catalogue.reread()));
  store.add(
    connections.onDidRemove(({ id, url }) => {
      const isOriginUsed = connections.all.some((each) => each.url.origin === url.origin);
      Promise.all([
        lists().then((kept) => kept.remove(id)),
        remembered.forget(id),
        isOriginUsed ? undefined : routes.forget(url.modelsUrl),
      ]).catch((error) => log.defect('Something of a removed connection stayed behind', error));
    }),
  );

  const view = store.add(new ModelsView(catalogue, connections, unchecked, log, tree));
  const details = store.add(new ModelDetails(catalogue));
  const pickModel = async (title?: string, than?: string) =>
    (await import('./editor/pickModel.ts')).pickModel(catalogue, title, than);
  const findModel = async () => (await import('./editor/pickModel.ts')).findModel(catalogue, view);

  const changes = once(async () => {
    const { ProposedChanges } = await import('./editor/proposedChanges.ts');
    return store.add(new ProposedChanges());
  });
  const conversationStore = once(async () => {
    const { conversationFiles } = await import('./node/conversationFiles.ts');
    const files = conversationFiles(storage('conversations'));
    files.clearDeleted(clock.now()).catch((error) => log.defect('Deleted conversations stayed behind', error));
    try {
      const unsaved = await files.takeUnsaved();
      if (unsaved.length > 0) {
        const { ChatPanels } = await import('./editor/chatPanels.ts');
        await ChatPanels.tellUnsaved(files, unsaved, log);
      }
    } catch (error) {
      log.defect('What could not be saved before is not known', error);
    }
    return chosenStore(files, memoryConversations(clock), isKeepingConversations);
  });
  const conversationChanged = store.add(new Emitter<string>());
  const paid = new PaidActions(clock, confirmPaid);
  let openPanels: ChatPanels | undefined;
  const panels = once(async () => {
    const { ChatPanels } = await import('./editor/chatPanels.ts');
    openPanels = store.add(
      new ChatPanels({
        catalogue,
        changes,
        lastEditor,
        log,
        clock,
        version,
        findSender: findCallSender,
        seeCall: (request) => seeCall(connections, userAgent, (id) => remembered.isWithoutUsage(id), request),
        forgoUsage: async () => {
          await (connections.active && remembered.forgoUsage(connections.active.id));
        },
        ensureConnected,
        paid,
        pickModel,
        host,
        dist: vscode.Uri.joinPath(context.extensionUri, 'dist'),
        store: await conversationStore(),
        onConversationChanged: (id) => conversationChanged.fire(id),
        home: vscode.Uri.file(homeFolder()),
      }),
    );
    return openPanels;
  });
  const kept = once(async () => {
    const { keptConversations } = await import('./editor/keptConversations.ts');
    return store.add(
      keptConversations({
        store: await conversationStore(),
        tree: conversationsTree,
        panels,
        live: (id) => openPanels?.conversations.get(id),
        onDidChange: conversationChanged.event,
        home: vscode.Uri.file(homeFolder()),
        clock,
        log,
      }),
    );
  });
  // Made here and not with the models, so that a yes that is taken back is seen before they are asked for.
  const consent = store.add(
    new CallerConsent(log, {
      read: () => remembered.allowedCallers,
      write: (ids) => remembered.setAllowedCallers(ids),
    }),
  );
  const languageModels = once(async () => {
    const { LanguageModels } = await import('./editor/languageModels.ts');
    return store.add(
      new LanguageModels({
        catalogue,
        clock,
        log,
        connectionId: () => connections.active?.id,
        findSender: findCallSender,
        forgoUsage: (id) => remembered.forgoUsage(id),
        ensureConnected,
        consent,
      }),
    );
  });
  const compare = async (chosen: readonly string[]) => {
    const { compareModels } = await import('./editor/compareModels.ts');
    const memory = {
      read: () => (connections.active ? remembered.compared(connections.active.id) : []),
      write: async (models: readonly string[]) => {
        await (connections.active && remembered.setCompared(connections.active.id, models));
      },
    };
    await compareModels({ catalogue, panels, lastEditor, ensureConnected, host, paid, memory }, chosen);
  };
  store.add(new StatusItem(catalogue));
  const models = { catalogue, view, details, pickModel, findModel };
  return {
    commands: commandsOf({
      ...models,
      log,
      connecting,
      conversations: async () => (await kept()).commands,
      panels,
      changes,
      compare,
      lastEditor,
      host,
      ensureConnected,
      paid,
    }),
    view,
    conversations: async () => (await kept()).view,
    languageModels,
    api: developmentApi(connections, check, (id) => consent.allow(id)),
    restorePanel: async (panel, state) => (await panels()).restore(panel, state),
    settled: async () => (await panels.ifCalled())?.conversations.settled(),
    dispose: () => store.dispose(),
  };
}
