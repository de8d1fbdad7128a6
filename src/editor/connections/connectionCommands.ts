import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { accountWords } from '../../core/account/accountFacts.ts';
import type { Accounts } from '../../core/account/accounts.ts';
import { factsText, numberText, sentences } from '../../core/base/localization.ts';
import { shortLine } from '../../core/base/shortLine.ts';
import type { CheckStep } from '../../core/check/checkConnection.ts';
import { inert } from '../../core/check/diagnostics.ts';
import { type Connection, whyNotReady } from '../../core/connections/connection.ts';
import { consoleAddress, creditUnitText } from '../../core/connections/consoleSettings.ts';
import { openPageText } from '../../core/errors/advice.ts';
import { type ConsolePage, consolePages } from '../../core/errors/gatewayProblem.ts';
import {
  openLink,
  showErrorMessage,
  showInformationMessage,
  showMarkdown,
  withCancellableProgress,
} from '../ui/messages.ts';
import { type ListButton, pickRow, type Row } from '../ui/quickPick.ts';
import type { CommandId } from '../ui/registrations.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import { problemText } from './askKey.ts';
import { type ConnectDeps, confirmAddress, connect, ensureConnected, replaceKey } from './connect.ts';
import { copyDiagnostics, type DiagnosticsDeps } from './copyDiagnostics.ts';
import { type EditOutcome, editAddress, editHeaders, editLine, removeConnection, removeKey } from './editConnection.ts';

/** The commands for connections. */
export function connectionCommands(deps: CommandDeps) {
  const { connecting } = deps;
  const { connections } = connecting;
  /** Runs a command for the connection in use; without one, runs *Connect to a Gateway*. */
  const withActive = async (run: (connection: Connection) => unknown): Promise<void> => {
    const { active } = connections;
    await (active ? run(active) : connect(connecting));
  };
  return {
    'askModel.connect': () => connect(connecting),
    'askModel.manageConnections': () => manageConnections(deps),
    'askModel.editConnection': () => withActive((connection) => editConnection(deps, connection)),
    'askModel.renameConnection': () => withActive((connection) => editLine(connecting, connection, 'name')),
    'askModel.editAddress': () => withActive((connection) => editAddress(connecting, connection)),
    'askModel.confirmAddress': () => withActive((connection) => confirmAddress(connecting, connection)),
    'askModel.replaceKey': () => withActive((connection) => replaceKey(connecting, connection)),
    'askModel.readAccount': () => withActive(({ id }) => connections.change({ id }, { probes: true })),
    'askModel.hideAccountOffer': () => withActive(({ id }) => connections.change({ id }, { probes: false })),
    'askModel.removeKey': () => withActive((connection) => removeKey(connecting, connection)),
    'askModel.disconnect': () => withActive((connection) => removeConnection(connecting, connection)),
    'askModel.compareConnections': () => withActive((connection) => compareConnections(deps, connection)),
    'askModel.checkConnection': () => withActive((connection) => checkConnectionCommand(deps, connection)),
    'askModel.copyDiagnostics': () => copyDiagnostics(deps.diagnostics),
    /**
     * @param target host of the gateway, or id of the connection, whose console to open; undefined or unknown means the
     * connection in use.
     * @param page one of `consolePages`.
     */
    'askModel.openConsole': (target?: unknown, page?: unknown) => {
      const isTarget = ({ id, url }: Connection) => id === target || url.host === target;
      const { active, all } = connections;
      const other = active && isTarget(active) ? undefined : all.find(isTarget);
      const open = (connection: Connection) =>
        openConsole(
          deps,
          connection,
          consolePages.find((each) => each === page),
        );
      return other ? open(other) : withActive(open);
    },
  } satisfies Partial<Record<CommandId, (...args: unknown[]) => unknown>>;
}

const icons = { keys: 'key', wallet: 'credit-card', models: 'library', usage: 'history' };

/**
 * *Open Console in Browser*. Without a page, the person picks one if addresses of pages are known. Asks for the address
 * of the console if none is known.
 */
async function openConsole(
  { connecting, accounts }: CommandDeps,
  { id }: Connection,
  page?: ConsolePage,
): Promise<void> {
  const { connections } = connecting;
  const addressOf = (shown: ConsolePage | undefined) => {
    const known = connections.find(id);
    return known && consoleAddress(known, shown, accounts.facts(known)?.consoleKind);
  };
  const pages = consolePages.filter((each) => addressOf(each) !== addressOf(undefined));
  let address = addressOf(page);
  if (page === undefined && pages.length > 0) {
    const rows = [undefined, ...pages].flatMap((shown) => {
      const value = addressOf(shown);
      const iconPath = new vscode.ThemeIcon(shown ? icons[shown] : 'globe');
      return value === undefined ? [] : [{ value, label: openPageText(shown), description: value, iconPath }];
    });
    address = (await pickRow({ title: l10n.t('Console'), placeholder: l10n.t('Select a page'), rows })).value;
  } else if (address === undefined) {
    const known = connections.find(id);
    await (known && editLine(connecting, known, 'consoleUrl'));
    address = addressOf(page);
  }
  await (address && openLink(address, () => false));
}

export type CommandDeps = {
  readonly connecting: ConnectDeps;
  /** Balance and validity as undocumented endpoints report them. */
  readonly accounts: Pick<Accounts, 'facts' | 'read' | 'forget'>;
  /** Runs *Check Connection*. */
  readonly checkSteps: (
    connection: Connection,
    key: string | undefined,
    signal: AbortSignal,
  ) => Promise<readonly CheckStep[]>;
  readonly documents: ShownTexts;
  /** Opens the system prompt or the parameters of a connection in an editor. */
  readonly openSettings: (connection: Connection, kind: 'systemPrompt' | 'parameters') => Promise<unknown>;
  readonly diagnostics: DiagnosticsDeps;
};

function button(icon: string, tooltip: string, run: ListButton['run']): ListButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, run };
}

/** *Manage Connections*: picking a row switches to that connection; its buttons edit it. */
async function manageConnections(deps: CommandDeps): Promise<void> {
  const { connecting, accounts } = deps;
  const { connections } = connecting;
  let current = connections.active?.id;
  for (;;) {
    if (connections.all.length === 0) {
      await connect(connecting);
      return;
    }
    const keys = new Map<string, string>();
    const rows = () => connections.all.map((connection) => connectionRow(deps, connection, keys.get(connection.id)));
    const { value, button: clicked } = await pickRow<string>({
      title: l10n.t('Connections'),
      placeholder: l10n.t('Select the connection to use'),
      buttons: [button('add', l10n.t('Connect to Another Gateway…'), () => connect(connecting))],
      rows: rows(),
      current,
      // Filled in after the list is shown: a keyring may ask the person first, and an endpoint may be slow.
      improve: async (signal, show) => {
        for (const connection of connections.all) {
          const destination = await connections.destinationOf(connection);
          keys.set(connection.id, destination.status === 'ready' ? l10n.t('Key stored') : whyNotReady(destination));
        }
        show(rows());
        // One at a time, so that a gateway does not receive a burst of requests.
        for (const connection of connections.all) {
          if (!signal.aborted && (await accounts.read(connection))) {
            show(rows());
          }
        }
      },
    });
    current = value;
    const connection = value === undefined || clicked ? undefined : connections.find(value);
    if (connection) {
      if (connections.active?.id !== connection.id) {
        await connections.use(connection);
      }
      await ensureConnected(connecting);
    }
    // A button that returns false shows the list again.
    if (clicked === undefined || (await clicked.run())) {
      return;
    }
  }
}

function connectionRow(deps: CommandDeps, connection: Connection, key: string | undefined): Row<string> {
  const { connecting, accounts } = deps;
  const { id, name, url, note } = connection;
  const facts = accounts.facts(connection);
  const isInUse = id === connecting.connections.active?.id;
  return {
    value: id,
    label: name,
    iconPath: new vscode.ThemeIcon(isInUse ? 'check' : 'blank'),
    description: factsText(url.base, isInUse && l10n.t('in use')),
    detail: factsText(key ?? l10n.t('Looking for the key…'), note, facts && accountWords(facts, Date.now())),
    buttons: [
      button('edit', l10n.t('Edit Connection…'), async () => (await editConnection(deps, connection)) === 'done'),
      button('key', l10n.t('Replace Key…'), () => replaceKey(connecting, connection)),
      button('trash', l10n.t('Remove Connection and Key'), async () => {
        await removeConnection(connecting, connection);
        return false;
      }),
    ],
  };
}

/** *Edit Connection*: one row for each property of a connection, with its value. */
async function editConnection(deps: CommandDeps, { id }: Connection): Promise<EditOutcome> {
  const { connections } = deps.connecting;
  let current: string | undefined;
  for (;;) {
    const connection = connections.find(id);
    if (connection === undefined) {
      return 'back';
    }
    const rows = editRows(deps, connection);
    const { value: picked, isBack } = await pickRow<string>({
      title: l10n.t('Edit {0}', connection.name),
      placeholder: l10n.t('Select what to change'),
      canGoBack: true,
      current,
      rows,
    });
    if (picked === undefined) {
      return isBack ? 'back' : 'done';
    }
    current = picked;
    if ((await rows.find(({ value }) => value === current)?.run?.()) === 'done') {
      return 'done';
    }
  }
}

/** A row and its action; a separator has neither. The list is shown again unless the action returns `done`. */
type EditRow = Row<string> & { readonly run?: () => Promise<unknown> };

function editRows(deps: CommandDeps, connection: Connection): EditRow[] {
  const { connecting, accounts } = deps;
  const { connections } = connecting;
  const { name, url, note, consoleUrl, creditUnit, headers, probes, systemPrompt, parameters } = connection;
  /** The icon is also the row's value, because each row has its own. */
  const row = (icon: string, label: string, run: () => Promise<unknown>, words: Partial<EditRow> = {}): EditRow => {
    return { value: icon, label, iconPath: new vscode.ThemeIcon(icon), run, ...words };
  };
  /** A row that closes the list. */
  const last = (icon: string, label: string, run: () => Promise<unknown>, words?: Partial<EditRow>) =>
    row(icon, label, () => run().then(() => 'done'), words);
  const separator: EditRow = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const count = Object.keys(headers).length;
  const line = (property: Parameters<typeof editLine>[2]) => () => editLine(connecting, connection, property);
  const facts = accounts.facts(connection);
  const refresh = async () => {
    await accounts.forget(connection);
    await withCancellableProgress(l10n.t('Reading the balance…'), () => accounts.read(connection));
  };
  const none = l10n.t({ message: 'none', comment: ['The value of a property that is not set'] });
  return [
    row('tag', l10n.t('Name'), line('name'), { description: name }),
    row('link', l10n.t('Address'), () => editAddress(connecting, connection), { description: url.base }),
    row('note', l10n.t('Note'), line('note'), { description: note ?? none }),
    row('globe', l10n.t('Console'), line('consoleUrl'), { description: consoleUrl ?? none }),
    row('credit-card', l10n.t('Unit of Credit'), line('creditUnit'), {
      description: creditUnit ? creditUnitText(creditUnit) : none,
    }),
    row('list-flat', l10n.t('Extra Headers'), () => editHeaders(connecting, connection), {
      description: count === 0 ? none : numberText(count),
    }),
    last('comment', l10n.t('System Prompt'), () => deps.openSettings(connection, 'systemPrompt'), {
      description: systemPrompt === undefined ? none : shortLine(systemPrompt),
    }),
    last('settings', l10n.t('Parameters'), () => deps.openSettings(connection, 'parameters'), {
      description: parameters === undefined ? none : shortLine(JSON.stringify(parameters)),
    }),
    row('search', l10n.t('Read Balance, Prices, and Log'), () => connections.change(connection, { probes: !probes }), {
      description: probes
        ? l10n.t({ message: 'on', comment: ['State of a setting'] })
        : l10n.t({ message: 'off', comment: ['State of a setting'] }),
      detail: l10n.t('Reads undocumented endpoints of this gateway, free of charge; its log only when you ask for it.'),
    }),
    ...(probes
      ? [row('refresh', l10n.t('Refresh Balance'), refresh, { detail: facts ? accountWords(facts, Date.now()) : none })]
      : []),
    last('link-external', l10n.t('Open Console in Browser'), () => openConsole(deps, connection)),
    separator,
    row('key', l10n.t('Replace Key…'), async () => (await replaceKey(connecting, connection)) && 'done'),
    row('lock', l10n.t('Remove Key'), () => removeKey(connecting, connection)),
    ...(connections.all.length > 1
      ? [last('diff', l10n.t('Compare Models of Two Keys…'), () => compareConnections(deps, connection))]
      : []),
    separator,
    row('trash', l10n.t('Remove Connection and Key'), () => removeConnection(connecting, connection)),
  ];
}

/** *Check Connection*: checks the route, the model list and the key, and opens a report to read or to copy. */
async function checkConnectionCommand(deps: CommandDeps, connection: Connection): Promise<void> {
  const destination = await deps.connecting.connections.destinationOf(connection);
  const key = destination.status === 'ready' ? destination.key : undefined;
  const steps = await withCancellableProgress(l10n.t('Checking the connection without paid calls…'), (signal) =>
    deps.checkSteps(connection, key, signal),
  );
  await (steps && showMarkdown(deps.diagnostics.redact(reportOf(deps.diagnostics, connection, steps))));
}

/** The check as Markdown for a support request. All text from outside is in one code block and can't end it. */
function reportOf(
  { version, system }: DiagnosticsDeps,
  { name, url }: Connection,
  steps: readonly CheckStep[],
): string {
  const fence = '`'.repeat(3);
  const lines = [
    `Ask Model ${version}, VS Code ${vscode.version}, ${system}`,
    `${name}, ${url.base}`,
    ...steps.map(({ name: step, status, ms, detail }) => {
      return `${step} (${ms === undefined ? status : `${status}, ${Math.round(ms)} ms`}): ${detail}`;
    }),
  ];
  return [`# ${l10n.t('Ask Model: Connection Check')}`, '', `${fence}text`, ...lines.map(inert), fence, ''].join('\n');
}

/** *Compare Models of Two Keys*: reads both model lists again, without cost, and shows their ids in the diff editor. */
async function compareConnections({ connecting: deps, documents }: CommandDeps, first: Connection): Promise<void> {
  const others = deps.connections.all.filter(({ id }) => id !== first.id);
  if (others.length === 0) {
    void showInformationMessage(
      l10n.t('There is only one connection. Connect with another key first, to the same gateway or a different one.'),
    );
    return;
  }
  const { value: second } = await pickRow<Connection>({
    title: l10n.t('Compare {0} With', first.name),
    placeholder: l10n.t('Select a connection. Both model lists are read again, free of charge.'),
    rows: others.map((each) => ({
      value: each,
      label: each.name,
      description: each.url.base,
      detail: each.note,
    })),
  });
  if (second === undefined) {
    return;
  }
  const lists = await withCancellableProgress(
    l10n.t('Reading the models of {0} and {1}…', first.name, second.name),
    (signal) => Promise.all([read(deps, first, signal), read(deps, second, signal)]),
  );
  const [a, b] = lists ?? [];
  if (a !== undefined && b !== undefined) {
    const side = ({ name, url, id }: Connection, text: string) => ({ name: `${name} (${url.host})`, about: id, text });
    await documents.diff([side(first, a), side(second, b)]);
  }
}

/** The ids of the models that a connection's key can use, sorted, one a line. */
async function read(
  { connections, check }: ConnectDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { url, headers, name } = connection;
  const destination = await connections.destinationOf(connection);
  if (destination.status !== 'ready') {
    void showErrorMessage(sentences(l10n.t("{0} can't be compared.", name), whyNotReady(destination)));
    return undefined;
  }
  const found = await check({ url, key: destination.key, headers }, signal);
  if ('kind' in found) {
    const words = problemText(found, connection.url.host);
    void showErrorMessage(
      l10n.t({ message: '{0}: {1}', args: [name, words], comment: ['A name, then what is said about it'] }),
    );
    return undefined;
  }
  return found.models.map(({ id }) => `${id}\n`).join('');
}
