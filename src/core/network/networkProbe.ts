/** What decided the route of a request. */
export type RouteReason =
  /** A setting or environment variable names the proxy. */
  | { readonly reason: 'setting'; readonly setting: string }
  | { readonly reason: 'noProxySet' }
  | { readonly reason: 'proxySupportOff' }
  | { readonly reason: 'thisMachine'; readonly host: string }
  /** An entry of `http.noProxy` or `NO_PROXY` matches the host. */
  | { readonly reason: 'exempt'; readonly setting: string; readonly entry: string }
  /** VS Code decides, because it sends the requests. */
  | { readonly reason: 'editor' };

/** The route of a request. */
export type Route = {
  /** The proxy's host and port, without user name and password; left out when the route is direct or unknown. */
  readonly proxy?: string;
  readonly because: RouteReason;
};

/** What was learned from a TLS handshake. */
export type TlsFacts = {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** The protocol both sides agreed on, `h2` or `http/1.1`; left out when the server doesn't say. */
  readonly alpn?: string;
  readonly subject: string;
  readonly issuer: string;
  /** Unix milliseconds. */
  readonly validUntil: number;
};

/**
 * Checks the route to a gateway step by step, exactly as requests take it. Sends no key and no request. Throws or
 * rejects with the original error, which `networkProblem` reads.
 */
export type NetworkProbe = {
  /** @throws when a proxy is set that can't be used. */
  routeTo(url: string): Route;
  /** The addresses of a host name, as this machine resolves it. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Connects to an `https:` URL, through the proxy if there is one, and closes the connection. */
  handshake(url: string, connectTimeoutMs: number, signal: AbortSignal): Promise<TlsFacts>;
};
