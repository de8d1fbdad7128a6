import type { Disposable } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Transport } from '../../core/http/transport.ts';
import type { NetworkProbe } from '../../core/network/networkProbe.ts';
import { defaultNetworkSettings, type NetworkSettings } from '../../core/network/networkSettings.ts';

/** What carries requests, and what looks at their way. */
export type LazyTransport = {
  readonly send: Transport;
  /** Loads what a request would load. */
  probe(): Promise<NetworkProbe>;
} & Disposable;

/**
 * Loads what carries requests with the first of them and not before; a window that asks nothing never pays for it.
 *
 * @param readSettings asked at each request.
 */
export function lazyTransport(readSettings: () => NetworkSettings = () => defaultNetworkSettings): LazyTransport {
  const network = once(async () => (await import('./undiciTransport.ts')).openNetwork(readSettings, process.env));
  const editor = once(() => import('./fetchTransport.ts'));
  return {
    async send(request, signal) {
      // Reading them asks VS Code several times, so it is done once for each request.
      const settings = readSettings();
      return settings.transport === 'host'
        ? (await editor()).send(request, signal)
        : (await network()).send(request, signal, settings);
    },
    probe: async () => (await network()).probe,
    // Whoever sent or looked has heard already that it could not be loaded.
    dispose: () =>
      void network.ifCalled()?.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
}
