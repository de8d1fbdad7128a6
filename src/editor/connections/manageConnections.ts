import * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { type NamedButton, pickRow, type Row } from '../ui/pickRow.ts';
import {
  type ConnectDeps,
  confirmAddress,
  connect,
  headersOf,
  removeConnection,
  removeKey,
  replaceKey,
} from './connectCommands.ts';
import { type EditOutcome, editAddress, editConsoleUrl, editNote, rename } from './editConnection.ts';
import { editHeaders } from './editHeaders.ts';

export type ManageDeps = ConnectDeps & {
  /** Balance and validity as undocumented endpoints report them; undefined when they report nothing. */
  readonly accountWords: (connection: Connection, signal: AbortSignal) => Promise<string | undefined>;
  readonly compare: (connection: Connection) => Promise<void>;
  readonly checkConnection: (connection: Connection) => Promise<void>;
};

type ButtonName = 'add' | 'edit' | 'key' | 'remove';

const button = (name: ButtonName, icon: string, tooltip: string): NamedButton<ButtonName> => ({
  name,
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
});

/** *Manage Connections*: picking a row uses that connection; buttons change it. */
export async function manageConnections(deps: ManageDeps): Promise<void> {
  const { connections } = deps;
  let current = connections.active?.id;
  for (;;) {
    if (connections.all.length === 0) {
      await connect(deps);
      return;
    }
    const outcome = await pickRow<string, ButtonName>({
      title: 'Connections',
      placeholder: 'Pick the connection to use',
      buttons: [button('add', 'add', 'Connect to Another Gateway')],
      rows: connectionRows(deps, new Map(), new Map()),
      current,
      // Not waited for: a keyring may ask the person first, and an endpoint may be slow.
      improve: async (signal, show) => {
        const keys = await keyStates(deps);
        show(connectionRows(deps, keys, new Map()));
        if (connections.all.some(({ probes }) => probes)) {
          show(connectionRows(deps, keys, await accounts(deps, signal)));
        }
      },
    });
    const connection = connections.all.find(({ id }) => 'value' in outcome && id === outcome.value);
    if (outcome.status === 'picked' && connection) {
      await use(deps, connection);
      return;
    }
    if (outcome.status !== 'button') {
      return;
    }
    current = connection?.id;
    if (outcome.name === 'add') {
      if (await connect(deps)) {
        return;
      }
    } else if (connection === undefined) {
      return;
    } else if (outcome.name === 'edit') {
      if ((await editConnection(deps, connection)) === 'done') {
        return;
      }
    } else if (outcome.name === 'key') {
      if (await replaceKey(deps, connection)) {
        return;
      }
    } else {
      await removeConnection(deps, connection);
    }
  }
}

/** Makes a connection the one in use, and asks for what it lacks. */
async function use(deps: ManageDeps, connection: Connection): Promise<void> {
  if (deps.connections.active?.id !== connection.id) {
    await deps.connections.use(connection);
  }
  const { status } = await deps.connections.destinationOf(connection);
  if (status === 'keyMissing') {
    await replaceKey(deps, connection);
  } else if (status === 'keyElsewhere' || status === 'keyInClear') {
    await confirmAddress(deps, connection);
  } else if (status === 'keyUnreadable') {
    void showErrorMessage(`VS Code’s secret storage can’t be read, so there is no key for ${connection.name} yet.`);
  }
}

function connectionRows(
  { connections }: ManageDeps,
  keys: ReadonlyMap<string, string>,
  accountWords: ReadonlyMap<string, string>,
): Row<string, ButtonName>[] {
  const { active } = connections;
  const buttons = [
    button('edit', 'edit', 'Edit'),
    button('key', 'key', 'Replace Key'),
    button('remove', 'trash', 'Remove Connection and Key'),
  ];
  return connections.all.map(({ id, name, url, note }) => {
    const details = [keys.get(id) ?? 'Key: looking…', note, accountWords.get(id)];
    return {
      value: id,
      label: name,
      iconPath: new vscode.ThemeIcon(id === active?.id ? 'check' : 'blank'),
      description: `${url.base}${id === active?.id ? ' · in use' : ''}`,
      detail: details.filter(Boolean).join(' · '),
      buttons,
    };
  });
}

async function keyStates({ connections }: ManageDeps): Promise<Map<string, string>> {
  const words = connections.all.map(
    async (connection) => [connection.id, await keyWords(connections, connection)] as const,
  );
  return new Map(await Promise.all(words));
}

async function keyWords(connections: ManageDeps['connections'], connection: Connection): Promise<string> {
  const destination = await connections.destinationOf(connection);
  switch (destination.status) {
    case 'ready':
      return 'Key kept';
    case 'keyMissing':
      return 'No key on this machine';
    case 'keyElsewhere':
      return `The key was given for ${destination.origin} and is not sent here`;
    case 'keyInClear':
      return 'Others could read the key on the way, so it is not sent';
    case 'keyUnreadable':
      return 'The secret storage can’t be read';
    default:
      return destination satisfies never;
  }
}

/** One after the other: gateways are not to be met with a volley of questions. */
async function accounts(deps: ManageDeps, signal: AbortSignal): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  for (const connection of deps.connections.all) {
    const said = connection.probes && !signal.aborted ? await deps.accountWords(connection, signal) : undefined;
    if (said) {
      words.set(connection.id, said);
    }
  }
  return words;
}

type Wish =
  | 'rename'
  | 'address'
  | 'note'
  | 'console'
  | 'headers'
  | 'probes'
  | 'key'
  | 'removeKey'
  | 'check'
  | 'compare'
  | 'remove';

/** *Edit Connection*: everything about one connection, a row each, with its value. */
export async function editConnection(deps: ManageDeps, { id }: Connection): Promise<EditOutcome> {
  const { connections } = deps;
  let current: Wish | undefined;
  for (;;) {
    const connection = connections.all.find((each) => each.id === id);
    if (connection === undefined) {
      return 'back';
    }
    const outcome = await pickRow<Wish>({
      title: `Edit ${connection.name}`,
      placeholder: 'What to change',
      canGoBack: true,
      current,
      rows: editRows(connection, connections.all.length > 1),
    });
    if (outcome.status !== 'picked') {
      return outcome.status === 'back' ? 'back' : 'done';
    }
    current = outcome.value;
    if ((await carryOut(deps, connection, outcome.value)) === 'done') {
      return 'done';
    }
  }
}

function editRows(
  { name, url, note, consoleUrl, headers, probes }: Connection,
  hasOthers: boolean,
): Row<Wish, never>[] {
  const count = Object.keys(headers).length;
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  return [
    { value: 'rename', label: 'Name', iconPath: new vscode.ThemeIcon('tag'), description: name },
    { value: 'address', label: 'Address', iconPath: new vscode.ThemeIcon('link'), description: url.base },
    { value: 'note', label: 'Note', iconPath: new vscode.ThemeIcon('note'), description: note ?? 'none' },
    {
      value: 'console',
      label: 'Console',
      iconPath: new vscode.ThemeIcon('globe'),
      description: consoleUrl ?? 'not known',
    },
    {
      value: 'headers',
      label: 'Extra Headers',
      iconPath: new vscode.ThemeIcon('list-flat'),
      description: count === 0 ? 'none' : String(count),
    },
    {
      value: 'probes',
      label: 'Ask for Balance and Validity',
      iconPath: new vscode.ThemeIcon('search'),
      description: probes ? 'on' : 'off',
      detail: 'Asks undocumented endpoints of this gateway, without cost, once a session.',
    },
    separator,
    { value: 'key', label: 'Replace Key…', iconPath: new vscode.ThemeIcon('key') },
    { value: 'removeKey', label: 'Remove Key…', iconPath: new vscode.ThemeIcon('lock') },
    separator,
    {
      value: 'check',
      label: 'Check Connection',
      iconPath: new vscode.ThemeIcon('pulse'),
      detail: 'Step by step, without a paid call.',
    },
    ...(hasOthers
      ? ([
          { value: 'compare', label: 'Compare What Two Keys See…', iconPath: new vscode.ThemeIcon('diff') },
        ] satisfies Row<Wish, never>[])
      : []),
    separator,
    { value: 'remove', label: 'Remove Connection and Key…', iconPath: new vscode.ThemeIcon('trash') },
  ];
}

async function carryOut(deps: ManageDeps, connection: Connection, wish: Wish): Promise<EditOutcome> {
  switch (wish) {
    case 'rename':
      return rename(deps, connection);
    case 'address':
      return editAddress(deps, connection);
    case 'note':
      return editNote(deps, connection);
    case 'console':
      return editConsoleUrl(deps, connection);
    case 'headers':
      return editHeaders(headersOf(deps.connections, connection), `Extra Headers of ${connection.name}`, deps.holdsKey);
    case 'probes':
      await deps.connections.change(connection, { probes: connection.probes ? undefined : true });
      return 'back';
    case 'key':
      return (await replaceKey(deps, connection)) ? 'done' : 'back';
    case 'removeKey':
      await removeKey(deps, connection);
      return 'back';
    case 'check':
      await deps.checkConnection(connection);
      return 'done';
    case 'compare':
      await deps.compare(connection);
      return 'done';
    case 'remove':
      await removeConnection(deps, connection);
      return 'back';
    default:
      return wish satisfies never;
  }
}
