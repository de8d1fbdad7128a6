import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type ChangedSetting, diagnosticsReport, type RecentErrors } from '../../core/check/diagnostics.ts';
import type { Connection, Destination } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { tickRows } from '../ui/quickPick.ts';

export type DiagnosticsDeps = {
  readonly connections: Pick<Connections, 'all' | 'destinationOf'>;
  readonly clock: Clock;
  readonly extension: Pick<vscode.Extension<unknown>, 'packageJSON' | 'extensionKind'>;
  /** The version of the extension. */
  readonly version: string;
  /** The operating system, such as `Linux 6.1 x64`. */
  readonly system: string;
  /** The version of Node. */
  readonly runtime: string;
  readonly errors: Pick<RecentErrors, 'all'>;
  /** Removes the known keys from a text. */
  readonly redact: (text: string) => string;
};

/** *Copy Diagnostics*: copies a report for the maintainers. Addresses are only in it if the person ticks that. */
export async function copyDiagnostics(deps: DiagnosticsDeps): Promise<void> {
  const addresses = {
    label: l10n.t('Include gateway addresses'),
    detail: l10n.t('Keys, header values, and conversations are never included.'),
  };
  const placeholder = l10n.t('Press Enter to copy the report');
  const ticked = await tickRows([addresses], l10n.t('Copy Diagnostics'), placeholder);
  if (ticked === undefined) {
    return;
  }
  const { connections, clock, errors, redact } = deps;
  const found: { connection: Connection; status: Destination['status'] }[] = [];
  // One at a time, because a keyring may ask the person first.
  for (const connection of connections.all) {
    found.push({ connection, status: (await connections.destinationOf(connection)).status });
  }
  const facts = {
    at: clock.now(),
    system: systemFacts(deps),
    connections: found,
    settings: changedSettings(deps.extension.packageJSON),
    errors: errors.all,
  };
  await vscode.env.clipboard.writeText(diagnosticsReport(facts, ticked.length > 0, redact));
  void showInformationMessage(l10n.t('Diagnostics copied.'));
}

function systemFacts({ version, extension, system, runtime }: DiagnosticsDeps): (readonly [string, string])[] {
  return [
    ['Ask Model', version],
    ['VS Code', vscode.version],
    ['Application', `${vscode.env.appName} (${vscode.env.appHost})`],
    ['User interface', vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'],
    ['Remote', vscode.env.remoteName ?? 'none'],
    ['Extension kind', extension.extensionKind === vscode.ExtensionKind.UI ? 'ui' : 'workspace'],
    ['Workspace trust', vscode.workspace.isTrusted ? 'trusted' : 'restricted'],
    ['Operating system', system],
    ['Node.js', runtime],
    ['Display language', vscode.env.language],
  ];
}

type SettingsGroup = { readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>> };
/** The part of the manifest with the settings, in their groups. */
type Manifest = { readonly contributes: { readonly configuration: readonly SettingsGroup[] } };

/** The settings of the extension with a value that is not their default. */
function changedSettings({ contributes }: Manifest): ChangedSetting[] {
  const configuration = vscode.workspace.getConfiguration();
  const declared = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return declared.flatMap(([name, { enum: choices }]) => {
    const values = configuration.inspect<unknown>(name);
    const scopes = [
      { scope: 'user', value: values?.globalValue },
      { scope: 'workspace', value: values?.workspaceValue },
      { scope: 'folder', value: values?.workspaceFolderValue },
    ] as const;
    return scopes
      .filter(({ value }) => value !== undefined && JSON.stringify(value) !== JSON.stringify(values?.defaultValue))
      .map((each) => ({ name, ...each, choices }));
  });
}
