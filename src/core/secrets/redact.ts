import { isSecret, KeyRemover } from './keyRemover.ts';

/**
 * Redacts every text that is shown, logged or stored. Gateways put whole and partly masked keys into their messages
 * (wire Q57), so everything shaped like a key is redacted, not only the known key. Each pattern is applied once, and
 * the time is linear in the length of the text.
 */

/** `sk-…` and similar keys, even partly masked ones (wire 3.1). */
const keyShaped = /\b(?:sk|gsk|pk|rk)[-_](?:[\w*.•●…-]{6,4096}|[\w-]{0,5}(?:[*•●…]|\.{2})[\w*.•●…-]{0,4096})/gi;
/** Vendors' keys, personal access tokens and JSON Web Tokens, by their documented prefixes. */
const vendorKey =
  /(?:AIza|xai-|hf_|nvapi-|pplx-|tgp_v1_|gh[pousr]_|github_pat_|csk-|r8_|AKIA)[\w-]{14,4096}|eyJ[\w-]{8,500}\.[\w-]{8,8192}(?:\.[\w-]{0,4096})?/;
const vendorShaped = new RegExp(String.raw`\b(?:${vendorKey.source})`, 'g');
const isVendorKey = new RegExp(`^(?:${vendorKey.source})$`);
/** A key after `Bearer`. A plain word there is part of a sentence and doesn't match. */
const bearer = /\b(bearer(?:\s|%20|\+){1,8})(?![a-z]{1,16}[.!?)]{0,3}(?:[\s"',;<>]|$))[^\s"',;<>]{6,4096}/gi;
const basic = /\b(authorization["']?\s{0,3}[:=]\s{0,3}["']?basic\s{1,3})[^\s"',;<>]{6,4096}/gi;
/** A query parameter of a URL. */
const parameter =
  /([?&;](?:x-)?(?:(?:api|access|auth|secret|goog-api)[-_]?)?(?:key|token|secret)=|[?&;](?:sig|signature|password)=)[^\s&#"'<>]{1,4096}/gi;
/** `api_key: …` and similar labels, when the value contains a digit, which ordinary words don't. */
const labelled =
  /\b((?:x[-_])?(?:api|access|secret|auth|goog[-_]api)[-_ ]?(?:key|token)["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"',;<>\d]{0,40}\d)[^\s"',;<>]{8,4096}/gi;
const masks = /[*•●]{2,4096}|…{1,4096}|\.{3,4096}/g;
const wordOfKeys = /(?:key|token|secret|credential|令牌|密钥)[^*•●\n]{0,24}$/i;
/** UTF-16 units that are read on either side of a mask. */
const maskReach = 40;
const isWord = /[a-z0-9]/;
/** Characters of keys and their masks. A set, for speed: a text may consist of masks only. */
const keyUnits: ReadonlySet<number> = new Set(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.~-*•●'].map((unit) => unit.charCodeAt(0)),
);

/**
 * Replaces secrets, and everything that is shaped like a key, by `[key]`.
 *
 * @param secrets literal texts to remove, such as the stored key.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  if (text.length < 4) {
    return text;
  }
  const known = new KeyRemover('[key]', false, secrets).without(text);
  const result = withoutMasked(known, secrets)
    .replace(keyShaped, '[key]')
    .replace(vendorShaped, '[key]')
    .replace(bearer, '$1[key]');
  // These patterns need a colon or an equals sign, which most texts don't contain.
  return /[:=]/.test(result)
    ? result.replace(basic, '$1[key]').replace(parameter, '$1[key]').replace(labelled, '$1[key]')
    : result;
}

/** The maximum length of a secret, in any of the spellings that are found. */
export const secretChars = 4 * 1024;

/**
 * The beginning of a text, redacted. Reads no more of the text than needed: a failing response may be of any length.
 *
 * @param chars the maximum length of the result, in UTF-16 units.
 */
export function redactedStart(text: string, secrets: readonly string[], chars: number): string {
  const reach = chars + secretChars;
  const shown = redact(text.slice(0, reach), secrets);
  // A secret that was cut isn't recognised. It is within the last units, so these are not shown.
  return (text.length > reach ? shown.slice(0, -secretChars) : shown).slice(0, chars);
}

/** True when the whole text has the shape of a known kind of key. Words and names never do. */
export function isKeyShaped(text: string): boolean {
  return /^(?:sk|gsk|pk|rk)[-_](?=[\w.-]{0,4096}\d)[\w.-]{12,4096}$/i.test(text) || isVendorKey.test(text);
}

/** True when any part of a text is shaped like a key. */
export function holdsKey(text: string): boolean {
  return redact(text) !== text;
}

/**
 * Removes what a mask left of a key, such as `1a2b****9f0e`. It counts as a key when it begins or ends like one of the
 * secrets, or comes after a word such as `key`.
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

/** True when three or more characters before the mask begin the secret, or three or more after it end the secret. */
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

/** @returns the first place from `at`, in the direction of `step`, that can't be in a key; at most `maskReach` away. */
function edgeOf(text: string, at: number, step: 1 | -1, limit: number): number {
  let edge = at;
  for (let left = maskReach; left > 0 && (step > 0 ? edge < limit : edge >= limit); left--) {
    if (!keyUnits.has(text.charCodeAt(edge))) {
      break;
    }
    edge += step;
  }
  return edge;
}
