import { KeyRemover } from './keyRemover.ts';

/**
 * Redacts every text that is shown, logged or stored. Gateways put keys into their messages (wire Q57), so
 * everything shaped like a key is redacted, not only the known key. Each pattern is applied once, and
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
  const result = known.replace(keyShaped, '[key]').replace(vendorShaped, '[key]').replace(bearer, '$1[key]');
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
  // A secret that was cut isn't recognized. It is within the last units, so these are not shown.
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
