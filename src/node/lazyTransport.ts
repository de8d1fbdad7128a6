import type { Transport } from '../core/gateway/transport.ts';
import type { Disposable } from '../core/lifetime.ts';
import { once } from '../core/once.ts';

/** Loads undici with the first request and not before; a window that asks nothing never pays for it. */
export function lazyTransport(): { send: Transport } & Disposable {
  const loaded = once(() => import('./undiciTransport.ts'));
  return {
    send: async (request, signal) => (await loaded()).send(request, signal),
    dispose: () => void loaded.ifCalled()?.then(({ close }) => close()),
  };
}
