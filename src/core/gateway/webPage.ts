import { evidenceOf } from './classify.ts';
import type { Evidence, GatewayProblem } from './gatewayProblem.ts';

/** A web page where an answer was expected: a wrong base address, a block page, a proxy's error page, a login. */
export function webPageProblem(
  html: string,
  answer: { status: number; headers: Readonly<Record<string, string>>; secrets: readonly string[] },
): GatewayProblem {
  const title = /<title[^>]*>([^<]+)/i.exec(html)?.[1]?.replace(/\s+/g, ' ').trim();
  const { words, ...rest } = evidenceOf(title ? { message: title } : {}, answer);
  // Cut only after redaction: half a key is no longer recognised as one.
  const evidence: Evidence = { ...rest, ...(words && { words: words.slice(0, 300) }), isPage: true };
  const isCloudflare = answer.headers['cf-ray'] !== undefined || /cloudflare/i.test(html.slice(0, 20_000));
  if (
    isCloudflare &&
    (answer.status === 403 || /attention required|just a moment|error 10\d\d/i.test(title ?? html.slice(0, 2_000)))
  ) {
    return { kind: 'blocked', ...evidence };
  }
  if (answer.status === 413 || answer.status === 431) {
    return { kind: 'requestTooLarge', ...evidence };
  }
  if (answer.status === 429) {
    return { kind: 'rateLimited', ...evidence };
  }
  if (answer.status >= 500) {
    return { kind: 'gatewayDown', ...evidence };
  }
  return { kind: 'webPage', ...(evidence.words && { title: evidence.words }), ...evidence };
}

/** True when the first character that is not a blank opens a tag. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!|\?|[a-z])/i.test(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}
