import * as vscode from 'vscode';
import { plainLabel, plainMessage } from './plainText.ts';

/** `showInputBox` of VS Code for words of anyone around the box: none of them becomes a link. */
export function showInputBox(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const { title, prompt, placeHolder, validateInput } = options;
  return vscode.window.showInputBox({
    ...options,
    ...(title !== undefined && { title: plainLabel(title) }),
    ...(prompt !== undefined && { prompt: plainMessage(prompt) }),
    ...(placeHolder !== undefined && { placeHolder: plainLabel(placeHolder) }),
    ...(validateInput && { validateInput: async (text) => plainProblem((await validateInput(text)) ?? undefined) }),
  });
}

type Problem = string | vscode.InputBoxValidationMessage;

/** What is said under a box, as it is. */
export function plainProblem(problem: Problem | undefined): Problem | undefined {
  return typeof problem === 'object'
    ? { ...problem, message: plainMessage(problem.message) }
    : problem && plainMessage(problem);
}
