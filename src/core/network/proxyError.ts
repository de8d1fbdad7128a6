/** Why a proxy did not let a request through. */
type ProxyTrouble = 'authentication' | 'refused' | 'unreachable' | 'certificate' | 'setting';

/** What is known of it; `networkProblem` makes it the problem a person sees. */
export type ProxyFacts = {
  /** Host and port, never with a password; empty where the setting can not be read. */
  readonly proxy: string;
  readonly trouble: ProxyTrouble;
  /** The setting or variable that names the proxy. */
  readonly setting: string;
  /** The proxy's own answer. */
  readonly status?: number;
  /** What goes beyond the kind of trouble, for people. */
  readonly detail?: string;
};

/** Thrown by a transport; in the `cause` of a `ConnectError` when the proxy has not read the request either. */
export class ProxyError extends Error {
  readonly facts: ProxyFacts;

  constructor(facts: ProxyFacts, cause?: unknown) {
    super(`The proxy ${facts.proxy} did not let the request through (${facts.trouble})`, { cause });
    this.name = 'ProxyError';
    this.facts = facts;
  }
}
