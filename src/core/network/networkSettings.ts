/** What the person's VS Code says about the way to a gateway; read for every request, so a change needs no reload. */
export type NetworkSettings = {
  /** Who carries the requests: our own undici, or the editor's `fetch`, which knows PAC files and Kerberos. */
  readonly transport: 'undici' | 'host';
  /** `http.proxySupport`: with `off` no proxy is used, whatever else is set. */
  readonly proxySupport: 'off' | 'on' | 'fallback' | 'override';
  /** `http.proxy`; empty when it is not set, and then the environment counts. */
  readonly proxy: string;
  /** `http.proxyAuthorization`: the whole value of the `Proxy-Authorization` header. */
  readonly proxyAuthorization: string | undefined;
  /** `http.noProxy`: hosts reached without the proxy. */
  readonly noProxy: readonly string[];
  /** `http.proxyStrictSSL`: whether an `https:` proxy has to prove who it is. Never applies to the gateway. */
  readonly proxyStrictSsl: boolean;
  /** `http.systemCertificates`: whether the authorities the system trusts count besides Node's own. */
  readonly systemCertificates: boolean;
};

/** What VS Code's own defaults say. */
export const defaultNetworkSettings: NetworkSettings = {
  transport: 'undici',
  proxySupport: 'override',
  proxy: '',
  proxyAuthorization: undefined,
  noProxy: [],
  proxyStrictSsl: true,
  systemCertificates: true,
};

/** The environment variables of the process, of which a handful say how to reach the network. */
export type Environment = Readonly<Record<string, string | undefined>>;
