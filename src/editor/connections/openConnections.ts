import * as vscode from 'vscode';
import { Accounts } from '../../core/account/accounts.ts';
import { Emitter, type Event } from '../../core/base/lifetime.ts';
import { CallGate, type CallGatePorts } from '../../core/chat/sending/callGate.ts';
import type { RecentErrors } from '../../core/check/diagnostics.ts';
import type { ChatRequest } from '../../core/client/chatRequest.ts';
import { GatewayClient } from '../../core/client/gatewayClient.ts';
import { ClearRoutes, guardedTransport } from '../../core/connections/clearRoutes.ts';
import type { Destination } from '../../core/connections/connection.ts';
import { type ConnectionSetting, Connections } from '../../core/connections/connections.ts';
import { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import { loggedTransport } from '../../core/http/loggedTransport.ts';
import { defaultLimits, type TimerLimits } from '../../core/http/requestTimers.ts';
import type { Transport } from '../../core/http/transport.ts';
import type { ClearRoute } from '../../core/network/networkErrors.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { KeyRemover, removedKey } from '../../core/secrets/keyRemover.ts';
import type { Limiter } from '../../core/usage/limits.ts';
import { showSettingProblems } from '../ui/messages.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { CheckKey } from './askKey.ts';
import { ensureConnected } from './connect.ts';
import { type CommandDeps, connectionCommands } from './connectionCommands.ts';
import { findSender, previewCall } from './findSender.ts';

type ConnectionsPorts = {
  readonly settings: { readonly current: NetworkSettings; readonly onDidChange: Event<void> };
  readonly network: { readonly send: Transport };
  /** The environment variables that configure proxies. */
  readonly environment: Environment;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
  /** The operating system, such as `Linux 6.1 x64`. */
  readonly system: string;
  /** The version of Node. */
  readonly runtime: string;
  /** Gets the problems of questions and of model lists. */
  readonly errors: RecentErrors;
};

/**
 * Builds the connections and the client of their gateways. All requests go through its transport, which guards the key
 * and logs.
 */
export function openConnections(
  { store, log, clock, remembered }: SharedPorts,
  { secrets, extension }: vscode.ExtensionContext,
  ports: ConnectionsPorts,
) {
  const { settings, network, environment, errors } = ports;
  const { version } = extension.packageJSON as { version: string };
  const userAgent = `ask-model/${version}`;
  const routes = new ClearRoutes(() => settings.current, environment, remembered.value('clearRoutes'));
  const didAnswer = store.add(new Emitter<string>());
  const didChangeRoutes = store.add(new Emitter<void>());
  const logged = loggedTransport(guardedTransport(network.send, routes), log, clock);
  const transport: Transport = async (request, signal) => {
    const response = await logged(request, signal);
    if (response.status < 300) {
      didAnswer.fire(request.url);
    }
    return response;
  };
  const client = new GatewayClient({
    transport,
    clock,
    limits: timeouts,
    userAgent,
    onProblem: (call, { url }, problem) => errors.problem(call, url.origin, problem),
  });
  const logUnsaved = (error: unknown) => log.defect('What a call showed about a connection could not be stored', error);
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
  const unchecked = store.add(new UncheckedConnections(remembered.ofConnections('check')));
  store.add(settings.onDidChange(() => didChangeRoutes.fire()));
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
  const isWithoutUsage = (id: string) => remembered.ofConnections('withoutUsage').read(id) === true;
  const check: CheckKey = async (target, signal) => {
    // Not stored yet, so the log does not know it; a gateway may still repeat it in its response.
    log.conceal(target.key);
    return client.listModels(target, signal);
  };
  const accounts = store.add(new Accounts(connections, transport, clock, userAgent, timeouts.connectMs));
  const deps = {
    connections,
    accounts,
    check,
    unchecked,
    holdsKey: (text: string) => log.redact(text) !== text,
    routes: {
      routeTo: (address: string) => routes.routeTo(address),
      accept: async (address: string, route: ClearRoute) => {
        await routes.accept(address, route);
        didChangeRoutes.fire();
      },
    },
    checkPorts: () => ({ client, clock, settings: settings.current, environment }),
    diagnostics: {
      connections,
      clock,
      extension,
      version,
      system: ports.system,
      runtime: ports.runtime,
      errors,
      redact: (text: string) => log.redact(text),
    },
  };
  return {
    connections,
    accounts,
    unchecked,
    /** @param openSettings opens the system prompt or the parameters of a connection in an editor. */
    commands: (openSettings: CommandDeps['openSettings']) => connectionCommands({ ...deps, openSettings }),
    /** Opens the missing step when there is no connection or no key. @returns false when the person cancels. */
    ensureConnected: () => ensureConnected(deps),
    check,
    listModels: async (destination: Destination & { status: 'ready' }, signal: AbortSignal) => {
      const { id, url, headers } = destination.connection;
      const list = await client.listModels({ url, key: destination.key, headers }, signal, 2);
      unchecked.listed(id).catch(logUnsaved);
      return list;
    },
    /** The way to paid calls with the connection in use, within the limits of the limiter. */
    openCalls: (limiter: Limiter, priceNow: CallGatePorts['priceNow']) => {
      const calls = new CallGate({ client, limiter, priceNow, clock });
      const onAnswered = (id: string) => unchecked.answered(id).catch(logUnsaved);
      return {
        findSender: async () => {
          const [found] = await Promise.all([
            findSender(connections, calls, isWithoutUsage, onAnswered),
            connections.readKeys(),
          ]);
          return found;
        },
        /** Resolves when the ends of all paid calls so far are in the ledger. */
        settled: () => calls.settled(),
      };
    },
    keys,
    previewCall: (request: ChatRequest) => previewCall(connections, userAgent, isWithoutUsage, request),
    /** Fires with the address of a request that was answered with a status below 300. */
    onDidAnswer: didAnswer.event,
    /** Fires when a route on which others can read the key was accepted, or when requests may take another route. */
    onDidChangeRoutes: didChangeRoutes.event,
  };
}

const name = 'askModel.connections';

/** The user value of the setting. The values of a workspace or a folder are not read. */
const userSetting: ConnectionSetting = {
  read: () => vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue,
  write: (entries) =>
    vscode.workspace
      .getConfiguration()
      .update(name, entries.length > 0 ? entries : undefined, vscode.ConfigurationTarget.Global),
  onDidChange: (listener, thisArgs, disposables) =>
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration(name) && listener.call(thisArgs, event),
      undefined,
      disposables as vscode.Disposable[],
    ),
};

/** The time limits from the settings, which are in seconds; read at each call. An invalid value means the default. */
const timeouts: TimerLimits = {
  get connectMs() {
    return limitMs('askModel.timeouts.connect', defaultLimits.connectMs);
  },
  get firstByteMs() {
    return limitMs('askModel.timeouts.firstByte', defaultLimits.firstByteMs);
  },
  get idleMs() {
    return limitMs('askModel.timeouts.idle', defaultLimits.idleMs);
  },
  get payloadMs() {
    return limitMs('askModel.timeouts.payload', defaultLimits.payloadMs);
  },
  get totalMs() {
    return limitMs('askModel.timeouts.total', defaultLimits.totalMs);
  },
};

/** The longest delay that `setTimeout` supports. */
const longestMs = 2_147_483_647;

function limitMs(name: string, fallback: number): number {
  const seconds = vscode.workspace.getConfiguration().get<unknown>(name);
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1_000, longestMs) : fallback;
}
