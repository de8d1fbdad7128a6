import * as vscode from 'vscode';
import type { CommandId } from './commandIds.ts';

/** Runs a command of our own. @param given what the command takes. */
export function runCommand(id: CommandId, ...given: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...given);
}
