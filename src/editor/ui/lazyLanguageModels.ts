import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';

/** Same as in the manifest. */
const vendor = 'ask-model';

/**
 * Registers a language model provider that is loaded on its first call. It is registered even without a connection,
 * because VS Code activates the extension to get its models; the change event announces a later connection. In an
 * editor without this API, or where registering fails, the rest of the extension works.
 */
export function offerLanguageModels<Model extends vscode.LanguageModelChatInformation>(
  load: () => Promise<vscode.LanguageModelChatProvider<Model>>,
): vscode.Disposable {
  const store = new DisposableStore();
  const didChange = store.add(new vscode.EventEmitter<void>());
  const open = once(async () => {
    const provider = await load();
    const changed = provider.onDidChangeLanguageModelChatInformation?.(() => didChange.fire());
    if (changed) {
      store.add(changed);
    }
    return provider;
  });
  const lazy: vscode.LanguageModelChatProvider<Model> = {
    onDidChangeLanguageModelChatInformation: didChange.event,
    provideLanguageModelChatInformation: async (...args) => (await open()).provideLanguageModelChatInformation(...args),
    provideLanguageModelChatResponse: async (...args) => (await open()).provideLanguageModelChatResponse(...args),
    provideTokenCount: async (...args) => (await open()).provideTokenCount(...args),
  };
  const { lm }: { lm?: Partial<typeof vscode.lm> } = vscode;
  if (typeof lm?.registerLanguageModelChatProvider === 'function') {
    try {
      store.add(lm.registerLanguageModelChatProvider(vendor, lazy));
    } catch (error) {
      console.warn('Ask Model: this editor accepts no language model provider.', error);
    }
  }
  return store;
}
