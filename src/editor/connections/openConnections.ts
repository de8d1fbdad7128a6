import * as vscode from 'vscode';
import { Accounts } from '../../core/account/accounts.ts';
import { Emitter } from '../../core/base/lifetime.ts';
import { recordOf } from '../../core/base/loose.ts';
import type { RecentErrors } from '../../core/check/diagnostics.ts';
import { defaultLimits, GatewayClient, type TimerLimits } from '../../core/client/gatewayClient.ts';
import { ClearRoutes } from '../../core/connections/clearRoutes.ts';
import type { Destination } from '../../core/connections/connection.ts';
import { type ConnectionSetting, Connections } from '../../core/connections/connections.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import { gatewayTransport, type Transport } from '../../core/http/transport.ts';
import type { ClearRoute } from '../../core/network/networkErrors.ts';
import type { Environment } from '../../core/network/route.ts';
import { KeyRemover, removedKey } from '../../core/secrets/keyRemover.ts';
import { showSettingProblems } from '../ui/messages.ts';
import { ownSetting, type SharedPorts, setOwnSetting } from '../ui/remembered.ts';
import type { ConnectDeps } from './connect.ts';
import { networkSettings } from './networkSettings.ts';

/**
 * Builds the connections and the client of their gateways. All requests go through its transport, which guards the key
 * and logs.
 *
 * @param environment the environment variables that configure proxies.
 * @param errors gets the problems of questions and of model lists.
 */
export function openConnections(
  { store, log, clock, remembered }: SharedPorts,
  secrets: vscode.SecretStorage,
  send: Transport,
  environment: Environment,
  userAgent: string,
  errors: RecentErrors,
) {
  const routes = new ClearRoutes(networkSettings, environment, remembered.value('clearRoutes'));
  const didChangeRoutes = store.add(new Emitter<void>());
  const transport = gatewayTransport(send, log, clock, (address) => routes.unacceptedTo(address));
  const client = new GatewayClient({
    transport,
    clock,
    get limits() {
      return timeouts();
    },
    userAgent,
    onProblem: (call, { url }, problem) => errors.problem(call, url.origin, problem),
  });
  const keys = new KeyRemover(removedKey, true);
  let reportedError = '';
  const connections = store.add(
    new Connections({
      secrets,
      setting: userSetting,
      unacceptedRoute: (address) => routes.unacceptedTo(address),
      newId: () => crypto.randomUUID().slice(0, 8),
      onProblems: (problems) => showSettingProblems(log, name, problems),
      onUnreadableSecret: (error) => {
        // Keys are read for each connection and at each call; the same error is logged once.
        if (String(error) !== reportedError) {
          reportedError = String(error);
          log.defect('SecretStorage could not be read', error);
        }
      },
      onKey: (key) => {
        log.conceal(key);
        keys.add(key);
      },
    }),
  );
  const logUnsaved = (error: unknown) => log.defect('What a call showed about a connection could not be stored', error);
  store.add(
    vscode.workspace.onDidChangeConfiguration(
      (event) =>
        (event.affectsConfiguration('http') || event.affectsConfiguration('askModel.network')) &&
        didChangeRoutes.fire(),
    ),
  );
  store.add(
    connections.onDidRemove(({ id, url }) => {
      const isOriginUsed = connections.all.some((each) => each.url.origin === url.origin);
      Promise.all([remembered.forget(id), isOriginUsed ? undefined : routes.forget(url.modelsUrl)]).catch((error) =>
        log.defect('Data of a removed connection could not be deleted', error),
      );
    }),
  );
  const groupRatio = remembered.ofConnections('groupRatio');
  // Another key may be in another group, whose prices differ.
  store.add(connections.onDidChangeKey((id) => groupRatio.write(id, undefined).catch(logUnsaved)));
  const connecting: ConnectDeps = {
    connections,
    check: async (target, signal) => {
      // Not stored yet, so the log does not know it; a gateway may still repeat it in its response.
      log.conceal(target.key);
      return client.listModels(target, signal).catch((error: unknown) => {
        if (error instanceof GatewayError) {
          return error.problem;
        }
        throw error;
      });
    },
    holdsKey: (text) => log.redact(text) !== text,
    routes: {
      routeTo: (address) => routes.routeTo(address),
      accept: async (address: string, route: ClearRoute) => {
        await routes.accept(address, route);
        didChangeRoutes.fire();
      },
    },
  };
  return {
    connections,
    accounts: store.add(new Accounts(connections, transport, clock, userAgent, timeouts().connectMs)),
    client,
    keys,
    /** What the steps of connecting and editing need. */
    connecting,
    listModels: ({ connection, key }: Destination & { status: 'ready' }, signal: AbortSignal) =>
      client.listModels({ url: connection.url, key, headers: connection.headers }, signal, 2),
    /** Fires when a route on which others can read the key was accepted, or when requests may take another route. */
    onDidChangeRoutes: didChangeRoutes.event,
  };
}

const name = 'askModel.connections';

/** The user value of the setting. The values of a workspace or a folder are not read. */
const userSetting: ConnectionSetting = {
  read: () => ownSetting(name),
  write: (entries) => setOwnSetting(name, entries.length > 0 ? entries : undefined),
  onDidChange: (listener) =>
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(name) && listener(event)),
};

const timeoutSetting = 'askModel.timeouts';

/** The time limits from the setting, which are in seconds. An invalid value means the default. */
function timeouts(): TimerLimits {
  const set = recordOf(vscode.workspace.getConfiguration().get<unknown>(timeoutSetting));
  const msOf = (name: string, fallback: number) => {
    const seconds = set[name];
    return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1_000, longestMs) : fallback;
  };
  return {
    connectMs: msOf('connect', defaultLimits.connectMs),
    firstByteMs: msOf('firstByte', defaultLimits.firstByteMs),
    idleMs: msOf('idle', defaultLimits.idleMs),
    payloadMs: msOf('payload', defaultLimits.payloadMs),
    totalMs: msOf('total', defaultLimits.totalMs),
  };
}

/** The longest delay that `setTimeout` supports. */
const longestMs = 2_147_483_647;
