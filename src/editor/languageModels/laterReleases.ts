import * as vscode from 'vscode';

/*
 * What releases after the oldest supported one, `engines.vscode` in package.json, have at run time and its typings have
 * not. Each is looked for when it is used; the table in the README says what is done where it is missing.
 */

/** The class of a part with reasoning; undefined where VS Code has none. */
export const { LanguageModelThinkingPart: ThinkingPart } = vscode as {
  LanguageModelThinkingPart?: new (value: string) => vscode.LanguageModelTextPart;
};

/** Who asks: an extension's id, or `core` for VS Code itself; undefined where VS Code does not say. */
export function callerOf(options: vscode.ProvideLanguageModelChatResponseOptions): string | undefined {
  const { requestInitiator } = options as { requestInitiator?: unknown };
  return typeof requestInitiator === 'string' ? requestInitiator : undefined;
}
