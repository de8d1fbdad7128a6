import { decodedUri } from '../base/loose.ts';
import { matchesWildcards } from '../base/wildcards.ts';
import { isInBlock, isThisMachine } from './hostName.ts';
import { ProxyError } from './networkErrors.ts';

/** The settings for the route to a gateway. They are read for every request, so a change needs no reload. */
export type NetworkSettings = {
  /** What sends the requests: our own undici, or the editor's `fetch`, which supports PAC files and Kerberos. */
  readonly transport: 'undici' | 'host';
  /** False when `http.proxySupport` is `off`: no proxy is used, whatever else is set. */
  readonly usesProxy: boolean;
  /** `http.proxy`; when it is empty, the environment variables apply. */
  readonly proxy: string;
  /** `http.proxyAuthorization`: the whole value of the `Proxy-Authorization` header. */
  readonly proxyAuthorization: string | undefined;
  /** `http.noProxy`: hosts reached without the proxy. */
  readonly noProxy: readonly string[];
  /** `http.proxyStrictSSL`: whether an `https:` proxy needs a valid certificate. Never applies to the gateway. */
  readonly proxyStrictSsl: boolean;
  /** `http.systemCertificates`: whether to trust the system's certificate authorities besides Node's own. */
  readonly systemCertificates: boolean;
};

/** The environment variables of the process. A few of them set the proxy. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A forward proxy on the route. */
export type ProxyServer = {
  /** `http:` or `https:` origin, without user name and password. */
  readonly origin: string;
  /** Host and port, for display. */
  readonly name: string;
  /** The value of `Proxy-Authorization`; a secret. */
  readonly authorization?: string;
  /** The setting or variable that names the proxy. */
  readonly setting: string;
};

/**
 * Chooses the route as VS Code does for its own requests: a gateway on this machine is reached directly, `http.proxy`
 * has precedence over the environment, and `http.noProxy` replaces `NO_PROXY` unless it is empty. Which environment
 * variable applies to which scheme follows curl; names in lower case have precedence over upper case.
 *
 * @param gateway its URL, `http:` or `https:`.
 * @returns the proxy; undefined when the request goes directly to the gateway.
 * @throws ProxyError when a proxy is set that can't be used: without it, the key would be sent on an unintended route.
 */
export function chooseProxy(
  gateway: URL,
  settings: NetworkSettings,
  environment: Environment,
): ProxyServer | undefined {
  const found = settings.usesProxy ? proxySetting(gateway.protocol, settings, environment) : undefined;
  return found === undefined || isThisMachine(gateway.hostname) || isExempt(gateway, settings, environment)
    ? undefined
    : readProxy(found.value, found.setting, settings);
}

function proxySetting(protocol: string, { proxy }: NetworkSettings, environment: Environment) {
  const scheme = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variables = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY'];
  return [
    { setting: 'http.proxy', value: proxy },
    ...variables.map((name) => ({ setting: name, value: environment[name] })),
  ]
    .map(({ setting, value = '' }) => ({ setting, value: value.trim() }))
    .find(({ value }) => value !== '');
}

function isExempt(gateway: URL, settings: NetworkSettings, environment: Environment): boolean {
  const own = settings.noProxy.filter((entry) => entry.trim() !== '');
  const variable = environment.no_proxy || environment.NO_PROXY || '';
  const host = gateway.hostname.toLowerCase().replace(/\.$/, '');
  return (own.length > 0 ? own : variable.split(/[\s,]+/))
    .map((each) => each.trim())
    .some((each) => each !== '' && matches(each, host, portOf(gateway)));
}

/**
 * Whether an entry of a list such as `http.noProxy` or `NO_PROXY` matches a host.
 *
 * There is no standard. What VS Code and curl both support has the same meaning here: `*` is every host, `example.com`
 * and `.example.com` are the domain and its subdomains, and `:8080` after a name limits the entry to that port. Also
 * supported: `*` inside a name, an address, IPv6 with and without brackets, and a block of addresses (`10.0.0.0/8`).
 */
function matches(entry: string, host: string, port: number): boolean {
  // More than one colon outside brackets is an IPv6 address without a port.
  const [, before, wanted] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (wanted !== undefined && Number(wanted) !== port) {
    return false;
  }
  const name = (before ?? entry).toLowerCase().replace(/\.$/, '');
  const bare = name.replace(/^\./, '');
  const isDomain = bare !== '' && (host === bare || host.endsWith(`.${bare}`));
  return isDomain || isInBlock(host, name) || matchesWildcards(host, name);
}

function readProxy(value: string, setting: string, settings: NetworkSettings): ProxyServer {
  const unusable = (proxy: string, named = setting) => new ProxyError({ proxy, setting: named, cause: 'setting' });
  const address = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(address)) {
    // The value may contain a password anywhere, so it isn't repeated.
    throw unusable('');
  }
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw unusable(url.host);
  }
  const name = `${url.hostname}:${portOf(url)}`;
  const own = settings.proxyAuthorization?.trim();
  if (own && !/^[\t\x20-\x7e\x80-\xff]+$/.test(own)) {
    throw unusable(name, 'http.proxyAuthorization');
  }
  return { origin: url.origin, name, setting, authorization: own || basic(url) };
}

function basic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') {
    return undefined;
  }
  const bytes = new TextEncoder().encode(`${decodedUri(username)}:${decodedUri(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
