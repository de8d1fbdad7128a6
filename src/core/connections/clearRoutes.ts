import { recordOf, textsIn } from '../base/loose.ts';
import { isThisMachine } from '../network/hostName.ts';
import type { ClearRoute } from '../network/networkErrors.ts';
import { chooseProxy, type Environment, type NetworkSettings } from '../network/route.ts';
import { isExposedUrl } from './webAddress.ts';

/** Ids of accepted routes by the gateway's origin. `read` may return a value of any type. */
type RouteMemory = { read(): unknown; write(accepted: Readonly<Record<string, unknown>>): PromiseLike<void> };

/** Accepted routes stored per gateway; a laptop that moves between networks has several. */
const maxRoutes = 10;

/**
 * The routes to `http:` gateways on which others can read the key, and which of them the person accepted. A change of
 * proxy makes another route, which has to be accepted separately.
 */
export class ClearRoutes {
  readonly #settings: () => NetworkSettings;
  readonly #environment: Environment;
  readonly #memory: RouteMemory;

  constructor(settings: () => NetworkSettings, environment: Environment, memory: RouteMemory) {
    this.#settings = settings;
    this.#environment = environment;
    this.#memory = memory;
  }

  /** The route that a request to this address takes now; undefined when others can't read the request. */
  routeTo(address: string): ClearRoute | undefined {
    const url = new URL(address);
    if (url.protocol !== 'http:' || isThisMachine(url.hostname)) {
      return undefined;
    }
    const settings = this.#settings();
    if (settings.transport === 'host') {
      // VS Code's own network code doesn't expose which proxies it uses.
      return { id: 'editor' };
    }
    try {
      const proxy = chooseProxy(url, settings, this.#environment);
      const direct = isExposedUrl(url) ? { id: 'direct' } : undefined;
      return proxy ? { id: proxy.origin, proxy: proxy.name } : direct;
    } catch {
      // The configured proxy can't be used, so no request is sent.
      return undefined;
    }
  }

  /** The route that a request takes now, when the person has to accept it before a key may go there. */
  unacceptedTo(address: string): ClearRoute | undefined {
    const route = this.routeTo(address);
    return route && this.#acceptedFor(address).includes(route.id) ? undefined : route;
  }

  /** Stores that the person accepts this route, on which others can read the key. */
  async accept(address: string, { id }: ClearRoute): Promise<void> {
    const accepted = [id, ...this.#acceptedFor(address).filter((each) => each !== id)].slice(0, maxRoutes);
    await this.#memory.write({ ...recordOf(this.#memory.read()), [new URL(address).origin]: accepted });
  }

  /** Deletes the accepted routes of a gateway that no longer has a connection. */
  async forget(address: string): Promise<void> {
    const { [new URL(address).origin]: forgotten, ...others } = recordOf(this.#memory.read());
    await (forgotten && this.#memory.write(others));
  }

  #acceptedFor(address: string): readonly string[] {
    return textsIn(recordOf(this.#memory.read())[new URL(address).origin]);
  }
}
