import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import type { Log } from './log.ts';
import { showWarningMessage } from './messages.ts';

/** Tells the person which parts of a setting are ignored, and offers to open the settings there. */
export function showSettingProblems(log: Log, setting: string, problems: readonly string[]): void {
  if (problems.length > 0) {
    log.warn(`Problems in ${setting}: ${problems.length}`);
    show(setting, problems).catch((error: unknown) => log.defect('The settings could not be opened', error));
  }
}

async function show(key: string, problems: readonly string[]): Promise<void> {
  const open = l10n.t('Open Settings');
  const answer = await showWarningMessage(
    sentences(l10n.t('Some settings of Ask Model are ignored.'), ...problems),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key } });
  }
}
