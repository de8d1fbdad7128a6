import { isSignInPlace } from './signInPlace.ts';

/**
 * Why an answer points elsewhere: somebody should sign in, the same place is reached by the other scheme or with and
 * without `www.`, it names no place at all, or none of these.
 */
export type RedirectReason = 'login' | 'scheme' | 'www' | 'nowhere' | 'other';

/** @param from the address that was asked. @param to what the answer points to, absolute if it could be read. */
export function redirectReason(from: string, to: string): RedirectReason {
  if (!URL.canParse(from) || !URL.canParse(to)) {
    return 'other';
  }
  const [asked, next] = [new URL(from), new URL(to)];
  if (!/^https?:$/.test(next.protocol)) {
    return 'other';
  }
  const isMoved = asked.pathname === next.pathname || asked.pathname === next.pathname.replace(/\/$/, '');
  // An API that lives under such a name points to itself by it; the way to sign in leads to another page.
  if (isSignInPlace(next) && !(isMoved && withoutWww(asked.hostname) === withoutWww(next.hostname))) {
    return 'login';
  }
  if (withoutWww(asked.hostname) !== withoutWww(next.hostname)) {
    return 'other';
  }
  if (asked.hostname !== next.hostname) {
    return 'www';
  }
  return asked.protocol !== next.protocol && (asked.port === next.port || asked.port === '' || next.port === '')
    ? 'scheme'
    : 'other';
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, '');
}
