import * as vscode from 'vscode';
import type { CommandId } from './commandIds.ts';

/** Runs a command of this extension. */
export function runCommand(id: CommandId, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}
