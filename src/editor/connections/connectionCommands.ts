import { accountWords } from '../../core/account/accountFacts.ts';
import { AccountProbes } from '../../core/account/accountProbes.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Transport } from '../../core/http/transport.ts';
import { openLink } from '../ui/openLink.ts';
import { type CheckDeps, checkConnectionCommand } from './checkConnectionCommand.ts';
import { type CompareDeps, compareConnections } from './compareConnections.ts';
import {
  type ConnectDeps,
  confirmAddress,
  connect,
  ensureConnected,
  removeConnection,
  removeKey,
  replaceKey,
} from './connectCommands.ts';
import { editAddress, editConsoleUrl, rename } from './editConnection.ts';
import { editConnection, type ManageDeps, manageConnections } from './manageConnections.ts';

export type ConnectionDeps = ConnectDeps &
  CompareDeps &
  CheckDeps & {
    readonly transport: Transport;
    readonly userAgent: string;
    readonly connectTimeoutMs: number;
    /** A keyed hash of a text: it names a key without telling it. */
    readonly fingerprint: (text: string) => Promise<string>;
  };

/** What a person can do with connections; loaded when it is first needed. */
export type ConnectionCommands = ReturnType<typeof connectionCommands>;

export function connectionCommands(given: ConnectionDeps) {
  const { connections } = given;
  const probes = new AccountProbes(given);
  const deps: ManageDeps = {
    ...given,
    accountWords: async (connection, signal) => {
      const destination = await connections.destinationOf(connection);
      const facts = destination.status === 'ready' && (await probes.read(connection, destination.key, signal));
      return facts ? accountWords(facts) : undefined;
    },
    compare: (connection) => compareConnections(given, connection),
    checkConnection: (connection) => checkConnectionCommand(given, connection),
  };
  /** For the connection in use; without one, the way to the first. */
  const withActive = async (run: (connection: Connection) => unknown): Promise<void> => {
    const { active } = connections;
    await (active ? run(active) : connect(deps));
  };
  return {
    dispose: () => probes.dispose(),
    connect: () => connect(deps),
    ensureConnected: () => ensureConnected(deps),
    manage: () => manageConnections(deps),
    edit: () => withActive((connection) => editConnection(deps, connection)),
    rename: () => withActive((connection) => rename(deps, connection)),
    editAddress: () => withActive((connection) => editAddress(deps, connection)),
    confirmAddress: () => withActive((connection) => confirmAddress(deps, connection)),
    replaceKey: () => withActive((connection) => replaceKey(deps, connection)),
    removeKey: () => withActive((connection) => removeKey(deps, connection)),
    remove: () => withActive((connection) => removeConnection(deps, connection)),
    compare: () => withActive((connection) => deps.compare(connection)),
    check: () => withActive((connection) => deps.checkConnection(connection)),
    /** @param host of the gateway it is about; without one, or an unknown one, that of the connection in use. */
    openConsole: (host?: unknown) => {
      const open = async ({ id }: Connection) => {
        const find = () => connections.all.find((each) => each.id === id);
        const known = find();
        if (known && known.consoleUrl === undefined) {
          await editConsoleUrl(deps, known);
        }
        const address = find()?.consoleUrl;
        await (address && openLink(address));
      };
      const isAbout = ({ url }: Connection) => new URL(url.base).host === host;
      const { active, all } = connections;
      const other = active && isAbout(active) ? undefined : all.find(isAbout);
      return other ? open(other) : withActive(open);
    },
  };
}
