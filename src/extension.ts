import * as vscode from 'vscode';
import { parseBaseUrl } from './core/gateway/baseUrl.ts';
import { DisposableStore } from './core/lifetime.ts';
import { Catalogue } from './core/models/catalogue.ts';
import { once } from './core/once.ts';
import { type CommandDeps, registerCommands } from './editor/commands.ts';
import { ensureConnected } from './editor/connectCommands.ts';
import { Connections } from './editor/connections.ts';
import { conversationViewType } from './editor/conversationViewType.ts';
import { findSender } from './editor/findSender.ts';
import { LastEditor } from './editor/lastEditor.ts';
import { Log } from './editor/log.ts';
import { ModelsView } from './editor/modelsView.ts';
import { timeouts } from './editor/timeouts.ts';
import { conversationFiles } from './node/conversationFiles.ts';
import { lazyTransport } from './node/lazyTransport.ts';
import { systemClock as clock } from './node/systemClock.ts';

/** What a development or test window may do without typing; an installed extension exports nothing. */
export type DevelopmentApi = {
  connect(baseUrl: string, key: string): Promise<void>;
  isConnected(): Promise<boolean>;
  readonly conversationsFolder: string;
};

let settled: () => Promise<void> = async () => undefined;

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
export function deactivate(): Promise<void> {
  return settled();
}

function build(context: vscode.ExtensionContext, store: DisposableStore): DevelopmentApi | undefined {
  const { version } = context.extension.packageJSON as { version: string };
  const log = store.add(new Log());
  const transport = store.add(lazyTransport());
  const client = once(async () => {
    const { GatewayClient } = await import('./core/gateway/gatewayClient.ts');
    const userAgent = `ask-model/${version}`;
    return new GatewayClient({ transport: transport.send, clock, limits: timeouts, userAgent });
  });
  const connections = store.add(new Connections(context.secrets, log));
  const check: CommandDeps['check'] = async (url, key, signal) => (await client()).listModels({ url, key }, signal);
  const memory = context.globalState;
  const memoryKey = () => connections.active && `askModel.defaultModel.${connections.active.id}`;
  const withoutUsage = (id: string) => `askModel.withoutUsage.${id}`;
  const catalogue = store.add(
    new Catalogue({
      findDestination: () => connections.findDestination(),
      listModels: async ({ connection: { url, headers }, key }, signal) =>
        (await client()).listModels({ url, key, headers }, signal, 2),
      clock,
      memory: {
        get: () => {
          const name = memoryKey();
          return name && memory.get<string>(name);
        },
        set: async (model) => {
          const name = memoryKey();
          await (name && memory.update(name, model));
        },
      },
    }),
  );
  store.add(connections.onDidChange(() => catalogue.forget()));

  const host = () => connections.active && new URL(connections.active.url.base).host;
  const connecting = () => ensureConnected({ connections, check });
  const lastEditor = store.add(new LastEditor());
  const conversationsFolder = vscode.Uri.joinPath(context.globalStorageUri, 'conversations').fsPath;
  const panels = once(async () => {
    const { ChatPanels } = await import('./editor/chatPanels.ts');
    const shown = store.add(
      new ChatPanels({
        catalogue,
        lastEditor,
        log,
        clock,
        version,
        findSender: () => findSender(connections, client, (id) => memory.get<boolean>(withoutUsage(id)) === true),
        forgoUsage: async () => {
          const { active } = connections;
          await (active && memory.update(withoutUsage(active.id), true));
        },
        ensureConnected: connecting,
        host,
        dist: vscode.Uri.joinPath(context.extensionUri, 'dist'),
        store: conversationFiles(conversationsFolder),
      }),
    );
    settled = () => shown.settled();
    return shown;
  });
  store.add(
    vscode.window.registerWebviewPanelSerializer(conversationViewType, {
      deserializeWebviewPanel: async (panel, state) => (await panels()).restore(panel, state),
    }),
  );
  store.add(new ModelsView(catalogue));
  store.add(
    registerCommands({ log, connections, catalogue, check, panels, lastEditor, host, ensureConnected: connecting }),
  );
  if (context.extensionMode === vscode.ExtensionMode.Production) {
    return undefined;
  }
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
