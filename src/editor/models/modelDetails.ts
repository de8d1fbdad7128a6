import * as vscode from 'vscode';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';

const scheme = 'ask-model-details';

/**
 * Shows what the gateway itself said about a model, as JSON in a read-only editor. In the language *JSON Lines*, which
 * has the colours of JSON alone: for a document in JSON VS Code reads the address that its `$schema` names.
 */
export class ModelDetails implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #registration: vscode.Disposable;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async show(id: string): Promise<void> {
    // The id as the query: in a path, blanks and slashes would make another name of it.
    const name = id.replace(/[^\w.@+-]+/g, '-').slice(0, 80) || 'model';
    const uri = vscode.Uri.from({ scheme, path: `/${name}.jsonl`, query: id });
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const text = await this.#catalogue.details(query);
    return text ?? `// The list of the gateway in use says nothing about this model: ${JSON.stringify(query)}\n`;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
