import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { SeenCall } from '../../core/chat/conversation/requestDocument.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import type { ChatRequest } from '../../core/client/chatRequest.ts';
import { Connections } from '../../core/connections/connections.ts';
import { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import type { CataloguePorts } from '../../core/models/catalogue/catalogue.ts';
import type { CheckKey } from './askKey.ts';
import type { ConnectionCommands } from './connectionCommands.ts';
import { connectionStores } from './connectionStores.ts';
import { findSender, seeCall } from './findSender.ts';
import { type ClientPorts, openClient } from './openClient.ts';
import { timeouts } from './timeouts.ts';

export type ConnectionsPorts = ClientPorts & {
  readonly secrets: vscode.SecretStorage;
  /** A keyed hash of a text: it names a key without telling it. */
  readonly fingerprint: (text: string) => Promise<string>;
  /** The extension's. */
  readonly version: string;
  /** Such as `Linux 6.1 x64`. */
  readonly system: () => string;
};

/** The person's connections, and every call of their gateways. */
export type OpenedConnections = {
  readonly connections: Connections;
  /** Those kept without a check, and what calls have shown of them. */
  readonly unchecked: UncheckedConnections;
  /** What a person can do with connections; loaded with the first of its commands. */
  readonly connecting: () => Promise<ConnectionCommands>;
  /** Leads to the missing step when there is no connection or no key. @returns false when the person left. */
  readonly ensureConnected: () => Promise<boolean>;
  /** Host that a question would go to now. */
  readonly host: () => string | undefined;
  /** Asks a gateway for its list with a key that is kept nowhere yet. */
  readonly check: CheckKey;
  readonly listModels: CataloguePorts['listModels'];
  readonly findSender: FindSender;
  /** The call that a request would be now; see `seeCall`. */
  readonly seeCall: (request: ChatRequest) => Promise<SeenCall>;
  /** Fires with the address of a request that was answered with a status below 300. */
  readonly onDidAnswer: Event<string>;
  /** A route on which others can read the key was accepted, or requests may take another route from now on. */
  readonly onDidChangeRoutes: Event<void>;
};

/** Builds the connections with the client of their gateways. */
export function openConnections(ports: ConnectionsPorts): OpenedConnections {
  const { store, log, clock, remembered, settings, network, secrets, userAgent, version } = ports;
  const { client, transport, routes, onDidAnswer } = openClient(ports);
  const didChangeRoutes = store.add(new Emitter<void>());
  const connections = store.add(
    new Connections(connectionStores(secrets, log, (address) => routes.unacceptedTo(address))),
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
        log.defect('Something of a removed connection stayed behind', error),
      );
    }),
  );
  const onUnnoted = (error: unknown) => log.defect('What a call has shown of a connection was not remembered', error);
  const isWithoutUsage = (id: string) => remembered.isWithoutUsage(id);
  const check: CheckKey = async (target, signal) => {
    // Typed a moment ago and kept nowhere yet; a gateway may repeat it in its answer all the same.
    log.conceal(target.key);
    return (await client()).listModels(target, signal);
  };
  const connecting = once(async () => {
    const { connectionCommands } = await import('./connectionCommands.ts');
    const { connectMs: connectTimeoutMs } = timeouts;
    const wire = { transport, clock, userAgent, connectTimeoutMs };
    return store.add(
      connectionCommands({
        ...wire,
        connections,
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
        fingerprint: ports.fingerprint,
        system: ports.system(),
        checkPorts: async () => ({
          ...wire,
          connectTimeoutMs: timeouts.connectMs,
          probe: await network.probe(),
          carrier: settings.current.transport,
        }),
      }),
    );
  });
  return {
    connections,
    unchecked,
    connecting,
    ensureConnected: async () =>
      (await connections.findDestination()).status === 'ready' || (await connecting()).ensureConnected(),
    host: () => connections.active && new URL(connections.active.url.base).host,
    check,
    listModels: async ({ connection: { id, url, headers }, key }, signal) => {
      const list = await (await client()).listModels({ url, key, headers }, signal, 2);
      unchecked.listed(id).catch(onUnnoted);
      return list;
    },
    findSender: () => findSender(connections, client, isWithoutUsage, (id) => unchecked.answered(id).catch(onUnnoted)),
    seeCall: (request) => seeCall(connections, userAgent, isWithoutUsage, request),
    onDidAnswer,
    onDidChangeRoutes: didChangeRoutes.event,
  };
}
