import type { Connection } from '../../core/connections/connection.ts';
import { consolePages } from '../../core/errors/consolePage.ts';
import { checkConnectionCommand } from './checkConnectionCommand.ts';
import { compareConnections } from './compareConnections.ts';
import { confirmAddress, connect, ensureConnected, replaceKey } from './connect.ts';
import { copyDiagnostics, type DiagnosticsDeps } from './copyDiagnostics.ts';
import { editAddress, removeConnection, removeKey, rename } from './editConnection.ts';
import { editConnection, type ManageDeps, manageConnections } from './manageConnections.ts';
import { openConsole } from './openConsole.ts';

/** The commands for connections; loaded when first needed. */
export type ConnectionCommands = ReturnType<typeof connectionCommands>;

export function connectionCommands(deps: ManageDeps & DiagnosticsDeps) {
  const { connections } = deps;
  /** Runs a command for the connection in use; without one, runs *Connect to a Gateway*. */
  const withActive = async (run: (connection: Connection) => unknown): Promise<void> => {
    const { active } = connections;
    await (active ? run(active) : connect(deps));
  };
  return {
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
    copyDiagnostics: () => copyDiagnostics(deps),
    /**
     * @param target host of the gateway, or id of the connection, whose console to open; undefined or unknown means the
     * connection in use.
     * @param page one of `consolePages`.
     */
    openConsole: (target?: unknown, page?: unknown) => {
      const isTarget = ({ id, url }: Connection) => id === target || new URL(url.base).host === target;
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
  };
}
