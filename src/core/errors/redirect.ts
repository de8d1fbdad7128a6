import { redactedStart } from '../secrets/redact.ts';
import { evidenceOf } from './classify.ts';
import type { ProblemOf } from './gatewayProblem.ts';
import { redirectReason } from './redirectReason.ts';

/** What tells of a redirect in an answer; names of headers in lower case. */
export type RedirectingAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * @param url the address that was asked.
 * @returns the absolute address an answer points to, what it says where that can not be read, or undefined when it
 * points nowhere.
 */
export function redirectTarget({ status, headers }: RedirectingAnswer, url: string): string | undefined {
  const { location } = headers;
  if (location === undefined || !statuses.has(status)) {
    return undefined;
  }
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}

/** Whether a key may go there: the same scheme, host and port. */
export function isWithin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** Whether nothing but a redirect is to be expected: a model's answer says what it is, or comes as it is made. */
export function isMereRedirect(headers: Readonly<Record<string, string>>): boolean {
  const { 'content-type': type = '', 'transfer-encoding': encoding = '' } = headers;
  return !/event-stream|json/i.test(type) && !/chunked/i.test(encoding);
}

/**
 * A redirect that is not followed, as a problem.
 *
 * @param to as `redirectTarget` gives it; it may hold whatever the gateway put into it, the key included.
 * @param secrets literal texts that must not be shown.
 */
export function redirectProblem(
  from: string,
  to: string,
  { status, headers }: RedirectingAnswer,
  secrets: readonly string[],
): ProblemOf<'redirected'> {
  const { requestId } = evidenceOf({}, { status, headers, secrets });
  const target = redactedStart(to, secrets, 2_048);
  return { kind: 'redirected', target, reason: redirectReason(from, to), status, ...(requestId && { requestId }) };
}

/** Whether an answer sends elsewhere, also when it names no place. */
export function isRedirect({ status }: Pick<RedirectingAnswer, 'status'>): boolean {
  return statuses.has(status);
}
