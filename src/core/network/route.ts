import { isLoopback, parseIp } from './ipAddress.ts';
import type { Route } from './networkProbe.ts';
import type { Environment, NetworkSettings } from './networkSettings.ts';
import { noProxyEntry } from './noProxy.ts';
import { ProxyError } from './proxyError.ts';

/** A forward proxy on the way. */
export type ProxyServer = {
  /** `http:` or `https:` origin, without user name and password. */
  readonly origin: string;
  /** For people: host and port. */
  readonly name: string;
  /** Value of `Proxy-Authorization`; a secret. */
  readonly authorization?: string;
  /** The setting or variable that names the proxy. */
  readonly setting: string;
};

/** Which way a request takes, and what decided it. */
export type RouteChoice =
  | { readonly way: 'direct'; readonly because: string }
  | { readonly way: 'proxy'; readonly proxy: ProxyServer; readonly because: string }
  /** A proxy is set and can not be used. Going without it would send the key a way nobody meant. */
  | { readonly way: 'none'; readonly setting: string; readonly proxy: string; readonly because: string };

const schemes: ReadonlySet<string> = new Set(['http:', 'https:']);

/**
 * Decides as VS Code does for its own requests: a gateway on this machine is reached directly, `http.proxy` wins over the environment,
 * and `http.noProxy` replaces `NO_PROXY` as soon as it names a host. Which variable counts for which scheme is
 * curl's rule, spelled small or large.
 *
 * @param url of the gateway, `http:` or `https:`.
 */
export function chooseRoute(url: string, settings: NetworkSettings, environment: Environment): RouteChoice {
  if (settings.proxySupport === 'off') {
    return { way: 'direct', because: 'http.proxySupport is off' };
  }
  const { protocol, hostname, port } = new URL(url);
  const found = proxySetting(protocol, settings, environment);
  if (found === undefined) {
    return { way: 'direct', because: 'no proxy is set' };
  }
  if (isThisMachine(hostname)) {
    return { way: 'direct', because: `${hostname} is this machine` };
  }
  const portNumber = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const exempt = exemption(hostname, portNumber, settings, environment);
  if (exempt !== undefined) {
    return { way: 'direct', because: exempt };
  }
  return readProxy(found.value, found.setting, settings);
}

/**
 * The proxy on the way, if there is one.
 *
 * @throws ProxyError when one is set and can't be used.
 */
export function proxyOf(choice: RouteChoice): ProxyServer | undefined {
  if (choice.way === 'none') {
    const { proxy, setting, because } = choice;
    throw new ProxyError({ proxy, setting, trouble: 'setting', detail: because });
  }
  return choice.way === 'proxy' ? choice.proxy : undefined;
}

function proxySetting(
  protocol: string,
  settings: NetworkSettings,
  environment: Environment,
): { setting: string; value: string } | undefined {
  const own = settings.proxy.trim();
  if (own !== '') {
    return { setting: 'http.proxy', value: own };
  }
  const scheme = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const names = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY'];
  for (const setting of names) {
    // Where a web server started this process, a visitor's header `Proxy` would stand in HTTP_PROXY.
    const isVisitors = setting === 'HTTP_PROXY' && environment.REQUEST_METHOD !== undefined;
    const value = environment[setting]?.trim();
    if (value && !isVisitors) {
      return { setting, value };
    }
  }
  return undefined;
}

function exemption(
  hostname: string,
  port: number,
  settings: NetworkSettings,
  environment: Environment,
): string | undefined {
  const own = settings.noProxy.filter((entry) => entry.trim() !== '');
  const variable = environment.no_proxy ? 'no_proxy' : 'NO_PROXY';
  const entries = own.length > 0 ? own : (environment[variable] ?? '').split(/[\s,]+/);
  const entry = noProxyEntry(hostname, port, entries);
  return entry === undefined ? undefined : `${own.length > 0 ? 'http.noProxy' : variable} names ${entry}`;
}

function readProxy(value: string, setting: string, settings: NetworkSettings): RouteChoice {
  let url: URL;
  try {
    url = new URL(value.includes('://') ? value : `http://${value}`);
  } catch {
    // It may hold a password anywhere, so it is not repeated.
    return { way: 'none', setting, proxy: '', because: 'it is no address' };
  }
  const name = url.port === '' && schemes.has(url.protocol) ? `${url.hostname}:${defaultPort(url)}` : url.host;
  if (!schemes.has(url.protocol)) {
    return { way: 'none', setting, proxy: name, because: `${url.protocol}// proxies are not supported` };
  }
  const own = settings.proxyAuthorization?.trim();
  if (own && !/^[\t\x20-\x7e\x80-\xff]+$/.test(own)) {
    return { way: 'none', setting: 'http.proxyAuthorization', proxy: name, because: 'no header can hold it' };
  }
  const authorization = own || basic(url);
  const proxy = { origin: url.origin, name, setting, ...(authorization !== undefined && { authorization }) };
  return { way: 'proxy', proxy, because: setting };
}

/** @param hostname as `URL.hostname` gives it. */
export function isThisMachine(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const address = parseIp(name);
  return address === undefined ? name === 'localhost' || name.endsWith('.localhost') : isLoopback(address);
}

function basic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') {
    return undefined;
  }
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function defaultPort({ protocol }: URL): number {
  return protocol === 'https:' ? 443 : 80;
}

/**
 * Whether a proxy on the way reads key, questions and answers. It does with an `http:` address, also one of a private
 * network, and also when the connection to the proxy itself is TLS.
 *
 * @param route as `chooseRoute` or a probe gives it for `url`.
 */
export function carriesInClear(route: Route | RouteChoice, url: string): boolean {
  const isProxied = 'way' in route ? route.way === 'proxy' : route.proxy !== undefined;
  return isProxied && new URL(url).protocol === 'http:';
}
