/**
 * Thrown by a transport for a request that was certainly not sent: the error in `cause` occurred before its first byte
 * was written.
 */
export class ConnectError extends Error {
  constructor(cause: unknown) {
    super('No connection was made, so nothing was sent', { cause });
    this.name = 'ConnectError';
  }
}

/** What is known about a proxy that did not let a request through. */
export type ProxyFacts = {
  /** Host and port, never with a password; empty when the setting can't be parsed. */
  readonly proxy: string;
  readonly cause: 'authentication' | 'refused' | 'unreachable' | 'certificate' | 'setting';
  /** The setting or variable that names the proxy. */
  readonly setting: string;
  /** The status of the proxy's own response. */
  readonly status?: number;
};

/** Thrown by a transport. Wrapped in a `ConnectError` when not even the proxy has read the request. */
export class ProxyError extends Error {
  readonly facts: ProxyFacts;

  constructor(facts: ProxyFacts, cause?: unknown) {
    super(`The proxy ${facts.proxy} did not let the request through (${facts.cause})`, { cause });
    this.name = 'ProxyError';
    this.facts = facts;
  }
}

/** A route on which others can read the key. */
export type ClearRoute = {
  /** Identifies the route once the person has accepted it: `direct`, `editor`, or the proxy's origin. */
  readonly id: string;
  /** Host and port of the proxy that can read the key. */
  readonly proxy?: string;
};
