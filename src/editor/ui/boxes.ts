import * as vscode from 'vscode';
import { plainLabel, plainMessage } from './plainText.ts';

type Options = Omit<vscode.InputBoxOptions, 'validateInput'> & {
  readonly validateInput?: (text: string) => string | undefined;
};

/** VS Code's `showInputBox` for texts that may come from outside: they are shown without links and icons. */
export function showInputBox(options: Options): Thenable<string | undefined> {
  const { title, prompt, placeHolder, validateInput, ...others } = options;
  return vscode.window.showInputBox({
    ...others,
    ...(title !== undefined && { title: plainLabel(title) }),
    ...(prompt !== undefined && { prompt: plainMessage(prompt) }),
    ...(placeHolder !== undefined && { placeHolder: plainLabel(placeHolder) }),
    validateInput: (text) => plainMessage(validateInput?.(text) ?? ''),
  });
}
