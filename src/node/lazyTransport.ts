import type { Transport } from '../core/gateway/transport.ts';
import type { Disposable } from '../core/lifetime.ts';

/** Loads undici with the first request and not before; a window that asks nothing never pays for it. */
export function lazyTransport(): { send: Transport } & Disposable {
  let module: Promise<typeof import('./undiciTransport.ts')> | undefined;
  return {
    async send(request, signal) {
      module ??= import('./undiciTransport.ts');
      const { send } = await module;
      return send(request, signal);
    },
    dispose() {
      void module?.then(({ close }) => close());
    },
  };
}
