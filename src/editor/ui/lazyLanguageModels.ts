import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';

type Provider<Model extends vscode.LanguageModelChatInformation> = vscode.LanguageModelChatProvider<Model>;

/** As in the manifest. */
const vendor = 'ask-model';

/**
 * The models for the rest of VS Code, loaded when it asks for them first. Registered whether or not there is a
 * connection: VS Code opens the extension to ask, and learns by the event of what is connected later. An editor without
 * the interface, or one that refuses, has all the rest of the extension.
 */
export class LazyLanguageModels<Model extends vscode.LanguageModelChatInformation>
  implements Provider<Model>, vscode.Disposable
{
  readonly #load: () => Promise<Provider<Model>>;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeLanguageModelChatInformation = this.#didChange.event;
  #provider: Promise<Provider<Model>> | undefined;

  constructor(load: () => Promise<Provider<Model>>) {
    this.#load = load;
    const { lm }: { lm?: Partial<typeof vscode.lm> } = vscode;
    if (typeof lm?.registerLanguageModelChatProvider === 'function') {
      try {
        this.#store.add(lm.registerLanguageModelChatProvider(vendor, this));
      } catch (error) {
        console.warn('Ask Model: this editor takes no language models.', error);
      }
    }
  }

  async provideLanguageModelChatInformation(
    ...given: Parameters<Provider<Model>['provideLanguageModelChatInformation']>
  ): Promise<Model[]> {
    return (await (await this.#open()).provideLanguageModelChatInformation(...given)) ?? [];
  }

  async provideLanguageModelChatResponse(
    ...given: Parameters<Provider<Model>['provideLanguageModelChatResponse']>
  ): Promise<void> {
    await (await this.#open()).provideLanguageModelChatResponse(...given);
  }

  async provideTokenCount(...given: Parameters<Provider<Model>['provideTokenCount']>): Promise<number> {
    return (await this.#open()).provideTokenCount(...given);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #open(): Promise<Provider<Model>> {
    this.#provider ??= this.#load().then((provider) => {
      const changed = provider.onDidChangeLanguageModelChatInformation?.(() => this.#didChange.fire());
      if (changed) {
        this.#store.add(changed);
      }
      return provider;
    });
    return this.#provider;
  }
}
