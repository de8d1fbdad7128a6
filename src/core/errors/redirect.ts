import * as l10n from '@vscode/l10n';
import { redactedStart } from '../secrets/redact.ts';
import type { AdviceWords } from './adviceText.ts';
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

/** True when the body can't be a model's reply: a reply has a JSON or event stream type, or is sent in chunks. */
export function isPlainRedirect(headers: Readonly<Record<string, string>>): boolean {
  const { 'content-type': type = '', 'transfer-encoding': encoding = '' } = headers;
  return !/event-stream|json/i.test(type) && !/chunked/i.test(encoding);
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

/** Words in hosts and paths of sign-in pages: of a company, a gateway's console or a network. */
const signIn =
  /^(?:accounts?|passport|cas|portal|idp|wifi)\d*[.:]|(?:^|[/._-])(?:(?:log|sign)[-_]?in|sso|saml|o?auth|oidc|adfs|authorize|authenticate|captive|hotspot|okta(?:preview)?|auth0|onelogin|cloudflareaccess|pingone|duosecurity|jumpcloud|authing|amazoncognito)\d*(?:[/:?._-]|$)|SAMLRequest=|RelayState=/i;

/** The title and remedy for a redirect that was not followed. */
export function redirectedAdvice({ target }: ProblemOf<'redirected'>, host: string): AdviceWords {
  if (target === '') {
    return {
      title: l10n.t('The gateway sent a redirect without an address'),
      remedy: l10n.t("{0} doesn't say where to go. Check the connection's address.", host),
    };
  }
  const place = target.replace(/^https?:\/\//i, '');
  // A gateway whose own host name looks like a sign-in page may redirect to another of its paths.
  return signIn.test(place.startsWith(`${host}/`) ? place.slice(host.length) : place)
    ? {
        title: l10n.t('Network sign-in required'),
        remedy: l10n.t(
          "{0} redirects to a sign-in page: {1}. Nothing was sent there. Sign in to the network or VPN in a browser, or check the connection's address.",
          host,
          target,
        ),
      }
    : {
        title: l10n.t('The gateway redirects to another address'),
        remedy: l10n.t(
          'It redirects to {0}. Nothing was sent there. If that address is correct, use it for the connection.',
          target,
        ),
      };
}
