import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, plural } from '../../core/base/localization.ts';
import { type CheckPorts, type CheckStep, checkConnection } from '../../core/check/checkConnection.ts';
import { inert } from '../../core/check/diagnostics.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { showMarkdown, withCancellableProgress } from '../ui/messages.ts';

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

/** *Check Connection*: checks the route, the model list and the key, and opens a report to read or to copy. */
export async function checkConnectionCommand(deps: CheckDeps, connection: Connection): Promise<void> {
  const destination = await deps.connections.destinationOf(connection);
  const key = destination.status === 'ready' ? destination.key : undefined;
  const steps = await withCancellableProgress(
    l10n.t('Checking the connection without paid calls…'),
    async (signal): Promise<CheckStep[]> => {
      const ended: CheckStep[] = [];
      await checkConnection(deps.checkPorts(), connection, key, (step) => ended.push(step), signal);
      return ended;
    },
  );
  await (steps && showMarkdown(deps.redact(reportOf(deps, connection, steps))));
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
    ...steps.map(({ name: step, status, ms, detail }) => {
      return `${step} (${ms === undefined ? status : `${status}, ${Math.round(ms)} ms`}): ${detail}`;
    }),
    conclusionOf(steps),
  ];
  return [`# ${l10n.t('Ask Model: Connection Check')}`, '', `${fence}text`, ...lines.map(inert), fence, ''].join('\n');
}
