import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';

const scheme = 'ask-model-details';

/**
 * Shows the gateway's own item of a model as JSON in a read-only editor. The language is *JSON Lines*, which only
 * colours the text; for a JSON document, VS Code would request the address in its `$schema`.
 */
export class ModelDetails implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #registration: vscode.Disposable;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async show(id: string): Promise<void> {
    // The id is in the query, because a path would change its blanks and slashes.
    const name = id.replace(/[^\w.@+-]+/g, '-').slice(0, 80) || 'model';
    const uri = vscode.Uri.from({ scheme, path: `/${name}.jsonl`, query: id });
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const text = await this.#catalogue.details(query);
    return (
      text ?? `// ${l10n.t("The gateway's model list has no details about this model: {0}", JSON.stringify(query))}\n`
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
