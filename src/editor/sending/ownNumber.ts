import * as vscode from 'vscode';

/** A number above 0 from a setting, or else 0. A workspace must not change it. */
export function ownNumber(setting: string): number {
  const { globalValue, defaultValue } = vscode.workspace.getConfiguration().inspect<unknown>(setting) ?? {};
  const value = globalValue ?? defaultValue;
  return typeof value === 'number' && value > 0 ? value : 0;
}
