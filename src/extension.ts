import * as vscode from 'vscode';
import type { FindSender } from './core/chat/chat.ts';
import { parseBaseUrl } from './core/gateway/baseUrl.ts';
import { GatewayClient } from './core/gateway/gatewayClient.ts';
import { defaultLimits } from './core/gateway/requestTimers.ts';
import { DisposableStore } from './core/lifetime.ts';
import { Catalogue } from './core/models/catalogue.ts';
import { type AskDeps, ask, explainSelection } from './editor/askCommands.ts';
import { ChatPanels } from './editor/chatPanels.ts';
import { type ConnectDeps, connect, disconnect, ensureConnected, replaceKey } from './editor/connectCommands.ts';
import { Connections } from './editor/connections.ts';
import { LastEditor } from './editor/lastEditor.ts';
import { Log } from './editor/log.ts';
import { ModelsView } from './editor/modelsView.ts';
import { pickModel } from './editor/pickModel.ts';
import { conversationFiles } from './node/conversationFiles.ts';
import { lazyTransport } from './node/lazyTransport.ts';
import { systemClock } from './node/systemClock.ts';

let panels: ChatPanels | undefined;

/** What a development or test window may do without typing; an installed extension exports nothing. */
export type DevelopmentApi = {
  connect(baseUrl: string, key: string): Promise<void>;
  isConnected(): Promise<boolean>;
  readonly conversationsFolder: string;
};

/** Builds every object once and introduces them. Synchronous, and touches neither disk nor network. */
export function activate(context: vscode.ExtensionContext): DevelopmentApi | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  try {
    return build(context, store);
  } catch (error) {
    // VS Code disposes nothing when activation throws.
    store.dispose();
    throw error;
  }
}

/** Waits until what was shown is kept; VS Code grants a few seconds. */
export async function deactivate(): Promise<void> {
  await panels?.settled();
}

function build(context: vscode.ExtensionContext, store: DisposableStore): DevelopmentApi | undefined {
  const { version } = context.extension.packageJSON as { version: string };
  const log = store.add(new Log());
  const transport = store.add(lazyTransport());
  const client = new GatewayClient({
    transport: transport.send,
    clock: systemClock,
    limits: defaultLimits,
    userAgent: `ask-model/${version}`,
  });
  const connections = store.add(new Connections(context.secrets, log));
  const catalogue = store.add(
    new Catalogue({
      findDestination: () => connections.findDestination(),
      listModels: ({ connection: { url }, key }, signal) => client.listModels({ url, key }, signal),
      clock: systemClock,
      memory: {
        get: (id) => context.globalState.get<string>(`askModel.defaultModel.${id}`),
        set: async (id, model) => context.globalState.update(`askModel.defaultModel.${id}`, model),
      },
    }),
  );
  store.add(connections.onDidChange(() => catalogue.forget()));
  const findSender: FindSender = async () => {
    const destination = await connections.findDestination();
    if (destination.status !== 'ready') {
      const isNew = destination.status === 'disconnected';
      return { ok: false, reason: isNew ? 'Connect to a gateway first.' : 'There is no key for this connection.' };
    }
    const { connection, key } = destination;
    const { url } = connection;
    return {
      ok: true,
      sender: {
        host: new URL(url.base).host,
        send: (request, onDelta, signal) => client.chat({ url, key }, request, onDelta, signal),
      },
    };
  };
  const conversationsFolder = vscode.Uri.joinPath(context.globalStorageUri, 'conversations').fsPath;
  const lastEditor = store.add(new LastEditor());
  panels = store.add(
    new ChatPanels({
      catalogue,
      lastEditor,
      log,
      version,
      clock: systemClock,
      findSender,
      dist: vscode.Uri.joinPath(context.extensionUri, 'dist'),
      store: conversationFiles(conversationsFolder),
    }),
  );
  store.add(new ModelsView(catalogue));
  const connecting: ConnectDeps = {
    connections,
    catalogue,
    check: (url, key, signal) => client.listModels({ url, key }, signal),
  };
  registerCommands(store, log, connecting, {
    catalogue,
    panels,
    lastEditor,
    ensureConnected: () => ensureConnected(connecting),
  });
  return context.extensionMode === vscode.ExtensionMode.Production
    ? undefined
    : developmentApi(connecting, conversationsFolder);
}

function registerCommands(store: DisposableStore, log: Log, connecting: ConnectDeps, asking: AskDeps): void {
  const { catalogue, panels: shown } = asking;
  const commands: Record<string, (row?: unknown) => unknown> = {
    'askModel.connect': () => connect(connecting),
    'askModel.replaceKey': () => replaceKey(connecting),
    'askModel.disconnect': () => disconnect(connecting),
    'askModel.ask': () => ask(asking),
    'askModel.askWithModel': (row) => ask(asking, row),
    'askModel.explainSelection': () => explainSelection(asking),
    'askModel.openConversation': () => shown.reopen(),
    'askModel.chooseModel': async () => {
      if (await asking.ensureConnected()) {
        const model = await pickModel(catalogue);
        await (model && catalogue.setDefaultModel(model));
      }
    },
    'askModel.setDefaultModel': (row) => {
      const model = ModelsView.modelOf(row);
      return model && catalogue.setDefaultModel(model.id);
    },
    'askModel.copyModelId': (row) => {
      const model = ModelsView.modelOf(row);
      return model && vscode.env.clipboard.writeText(model.id);
    },
    'askModel.refreshModels': () =>
      vscode.window.withProgress({ location: { viewId: 'askModel.models' } }, () => catalogue.refresh()),
    'askModel.showLog': () => log.show(),
  };
  for (const [id, run] of Object.entries(commands)) {
    store.add(
      vscode.commands.registerCommand(id, async (row?: unknown) => {
        try {
          await run(row);
        } catch (error) {
          log.defect(id, error);
          const reason = error instanceof Error ? error.message : String(error);
          void vscode.window.showErrorMessage(`Ask Model could not do that: ${reason}`);
        }
      }),
    );
  }
}

function developmentApi({ connections, check }: ConnectDeps, conversationsFolder: string): DevelopmentApi {
  return {
    conversationsFolder,
    async connect(baseUrl, key) {
      const url = parseBaseUrl(baseUrl);
      if (!url.ok) {
        throw new Error(url.reason);
      }
      await check(url.value, key, new AbortController().signal);
      await connections.save(url.value, key);
    },
    isConnected: async () => (await connections.findDestination()).status === 'ready',
  };
}
