import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { type PromptFiles, systemPromptScheme } from '../ui/lazyPromptFiles.ts';
import { ownerOf, type PromptOwner } from './promptOwner.ts';

export type StoredPrompts = {
  /** The text as it was saved, empty where none is set; undefined when its owner no longer exists. */
  read(owner: PromptOwner): Promise<string | undefined>;
  /** @param text undefined removes the prompt. @returns false when its owner no longer exists. */
  write(owner: PromptOwner, text: string | undefined): Promise<boolean>;
};

/**
 * The files that system prompts are edited in: VS Code's editor is their box, so that a text can have many lines and
 * survives a reload before it is saved.
 *
 * @param problemOf why a text can't be a system prompt, as a sentence.
 */
export function promptFiles(
  prompts: StoredPrompts,
  clock: Clock,
  problemOf: (text: string) => string | undefined,
): PromptFiles {
  /** What each file had when VS Code asked last, and the time of that. It asks before it saves. */
  const known = new Map<string, { readonly text: string; readonly mtime: number }>();
  const read = async (uri: vscode.Uri) => {
    const owner = ownerOf(uri);
    const text = owner && (await prompts.read(owner));
    if (text === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const name = uri.toString();
    const before = known.get(name);
    const fact = before?.text === text ? before : { text, mtime: Math.max(clock.now(), (before?.mtime ?? 0) + 1) };
    known.set(name, fact);
    return fact;
  };
  return {
    stat: async (uri) => {
      const { text, mtime } = await read(uri);
      return { type: vscode.FileType.File, ctime: 0, mtime, size: new TextEncoder().encode(text).length };
    },
    readFile: async (uri) => new TextEncoder().encode((await read(uri)).text),
    writeFile: async (uri, content) => {
      const text = decoded(content);
      const problem = text === undefined ? l10n.t("The text isn't UTF-8.") : problemOf(text);
      if (text === undefined || problem !== undefined) {
        throw vscode.FileSystemError.Unavailable(problem);
      }
      const owner = ownerOf(uri);
      if (owner === undefined || !(await prompts.write(owner, text.trim() === '' ? undefined : text))) {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
    },
  };
}

function decoded(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/**
 * Underlines a text that can't be saved while it is typed, because VS Code's message about saving has much before the
 * reason.
 *
 * @param onChange called when a text is typed, which VS Code then restores after a reload: its owner must exist then.
 */
export function watchTyping(
  problemOf: (text: string) => string | undefined,
  onChange: (owner: PromptOwner) => void,
): vscode.Disposable {
  const store = new DisposableStore();
  const problems = store.add(vscode.languages.createDiagnosticCollection('ask-model'));
  const update = (document: vscode.TextDocument, isClosed: boolean) => {
    const { uri } = document;
    const owner = uri.scheme === systemPromptScheme ? ownerOf(uri) : undefined;
    if (owner === undefined) {
      return;
    }
    const problem = isClosed ? undefined : problemOf(document.getText());
    const range = new vscode.Range(0, 0, document.lineCount, 0);
    problems.set(uri, problem === undefined ? [] : [new vscode.Diagnostic(range, problem)]);
    if (!isClosed && document.isDirty) {
      onChange(owner);
    }
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => update(document, false)));
  store.add(vscode.workspace.onDidCloseTextDocument((document) => update(document, true)));
  return store;
}
