import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Calls the command with a model ID, as another extension can, and picks that model in its list as the person does. */
export async function chooseDefault(id: string): Promise<void> {
  let isDone = false;
  const choosing = vscode.commands.executeCommand('askModel.setDefaultModel', id).then(() => {
    isDone = true;
  });
  while (!isDone) {
    // Does nothing until the list is shown.
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await delay(50);
  }
  await choosing;
}
