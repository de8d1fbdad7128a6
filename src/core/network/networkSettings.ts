/** The settings for the route to a gateway. They are read for every request, so a change needs no reload. */
export type NetworkSettings = {
  /** What sends the requests: our own undici, or the editor's `fetch`, which supports PAC files and Kerberos. */
  readonly transport: 'undici' | 'host';
  /** `http.proxySupport`: with `off` no proxy is used, whatever else is set. */
  readonly proxySupport: 'off' | 'on' | 'fallback' | 'override';
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

/** VS Code's own defaults. */
export const defaultNetworkSettings: NetworkSettings = {
  transport: 'undici',
  proxySupport: 'override',
  proxy: '',
  proxyAuthorization: undefined,
  noProxy: [],
  proxyStrictSsl: true,
  systemCertificates: true,
};

/** The environment variables of the process. A few of them set the proxy. */
export type Environment = Readonly<Record<string, string | undefined>>;
