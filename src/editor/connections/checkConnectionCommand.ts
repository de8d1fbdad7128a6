import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, plural } from '../../core/base/localization.ts';
import { type CheckPorts, type CheckStep, checkConnection } from '../../core/check/checkConnection.ts';
import { inert } from '../../core/check/diagnostics.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';
import { showMarkdown } from '../ui/showMarkdown.ts';

export type CheckDeps = {
  readonly connections: Connections;
  readonly checkPorts: () => CheckPorts;
  /** The version of the extension. */
  readonly version: string;
  /** The operating system, such as `Linux 6.1 x64`. */
  readonly system: string;
  /** Removes the known keys from a text. */
  readonly redact: (text: string) => string;
};

const icons: Readonly<Record<CheckStep['status'], string>> = {
  ok: 'pass',
  warning: 'warning',
  failed: 'error',
  skipped: 'circle-slash',
};

type StepRow = vscode.QuickPickItem & { readonly step?: CheckStep };

/**
 * *Check Connection*: lists each step as it ends, with its time and result. The report can then be copied or opened.
 */
export async function checkConnectionCommand(deps: CheckDeps, given: Connection): Promise<void> {
  const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: l10n.t('Copy Report') };
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: l10n.t('Check Again') };
  const pick = createQuickPick<StepRow>();
  pick.title = plainLabel(l10n.t('Check {0}', given.name));
  pick.ignoreFocusOut = true;
  pick.matchOnDetail = true;
  const abort = new AbortController();
  let report: string | undefined;
  const run = async () => {
    report = undefined;
    pick.items = [];
    pick.buttons = [];
    pick.busy = true;
    pick.placeholder = l10n.t('Checking the connection without paid calls…');
    // Read again: its settings may have changed while the list was open.
    const connection = deps.connections.find(given.id) ?? given;
    const destination = await deps.connections.destinationOf(connection);
    const key = destination.status === 'ready' ? destination.key : undefined;
    const steps: CheckStep[] = [];
    await checkConnection(
      deps.checkPorts(),
      connection,
      key,
      (step) => {
        steps.push(step);
        const active = pick.activeItems[0]?.step;
        pick.items = steps.map(rowOf).map(plainItem);
        pick.activeItems = pick.items.filter((row) => row.step === active);
      },
      abort.signal,
    );
    abort.signal.throwIfAborted();
    report = deps.redact(reportOf(deps, connection, steps));
    pick.busy = false;
    pick.buttons = [copy, again];
    pick.placeholder = plainLabel(conclusionOf(steps));
  };
  await new Promise<void>((resolve, reject) => {
    const start = () => {
      run().catch((error) => abort.signal.aborted || reject(error));
    };
    const copyReport = async (text: string) => {
      await vscode.env.clipboard.writeText(text);
      pick.placeholder = l10n.t("The report was copied. It doesn't contain your key.");
    };
    pick.onDidTriggerButton((button) => {
      // The buttons are shown only after a check has ended, so two never run at once.
      if (button === again) {
        start();
      } else if (report !== undefined) {
        copyReport(report).catch(reject);
      }
    });
    pick.onDidAccept(() => {
      // A row has only a summary; the report has the details.
      if (report !== undefined) {
        showMarkdown(report).then(() => pick.hide(), reject);
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
  const time = step.ms === undefined ? '' : l10n.t('{0} ms', numberText(Math.round(step.ms)));
  return {
    step,
    label: step.name,
    iconPath: new vscode.ThemeIcon(icons[step.status]),
    description: time,
    detail: step.detail,
  };
}

function conclusionOf(steps: readonly CheckStep[]): string {
  const failed = steps.find(({ status }) => status === 'failed');
  if (failed) {
    return l10n.t({
      message: '{0}: {1}',
      args: [failed.name, failed.detail],
      comment: ['A name, then what is said about it'],
    });
  }
  const warned = steps.filter(({ status }) => status === 'warning').length;
  return warned === 0
    ? l10n.t('No problems found. No paid calls were made.')
    : plural(
        warned,
        l10n.t('The connection works, with {0} warning.', numberText(warned)),
        l10n.t('The connection works, with {0} warnings.', numberText(warned)),
      );
}

/** The check as Markdown for a support request. All text from outside is in one code block and can't end it. */
function reportOf({ version, system }: CheckDeps, { name, url }: Connection, steps: readonly CheckStep[]): string {
  const fence = '`'.repeat(3);
  const lines = [
    `Ask Model ${version}, VS Code ${vscode.version}, ${system}`,
    `${name}, ${url.base}`,
    ...steps.map((step) => `${step.name} (${step.status}): ${step.detail}`),
  ];
  return [`# ${l10n.t('Ask Model: Connection Check')}`, '', `${fence}text`, ...lines.map(inert), fence, ''].join('\n');
}
