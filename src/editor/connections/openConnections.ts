import type * as vscode from 'vscode';
import { AccountProbes } from '../../core/account/accountProbes.ts';
import { Accounts } from '../../core/account/accounts.ts';
import { Emitter, type Event } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { RequestPreview } from '../../core/chat/conversation/requestDocument.ts';
import { CallGate, type CallGatePorts } from '../../core/chat/sending/callGate.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import type { RecentErrors } from '../../core/check/diagnostics.ts';
import type { ChatRequest } from '../../core/client/chatRequest.ts';
import { GatewayClient } from '../../core/client/gatewayClient.ts';
import { ClearRoutes, guardedTransport } from '../../core/connections/clearRoutes.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { Connections } from '../../core/connections/connections.ts';
import { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import { loggedTransport } from '../../core/http/loggedTransport.ts';
import type { Transport } from '../../core/http/transport.ts';
import type { CataloguePorts } from '../../core/models/catalogue/catalogue.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { KeyRemover, removedKey } from '../../core/secrets/keyRemover.ts';
import type { Limiter } from '../../core/usage/limiter.ts';
import { TokenRatios } from '../../core/usage/tokenRatios.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import type { CheckKey } from './askKey.ts';
import type { ConnectionCommands } from './connectionCommands.ts';
import { connectionStores } from './connectionStores.ts';
import { findSender, previewCall } from './findSender.ts';
import { timeouts } from './timeouts.ts';

export type ConnectionsPorts = SharedPorts & {
  readonly settings: { readonly current: NetworkSettings; readonly onDidChange: Event<void> };
  readonly network: { readonly send: Transport };
  /** The environment variables that configure proxies. */
  readonly environment: Environment;
  readonly userAgent: string;
  readonly secrets: vscode.SecretStorage;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
  /** The version of the extension. */
  readonly version: string;
  /** The operating system, such as `Linux 6.1 x64`. */
  readonly system: () => string;
  /** The version of Node. */
  readonly runtime: () => string;
  readonly extension: vscode.Extension<unknown>;
  /** Limits and records paid calls. */
  readonly limiter: Limiter;
  readonly priceNow: CallGatePorts['priceNow'];
  /** Gets the problems of questions and of model lists. */
  readonly errors: RecentErrors;
  /** Opens the system prompt of a connection in an editor. */
  readonly editSystemPrompt: (connection: Connection) => Promise<void>;
  readonly editParameters: (connection: Connection) => Promise<void>;
};

/** The person's connections, and the calls to their gateways. */
export type OpenedConnections = {
  readonly connections: Connections;
  /** What gateways reported about keys. */
  readonly accounts: Accounts;
  /** The connections stored without a check, and what later calls showed about them. */
  readonly unchecked: UncheckedConnections;
  /** The commands for connections; loaded when the first of them is run. */
  readonly connecting: () => Promise<ConnectionCommands>;
  /** Opens the missing step when there is no connection or no key. @returns false when the person cancels. */
  readonly ensureConnected: () => Promise<boolean>;
  /** The host that a question would be sent to now. */
  readonly host: () => string | undefined;
  /** What to multiply estimates of tokens with for a model, as learned from its calls. */
  readonly tokenFactor: (model: string) => number;
  /** Reads the model list of a gateway with a key that is not stored yet. */
  readonly check: CheckKey;
  readonly listModels: CataloguePorts['listModels'];
  readonly findSender: FindSender;
  /** The keys of all connections, once they have been read; see `Connections.readKeys`. */
  readonly keys: KeyRemover;
  /** The call that would be made for a request now; see `previewCall`. */
  readonly previewCall: (request: ChatRequest) => Promise<RequestPreview>;
  /** Fires with the address of a request that was answered with a status below 300. */
  readonly onDidAnswer: Event<string>;
  /** Resolves when the ends of all paid calls so far are in the ledger. */
  readonly callsSettled: () => Promise<void>;
  /** Fires when a route on which others can read the key was accepted, or when requests may take another route. */
  readonly onDidChangeRoutes: Event<void>;
};

/**
 * Builds the connections and the client of their gateways. All requests go through its transport, which guards the key
 * and logs.
 */
export function openConnections(ports: ConnectionsPorts): OpenedConnections {
  const { store, log, clock, remembered, settings, network, environment, secrets, userAgent, version, errors } = ports;
  const routes = new ClearRoutes({
    settings: () => settings.current,
    environment,
    memory: { read: () => remembered.clearRoutes, write: (accepted) => remembered.setClearRoutes(accepted) },
  });
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
  const tokenRatios = new TokenRatios({
    read: () => remembered.tokenRatios,
    write: (ratios) => remembered.setTokenRatios(ratios),
  });
  const calls = new CallGate({
    client,
    limiter: ports.limiter,
    priceNow: ports.priceNow,
    clock,
    onCounted: (model, counted) => void tokenRatios.learn(model, counted).catch(logUnsaved),
  });
  const keys = new KeyRemover(removedKey, true);
  const unacceptedRoute = (address: string) => routes.unacceptedTo(address);
  const connections = store.add(
    new Connections(connectionStores(secrets, log, unacceptedRoute, (key) => keys.add(key))),
  );
  const unchecked = store.add(
    new UncheckedConnections({
      read: (id) => remembered.checkState(id),
      write: (id, state) => remembered.setCheckState(id, state),
    }),
  );
  store.add(settings.onDidChange(() => didChangeRoutes.fire()));
  store.add(
    connections.onDidRemove(({ id, url }) => {
      const isOriginUsed = connections.all.some((each) => each.url.origin === url.origin);
      Promise.all([remembered.forget(id), isOriginUsed ? undefined : routes.forget(url.modelsUrl)]).catch((error) =>
        log.defect('Data of a removed connection could not be deleted', error),
      );
    }),
  );
  // Another key may be in another group, whose prices differ.
  store.add(connections.onDidChangeKey((id) => remembered.setGroupRatio(id, undefined).catch(logUnsaved)));
  const isWithoutUsage = (id: string) => remembered.isWithoutUsage(id);
  const check: CheckKey = async (target, signal) => {
    // Not stored yet, so the log does not know it; a gateway may still repeat it in its response.
    log.conceal(target.key);
    return client.listModels(target, signal);
  };
  const probes = store.add(
    new AccountProbes({
      transport,
      clock,
      userAgent,
      connectTimeoutMs: timeouts.connectMs,
      fingerprint: ports.fingerprint,
    }),
  );
  const accounts = store.add(new Accounts({ connections, probes, clock }));
  const connecting = once(async () => {
    const { connectionCommands } = await import('./connectionCommands.ts');
    return connectionCommands({
      clock,
      connections,
      accounts,
      check,
      unchecked,
      holdsKey: (text) => log.redact(text) !== text,
      routes: {
        routeTo: (address) => routes.routeTo(address),
        accept: async (address, route) => {
          await routes.accept(address, route);
          didChangeRoutes.fire();
        },
      },
      version,
      editSystemPrompt: ports.editSystemPrompt,
      editParameters: ports.editParameters,
      system: ports.system(),
      runtime: ports.runtime(),
      extension: ports.extension,
      errors,
      redact: (text) => log.redact(text),
      checkPorts: () => ({ client, clock, settings: settings.current, environment }),
    });
  });
  return {
    connections,
    accounts,
    unchecked,
    connecting,
    ensureConnected: async () =>
      (await connections.findDestination()).status === 'ready' || (await connecting()).ensureConnected(),
    tokenFactor: (model) => tokenRatios.factor(model),
    host: () => connections.active && new URL(connections.active.url.base).host,
    check,
    listModels: async ({ connection: { id, url, headers }, key }, signal) => {
      const list = await client.listModels({ url, key, headers }, signal, 2);
      unchecked.listed(id).catch(logUnsaved);
      return list;
    },
    findSender: async () => {
      const onAnswered = (id: string) => unchecked.answered(id).catch(logUnsaved);
      const [found] = await Promise.all([
        findSender(connections, calls, isWithoutUsage, onAnswered),
        connections.readKeys(),
      ]);
      return found;
    },
    keys,
    previewCall: (request) => previewCall(connections, userAgent, isWithoutUsage, request),
    onDidAnswer: didAnswer.event,
    callsSettled: () => calls.settled(),
    onDidChangeRoutes: didChangeRoutes.event,
  };
}
