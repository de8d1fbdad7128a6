import * as vscode from 'vscode';
import { type CheckStep, checkConnection } from '../../core/check/checkConnection.ts';
import type { CheckPorts } from '../../core/check/checkFinding.ts';
import { checkReport } from '../../core/check/checkReport.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';

export type CheckDeps = {
  readonly connections: Connections;
  readonly checkPorts: () => Promise<CheckPorts>;
  /** The extension's. */
  readonly version: string;
  /** Such as `Linux 6.1 x64`. */
  readonly system: string;
};

const icons: Readonly<Record<CheckStep['status'], string>> = {
  ok: 'pass',
  warning: 'warning',
  failed: 'error',
  skipped: 'circle-slash',
};

type StepRow = vscode.QuickPickItem & { readonly step?: CheckStep };

/** *Check Connection*: each step as it ends, with its time and result; then the report can be copied or opened. */
export async function checkConnectionCommand(deps: CheckDeps, given: Connection): Promise<void> {
  const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: 'Copy Report' };
  const open = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: 'Open Report' };
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: 'Check Again' };
  const pick = createQuickPick<StepRow>();
  pick.title = plainLabel(`Check ${given.name}`);
  pick.ignoreFocusOut = true;
  pick.matchOnDetail = true;
  let abort = new AbortController();
  let report: string | undefined;
  const run = async (current: AbortController) => {
    report = undefined;
    pick.items = [];
    pick.buttons = [];
    pick.busy = true;
    pick.placeholder = 'Checking step by step, without a paid call…';
    // As it stands now: settings may have been changed while the list was open.
    const connection = deps.connections.all.find(({ id }) => id === given.id) ?? given;
    const destination = await deps.connections.destinationOf(connection);
    const key = destination.status === 'ready' ? destination.key : undefined;
    const steps: CheckStep[] = [];
    const check = await checkConnection(
      await deps.checkPorts(),
      connection,
      key,
      (step) => {
        steps.push(step);
        const active = pick.activeItems[0]?.step;
        pick.items = steps.map(rowOf).map(plainItem);
        pick.activeItems = pick.items.filter((row) => row.step === active);
      },
      current.signal,
    );
    current.signal.throwIfAborted();
    report = checkReport(check, {
      extensionVersion: deps.version,
      vscodeVersion: vscode.version,
      os: deps.system,
      keyStatus: destination.status,
    });
    pick.busy = false;
    pick.buttons = [copy, open, again];
    pick.placeholder = plainLabel(conclusionOf(steps));
  };
  const openReport = async (content: string) => {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: false });
  };
  await new Promise<void>((resolve, reject) => {
    const start = () => {
      abort.abort();
      const current = new AbortController();
      abort = current;
      // Left or begun anew: what the earlier one still says counts no more.
      run(current).catch((error) => current.signal.aborted || reject(error));
    };
    const copyReport = async (text: string) => {
      await vscode.env.clipboard.writeText(text);
      pick.placeholder = 'The report is on the clipboard. It holds no key.';
    };
    pick.onDidTriggerButton((button) => {
      if (button === again) {
        start();
      } else if (report !== undefined) {
        (button === copy ? copyReport(report) : openReport(report).then(() => pick.hide())).catch(reject);
      }
    });
    pick.onDidAccept(() => {
      // A row says little; the report says all of it.
      if (report !== undefined) {
        openReport(report).then(() => pick.hide(), reject);
      }
    });
    pick.onDidHide(() => {
      abort.abort();
      resolve();
    });
    pick.show();
    start();
  }).finally(() => pick.dispose());
}

function rowOf(step: CheckStep): StepRow {
  const time = step.ms === undefined ? '' : `${Math.round(step.ms)} ms`;
  return {
    step,
    label: step.name,
    iconPath: new vscode.ThemeIcon(icons[step.status]),
    description: time,
    detail: [step.detail, step.remedy].filter(Boolean).join(' '),
  };
}

function conclusionOf(steps: readonly CheckStep[]): string {
  const failed = steps.find(({ status }) => status === 'failed');
  if (failed) {
    return `${failed.name}: ${failed.detail}`;
  }
  const warned = steps.filter(({ status }) => status === 'warning').length;
  return warned === 0
    ? 'All is well. Nothing was paid for.'
    : `It works, with ${warned === 1 ? 'one remark' : `${warned} remarks`}.`;
}
