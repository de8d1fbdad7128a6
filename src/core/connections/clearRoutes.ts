import { isRecord } from '../base/loose.ts';
import type { Transport } from '../http/transport.ts';
import { type ClearRoute, ClearRouteError } from '../network/clearRoute.ts';
import type { Environment, NetworkSettings } from '../network/networkSettings.ts';
import { chooseRoute, isThisMachine } from '../network/route.ts';
import { isExposedUrl } from './webAddress.ts';

export type ClearRoutesPorts = {
  readonly settings: () => NetworkSettings;
  readonly environment: Environment;
  /** What is accepted, by the gateway's origin. What is read may be of any type. */
  readonly memory: { read(): unknown; write(accepted: Readonly<Record<string, readonly string[]>>): PromiseLike<void> };
};

/** For a laptop that moves between networks. */
const maxRoutes = 10;

/**
 * The routes to `http:` gateways on which others can read the key, and which of them the person accepted. A proxy that is
 * set later is another route than the one that was accepted.
 */
export class ClearRoutes {
  readonly #ports: ClearRoutesPorts;

  constructor(ports: ClearRoutesPorts) {
    this.#ports = ports;
  }

  /** The route that a request to this address takes now; undefined when others can't read what goes there. */
  routeTo(address: string): ClearRoute | undefined {
    const url = new URL(address);
    if (url.protocol !== 'http:' || isThisMachine(url.hostname)) {
      return undefined;
    }
    const settings = this.#ports.settings();
    if (settings.transport === 'host') {
      // Which proxies VS Code's own network code goes through is not to be seen from here.
      return { id: 'editor' };
    }
    const choice = chooseRoute(address, settings, this.#ports.environment);
    switch (choice.way) {
      case 'proxy':
        return { id: choice.proxy.origin, proxy: choice.proxy.name };
      case 'direct':
        return isExposedUrl(url) ? { id: 'direct' } : undefined;
      case 'none':
        // Nothing is sent at all.
        return undefined;
      default:
        return choice satisfies never;
    }
  }

  /** The route that a request takes now, when the person has to accept it before a key may go there. */
  unacceptedTo(address: string): ClearRoute | undefined {
    const route = this.routeTo(address);
    return route && this.#acceptedFor(address).includes(route.id) ? undefined : route;
  }

  /** The person accepts that the key of this address is readable on this route. */
  async accept(address: string, { id }: ClearRoute): Promise<void> {
    const accepted = [id, ...this.#acceptedFor(address).filter((each) => each !== id)].slice(0, maxRoutes);
    await this.#ports.memory.write({ ...this.#all, [new URL(address).origin]: accepted });
  }

  /** The gateway has no connection any more. */
  async forget(address: string): Promise<void> {
    const { origin } = new URL(address);
    if (Object.hasOwn(this.#all, origin)) {
      const { [origin]: _, ...others } = this.#all;
      await this.#ports.memory.write(others);
    }
  }

  #acceptedFor(address: string): readonly string[] {
    const { origin } = new URL(address);
    return Object.hasOwn(this.#all, origin) ? (this.#all[origin] ?? []) : [];
  }

  get #all(): Readonly<Record<string, readonly string[]>> {
    const read = this.#ports.memory.read();
    const entries = isRecord(read) ? Object.entries(read) : [];
    return Object.fromEntries(
      entries.map(([origin, ids]) => [origin, Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []]),
    );
  }
}

/** A transport that sends no key where others could read it, unless the person accepted that route. */
export function guardedTransport(send: Transport, routes: Pick<ClearRoutes, 'unacceptedTo'>): Transport {
  return async (request, signal) => {
    const route = 'authorization' in request.headers ? routes.unacceptedTo(request.url) : undefined;
    if (route) {
      throw new ClearRouteError(route);
    }
    return send(request, signal);
  };
}
