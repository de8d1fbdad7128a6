import type { Disposable } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Transport } from '../../core/http/transport.ts';
import type { NetworkProbe } from '../../core/network/networkProbe.ts';
import { defaultNetworkSettings, type NetworkSettings } from '../../core/network/networkSettings.ts';

/** Sends requests, and inspects their route. */
export type LazyTransport = {
  readonly send: Transport;
  /** Loads the same modules as a request. */
  probe(): Promise<NetworkProbe>;
} & Disposable;

/**
 * Loads the transport only with the first request, so that a window without requests does not load it.
 *
 * @param readSettings called at each request.
 */
export function lazyTransport(readSettings: () => NetworkSettings = () => defaultNetworkSettings): LazyTransport {
  const network = once(async () => (await import('./undiciTransport.ts')).openNetwork(readSettings, process.env));
  const hostFetch = once(() => import('./fetchTransport.ts'));
  return {
    send: async (request, signal) =>
      (await (readSettings().transport === 'host' ? hostFetch() : network())).send(request, signal),
    probe: async () => (await network()).probe,
    // When loading failed, the callers of `send` and `probe` already got the error.
    dispose: () =>
      void network.ifCalled()?.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
}
