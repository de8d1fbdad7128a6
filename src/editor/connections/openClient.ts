import { Emitter, type Event } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { GatewayClient } from '../../core/client/gatewayClient.ts';
import { ClearRoutes, guardedTransport } from '../../core/connections/clearRoutes.ts';
import { loggedTransport } from '../../core/http/loggedTransport.ts';
import type { Transport } from '../../core/http/transport.ts';
import type { NetworkProbe } from '../../core/network/networkProbe.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { timeouts } from './timeouts.ts';

export type ClientPorts = SharedPorts & {
  readonly settings: { readonly current: NetworkSettings; readonly onDidChange: Event<void> };
  /** What carries requests, and what looks at their way. */
  readonly network: { readonly send: Transport; probe(): Promise<NetworkProbe> };
  /** What the system says about proxies. */
  readonly environment: Environment;
  readonly userAgent: string;
};

/** The client of the gateways, and what a request passes on its way. */
export type OpenedClient = {
  /** Loaded with the first request. */
  readonly client: () => Promise<GatewayClient>;
  readonly transport: Transport;
  /** The routes on which others can read the key. */
  readonly routes: ClearRoutes;
  /** Fires with the address of a request that was answered with a status below 300. */
  readonly onDidAnswer: Event<string>;
};

/** Builds the client of the gateways: no request goes to them but through its transport, which guards the key and logs. */
export function openClient(ports: ClientPorts): OpenedClient {
  const { store, log, clock, remembered, settings, network, environment, userAgent } = ports;
  const routes = new ClearRoutes({
    settings: () => settings.current,
    environment,
    memory: { read: () => remembered.clearRoutes, write: (accepted) => remembered.setClearRoutes(accepted) },
  });
  const didAnswer = store.add(new Emitter<string>());
  const logged = loggedTransport(guardedTransport(network.send, routes), log, clock);
  const transport: Transport = async (request, signal) => {
    const response = await logged(request, signal);
    if (response.status < 300) {
      didAnswer.fire(request.url);
    }
    return response;
  };
  const client = once(async () => {
    const { GatewayClient } = await import('../../core/client/gatewayClient.ts');
    return new GatewayClient({ transport, clock, limits: timeouts, userAgent });
  });
  return { client, transport, routes, onDidAnswer: didAnswer.event };
}
