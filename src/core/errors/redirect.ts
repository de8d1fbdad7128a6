import { redactedStart } from '../secrets/redact.ts';
import { evidenceOf } from './classify.ts';
import type { ProblemOf } from './gatewayProblem.ts';

/** The parts of a response that describe a redirect. Header names are in lower case. */
export type RedirectingAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Reads where a response redirects to.
 *
 * @param url the requested URL.
 * @returns the target as an absolute URL, or as it was sent when it can't be parsed; undefined when there is none.
 */
export function redirectTarget({ status, headers }: RedirectingAnswer, url: string): string | undefined {
  const { location } = headers;
  if (location === undefined || !statuses.has(status)) {
    return undefined;
  }
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}

/** True when a URL has the given scheme, host and port, so that the key may be sent there. */
export function isSameOrigin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/**
 * The problem of a redirect that isn't followed.
 *
 * @param to as returned by `redirectTarget`; may contain anything that the gateway sent, even the key.
 * @param secrets literal texts that must not be shown.
 */
export function redirectProblem(
  to: string,
  { status, headers }: RedirectingAnswer,
  secrets: readonly string[],
): ProblemOf<'redirected'> {
  const { requestId } = evidenceOf({}, { status, headers, secrets });
  return { kind: 'redirected', target: redactedStart(to, secrets, 2_048), status, ...(requestId && { requestId }) };
}

/** True for the status of a redirect, even when it names no target. */
export function isRedirect({ status }: Pick<RedirectingAnswer, 'status'>): boolean {
  return statuses.has(status);
}
