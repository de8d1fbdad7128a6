import * as vscode from 'vscode';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { fileLimit } from './fileContexts.ts';

type Counted = { readonly mtime: number; readonly size: number; readonly tokens: number | undefined };

/** Enough for the rows of many lists. */
const maxCounted = 5_000;

/** Estimates the tokens of files, and reads a file again only after it has changed. */
export class FileTokens {
  readonly #counted = new Map<string, Counted>();

  /** The estimated tokens of a file, with what is not saved yet; undefined if it can't be included as text. */
  async of(uri: vscode.Uri): Promise<number | undefined> {
    const key = uri.toString();
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
    if (open !== undefined) {
      return tokensOf(open.getText());
    }
    try {
      const { mtime, size } = await vscode.workspace.fs.stat(uri);
      const known = this.#counted.get(key);
      if (known?.mtime === mtime && known.size === size) {
        return known.tokens;
      }
      // A UTF-16 unit takes at most 3 bytes of UTF-8.
      const tokens = size > 3 * fileLimit ? undefined : tokensOf(await textOf(uri));
      if (this.#counted.size >= maxCounted) {
        this.#counted.clear();
      }
      this.#counted.set(key, { mtime, size, tokens });
      return tokens;
    } catch {
      // Choosing the file says why it can't be read.
      return undefined;
    }
  }
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

function tokensOf(text: string): number | undefined {
  return text.length > fileLimit || text.includes('\0') ? undefined : estimateTokens(text);
}
