import type { Route } from './networkProbe.ts';
import type { RouteChoice } from './route.ts';

/**
 * Whether a proxy on the way reads key, questions and answers. It does with an `http:` address, also one in a private
 * network that nobody else could listen to, and also when the way to the proxy itself is TLS.
 *
 * @param route as `chooseRoute` or a probe gives it for `url`.
 */
export function carriesInClear(route: Route | RouteChoice, url: string): boolean {
  const isProxied = 'way' in route ? route.way === 'proxy' : route.proxy !== undefined;
  return isProxied && new URL(url).protocol === 'http:';
}
