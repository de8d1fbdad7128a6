import * as vscode from 'vscode';

/*
 * API of releases after the oldest supported one (`engines.vscode` in package.json), which the typings lack. Each use
 * checks at run time whether the API is there; the table in CONTRIBUTING.md says what happens without it.
 */

/** The class of a reasoning part; undefined if VS Code has none. */
export const { LanguageModelThinkingPart: ThinkingPart } = vscode as {
  LanguageModelThinkingPart?: new (value: string) => vscode.LanguageModelTextPart;
};

/** The class of a part with other data; undefined if VS Code has none. */
export const { LanguageModelDataPart: DataPart } = vscode as {
  LanguageModelDataPart?: new (data: Uint8Array, mimeType: string) => vscode.LanguageModelTextPart;
};

/** The caller: an extension's id, or `core` for VS Code itself; undefined if VS Code doesn't name it. */
export function callerOf(options: vscode.ProvideLanguageModelChatResponseOptions): string | undefined {
  const { requestInitiator } = options as { requestInitiator?: unknown };
  return typeof requestInitiator === 'string' ? requestInitiator : undefined;
}
