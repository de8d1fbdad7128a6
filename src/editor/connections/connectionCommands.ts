import { accountWords } from '../../core/account/accountFacts.ts';
import { AccountProbes } from '../../core/account/accountProbes.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Transport } from '../../core/http/transport.ts';
import { openLink } from '../ui/openLink.ts';
import { checkConnectionCommand } from './checkConnectionCommand.ts';
import { compareConnections } from './compareConnections.ts';
import { confirmAddress, connect, ensureConnected, replaceKey } from './connect.ts';
import { copyDiagnostics, type DiagnosticsDeps } from './copyDiagnostics.ts';
import { editAddress, editConsoleUrl, removeConnection, removeKey, rename } from './editConnection.ts';
import { editConnection, type ManageDeps, manageConnections } from './manageConnections.ts';

export type ConnectionDeps = Omit<ManageDeps, 'accountWords'> & {
  readonly transport: Transport;
  readonly userAgent: string;
  readonly connectTimeoutMs: number;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
} & DiagnosticsDeps;

/** The commands for connections; loaded when first needed. */
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
  };
  /** Runs a command for the connection in use; without one, runs *Connect to a Gateway*. */
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
    compare: () => withActive((connection) => compareConnections(deps, connection)),
    check: () => withActive((connection) => checkConnectionCommand(deps, connection)),
    copyDiagnostics: () => copyDiagnostics(given),
    /** @param host of the gateway whose console to open; undefined or unknown means the connection in use. */
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
      const hasHost = ({ url }: Connection) => new URL(url.base).host === host;
      const { active, all } = connections;
      const other = active && hasHost(active) ? undefined : all.find(hasHost);
      return other ? open(other) : withActive(open);
    },
  };
}
