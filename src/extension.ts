import * as vscode from 'vscode';
import type { App } from './app.ts';
import { DisposableStore } from './core/base/lifetime.ts';
import { once } from './core/base/once.ts';
import type { DevelopmentActions } from './editor/actions/developmentApi.ts';
import { LastEditor } from './editor/ui/lastEditor.ts';
import {
  type CommandId,
  conversationViewType,
  LazyTree,
  offerLanguageModels,
  offerProblemActions,
  offerPromptFiles,
  usageViewType,
} from './editor/ui/registrations.ts';

type Manifest = { readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] } };

let settled: () => Promise<void> = async () => undefined;

/**
 * Registers the commands, the trees, the panel serializers, the language model provider, the actions on problems and
 * the files of system prompts.
 * Everything else is in `app.ts`, which is loaded when one of them is first used. Synchronous; touches neither disk nor
 * network.
 */
export function activate(context: vscode.ExtensionContext): DevelopmentActions | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const lastEditor = store.add(new LastEditor());
  const tree: LazyTree = store.add(new LazyTree('askModel.models', async () => (await app()).view));
  const conversationsTree: LazyTree = store.add(
    new LazyTree('askModel.conversations', async () => (await app()).conversations),
  );
  const app = once(async (): Promise<App> => {
    const { openApp } = await import('./app.ts');
    return store.add(openApp(context, tree, conversationsTree, lastEditor));
  });
  settled = async () => (await app.ifCalled())?.settled();
  const { contributes } = context.extension.packageJSON as Manifest;
  for (const { command } of contributes.commands) {
    store.add(
      vscode.commands.registerCommand(command, async (...args: unknown[]) =>
        (await app()).commands.run(command, ...args),
      ),
    );
  }
  store.add(
    vscode.window.registerWebviewPanelSerializer(conversationViewType, {
      deserializeWebviewPanel: async (panel, state) => (await app()).restorePanel(panel, state),
    }),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(usageViewType, {
      deserializeWebviewPanel: async (panel, state) => (await app()).restoreUsage(panel, state),
    }),
  );
  store.add(offerLanguageModels(async () => (await app()).languageModels));
  store.add(offerProblemActions(lastEditor));
  store.add(offerPromptFiles(async () => (await app()).questionSettings));
  if (context.extensionMode === vscode.ExtensionMode.Production) {
    return undefined;
  }
  return {
    connect: async (baseUrl, key) => (await app()).api.connect(baseUrl, key),
    isConnected: async () => (await app()).api.isConnected(),
  };
}

/** Waits until everything that was shown is saved. VS Code waits for a few seconds at most. */
export function deactivate(): Promise<void> {
  return settled();
}
