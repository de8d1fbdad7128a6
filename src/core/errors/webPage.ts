import { redactedStart } from '../secrets/redact.ts';
import { evidenceOf, proxyWantsCredentials } from './classify.ts';
import type { Evidence, GatewayProblem } from './gatewayProblem.ts';
import { pageKind } from './pageKind.ts';
import { pageTitle, readablePage } from './pageText.ts';
import { protectionOf } from './protectionPage.ts';

/** A web page where an answer was expected: a wrong base address, a block page, a proxy's error page, a login. */
export function webPageProblem(
  html: string,
  answer: { status: number; headers: Readonly<Record<string, string>>; secrets: readonly string[] },
): GatewayProblem {
  const { status, secrets } = answer;
  const page = readablePage(html);
  const title = pageTitle(page);
  const { words, ...rest } = evidenceOf(title ? { message: title } : {}, answer);
  // Cut only after redaction: half a key is no longer recognised as one.
  const evidence: Evidence = { ...rest, ...(words && { words: words.slice(0, 300) }), isPage: true };
  const protection = protectionOf(page, answer);
  if (protection && status !== 429) {
    const requestId = evidence.requestId ?? (protection.requestId && redactedStart(protection.requestId, secrets, 200));
    return { kind: 'blocked', service: protection.service, ...evidence, ...(requestId && { requestId }) };
  }
  if (status === 413 || status === 431) {
    return { kind: 'requestTooLarge', ...evidence };
  }
  if (status === 429) {
    return { kind: 'rateLimited', ...evidence };
  }
  const kind = pageKind(page, status);
  if (status === 407) {
    return { ...proxyWantsCredentials, ...evidence };
  }
  if (status === 504 || status === 524) {
    return { kind: 'gatewayTimedOut', ...evidence };
  }
  if (status >= 500 && kind !== 'proxy' && status !== 511) {
    return { kind: 'gatewayDown', ...evidence };
  }
  return { kind: 'webPage', page: kind, ...(evidence.words && { title: evidence.words }), ...evidence };
}

/** True when the first character that is not a blank opens a tag. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!|\?|[a-z])/i.test(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}
