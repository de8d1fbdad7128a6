import { isSecret, KeyFinder } from './keyFinder.ts';
import { withoutKeys } from './withoutKeys.ts';

/**
 * Everything that is shown, logged or kept passes here first. Gateways put whole and part-masked keys into their
 * messages (wire Q57), so shape counts as well as the one key we know. Time grows with the length of the text and no
 * faster; a text passes once through each pattern.
 */

/** `sk-…` and its like, part-masked ones too (wire 3.1). */
const keyShaped = /\b(?:sk|gsk|pk|rk)[-_](?:[\w*.•●…-]{6,4096}|[\w-]{0,5}(?:[*•●…]|\.{2})[\w*.•●…-]{0,4096})/gi;
/** Keys of vendors, personal tokens and JSON Web Tokens, by the beginning that their makers document. */
const vendorShaped =
  /\b(?:AIza|xai-|hf_|nvapi-|pplx-|tgp_v1_|gh[pousr]_|github_pat_|csk-|r8_|AKIA)[\w-]{14,4096}|\beyJ[\w-]{8,500}\.[\w-]{8,8192}(?:\.[\w-]{0,4096})?/g;
/** After `Bearer` a key; a plain word after it belongs to a sentence. */
const bearer = /\b(bearer(?:\s|%20|\+){1,8})(?![a-z]{1,16}[.!?)]{0,3}(?:[\s"',;<>]|$))[^\s"',;<>]{6,4096}/gi;
const basic = /\b(authorization["']?\s{0,3}[:=]\s{0,3}["']?basic\s{1,3})[^\s"',;<>]{6,4096}/gi;
/** A parameter of an address. */
const parameter =
  /([?&;](?:x-)?(?:(?:api|access|auth|secret|goog-api)[-_]?)?(?:key|token|secret)=|[?&;](?:sig|signature|password)=)[^\s&#"'<>]{1,4096}/gi;
/** `api_key: …` and its like in text, when what follows has a digit in it, as words do not. */
const labelled =
  /\b((?:x[-_])?(?:api|access|secret|auth|goog[-_]api)[-_ ]?(?:key|token)["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"',;<>\d]{0,40}\d)[^\s"',;<>]{8,4096}/gi;
const masks = /[*•●]{2,4096}|…{1,4096}|\.{3,4096}/g;
const wordOfKeys = /(?:key|token|secret|credential|令牌|密钥)[^*•●\n]{0,24}$/i;
/** UTF-16 units looked at on either side of a mask. */
const maskReach = 40;
const isWord = /[a-z0-9]/;
/** What keys and their masks are made of; a set, because a text can be all masks. */
const keyUnits: ReadonlySet<number> = new Set(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.~-*•●'].map((unit) => unit.charCodeAt(0)),
);

/** @param secrets literal texts that must not survive, the stored key first of all. */
export function redact(text: string, secrets: readonly string[] = []): string {
  if (text.length < 4) {
    return text;
  }
  const known = secrets.length > 0 ? withoutKeys(text, new KeyFinder(secrets), '[key]') : text;
  const result = withoutMasked(known, secrets)
    .replace(keyShaped, '[key]')
    .replace(vendorShaped, '[key]')
    .replace(bearer, '$1[key]');
  // Neither can match without one of these, and most texts have none.
  return /[:=]/.test(result)
    ? result.replace(basic, '$1[key]').replace(parameter, '$1[key]').replace(labelled, '$1[key]')
    : result;
}

/** The longest a secret can be in any of the spellings that are found. */
export const secretChars = 4 * 1024;

/**
 * The beginning of a text, redacted. No more of it is looked at than is needed: a failing answer may be of any length.
 *
 * @param chars how much is returned at most, in UTF-16 units.
 */
export function redactedStart(text: string, secrets: readonly string[], chars: number): string {
  const reach = chars + secretChars;
  const shown = redact(text.slice(0, reach), secrets);
  // A secret that was cut is not recognised; it is among the last units, and these are not shown.
  return (text.length > reach ? shown.slice(0, -secretChars) : shown).slice(0, chars);
}

/** True for a text that is as a whole a key of a known shape; a word or a name never is. */
export function isKeyShaped(text: string): boolean {
  return (
    /^(?:sk|gsk|pk|rk)[-_](?=[\w.-]{0,4096}\d)[\w.-]{12,4096}$/i.test(text) ||
    /^(?:(?:AIza|xai-|hf_|nvapi-|pplx-|tgp_v1_|gh[pousr]_|github_pat_|csk-|r8_|AKIA)[\w-]{14,4096}|eyJ[\w-]{8,500}\.[\w-]{8,8192}(?:\.[\w-]{0,4096})?)$/.test(
      text,
    )
  );
}

/** True when a text has something of a key's shape anywhere in it. */
export function holdsKey(text: string): boolean {
  return redact(text) !== text;
}

/**
 * `1a2b****9f0e`: what a mask left of a key. It is one when it begins or ends as a secret does, or stands next to the
 * word key.
 */
function withoutMasked(text: string, secrets: readonly string[]): string {
  let result = '';
  let done = 0;
  for (const { 0: mask, index } of text.matchAll(masks)) {
    if (index < done) {
      continue;
    }
    const start = edgeOf(text, index - 1, -1, done) + 1;
    const end = edgeOf(text, index + mask.length, 1, text.length);
    const head = text.slice(start, index);
    const tail = text.slice(index + mask.length, end);
    const isMasked =
      secrets.some((secret) => isPartOf(secret, head, tail)) ||
      (/^[*•●]{3}/.test(mask) &&
        (head !== '' || tail !== '') &&
        wordOfKeys.test(text.slice(Math.max(done, start - maskReach), index)));
    if (isMasked) {
      result += `${text.slice(done, start)}[key]`;
      done = end;
    }
  }
  return done === 0 ? text : result + text.slice(done);
}

/** At least three letters in front of the mask are the first of the secret, or three behind it are its last. */
function isPartOf(secret: string, head: string, tail: string): boolean {
  if (secret.length < 8 || !isSecret(secret)) {
    return false;
  }
  const whole = secret.toLowerCase();
  const first = head.toLowerCase();
  const last = tail.toLowerCase();
  const longest = Math.min(whole.length, Math.max(first.length, last.length));
  for (let length = longest; length >= 3; length--) {
    const isFirst = whole.startsWith(first.slice(-length)) && !isWord.test(first.charAt(first.length - length - 1));
    const isLast = whole.endsWith(last.slice(0, length)) && !isWord.test(last.charAt(length));
    if ((first.length >= length && isFirst) || (last.length >= length && isLast)) {
      return true;
    }
  }
  return false;
}

/** @returns the first place from `at` on in a direction that is no part of a key, at most `maskReach` away. */
function edgeOf(text: string, at: number, step: 1 | -1, border: number): number {
  let edge = at;
  for (let left = maskReach; left > 0 && (step > 0 ? edge < border : edge >= border); left--) {
    if (!keyUnits.has(text.charCodeAt(edge))) {
      break;
    }
    edge += step;
  }
  return edge;
}
