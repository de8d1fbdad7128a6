import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Runs a command, and picks what is selected in the list that it shows, as the person does with Enter. */
export async function pickSelected(command: string, ...args: unknown[]): Promise<void> {
  let isDone = false;
  const picking = vscode.commands.executeCommand(command, ...args).then(() => {
    isDone = true;
  });
  while (!isDone) {
    // Does nothing until the list is shown.
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await delay(50);
  }
  await picking;
}

/** Calls the command with a model ID, as another extension can, and picks that model in its list as the person does. */
export const chooseDefault = (id: string): Promise<void> => pickSelected('askModel.setDefaultModel', id);
