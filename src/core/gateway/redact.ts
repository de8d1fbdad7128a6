/**
 * Everything that is shown, logged or kept passes here first. Gateways put whole and part-masked keys into their
 * messages (wire Q57), so shape counts as well as the one key we know.
 */

const keyShaped = /\b(?:sk|gsk|pk|rk)[-_][A-Za-z0-9*_.-]{6,}/g;
const bearer = /\b(bearer\s+)[^\s"',;<>]{6,}/gi;

/** @param secrets literal texts that must not survive, the stored key first of all. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= 4) {
      result = result.replaceAll(secret, '[key]');
      // The same key inside a URL or a JSON text.
      const encoded = encodeURIComponent(secret);
      if (encoded !== secret) {
        result = result.replaceAll(encoded, '[key]');
      }
      const escaped = JSON.stringify(secret).slice(1, -1);
      if (escaped !== secret) {
        result = result.replaceAll(escaped, '[key]');
      }
    }
  }
  return result.replace(keyShaped, '[key]').replace(bearer, '$1[key]');
}
