/** Why a proxy did not let a request through. */
type ProxyTrouble = 'authentication' | 'refused' | 'unreachable' | 'certificate' | 'setting';

/** What is known about the failure. `networkProblem` turns it into the problem that is shown. */
export type ProxyFacts = {
  /** Host and port, never with a password; empty when the setting can't be parsed. */
  readonly proxy: string;
  readonly trouble: ProxyTrouble;
  /** The setting or variable that names the proxy. */
  readonly setting: string;
  /** The status of the proxy's own response. */
  readonly status?: number;
  /**
   * More about the cause: for `authentication` what the proxy accepts, for `refused` `notHttp` or `closed`, for
   * `setting` `notAddress`, `notHeader` or the unsupported scheme, such as `socks5://`.
   */
  readonly detail?: string;
};

/** Thrown by a transport. Wrapped in a `ConnectError` when not even the proxy has read the request. */
export class ProxyError extends Error {
  readonly facts: ProxyFacts;

  constructor(facts: ProxyFacts, cause?: unknown) {
    super(`The proxy ${facts.proxy} did not let the request through (${facts.trouble})`, { cause });
    this.name = 'ProxyError';
    this.facts = facts;
  }
}
