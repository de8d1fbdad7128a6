import type { Disposable } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Transport } from '../../core/http/transport.ts';
import { defaultNetworkSettings, type NetworkSettings } from '../../core/network/networkSettings.ts';

export type LazyTransport = { readonly send: Transport } & Disposable;

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
    // When loading failed, the callers of `send` already got the error.
    dispose: () =>
      void network.ifCalled()?.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
}
