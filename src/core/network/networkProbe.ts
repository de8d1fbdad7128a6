/** Which way a request takes. */
export type Route = {
  /** The proxy's host and port, without user name and password; left out when the way is direct or unknown. */
  readonly proxy?: string;
  /** What decided it, in words: `http.proxy`, `HTTPS_PROXY`, `http.noProxy names this host`, `no proxy is set`, … */
  readonly because: string;
};

/** What a TLS handshake told. */
export type TlsFacts = {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** What both sides agreed to speak: `h2`, `http/1.1`; left out when the server does not say. */
  readonly alpn?: string;
  readonly subject: string;
  readonly issuer: string;
  /** Unix milliseconds. */
  readonly validUntil: number;
};

/**
 * Looks at the way to a gateway step by step, along the very way that requests take. Sends no key and no request.
 * Throws or rejects with the error it met, which `networkProblem` reads.
 */
export type NetworkProbe = {
  /** @throws when a proxy is set that can not be used. */
  routeTo(url: string): Route;
  /** The addresses of a name, as this machine finds them. */
  lookUp(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Connects, through the proxy if one is on the way, to an `https:` address and ends. */
  handshake(url: string, connectTimeoutMs: number, signal: AbortSignal): Promise<TlsFacts>;
};
