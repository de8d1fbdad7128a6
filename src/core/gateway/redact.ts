/**
 * Everything that is shown, logged or kept passes here first. Gateways put whole and part-masked keys into their
 * messages (wire Q57), so shape counts as well as the one key we know.
 */

const keyShaped = /\b(?:sk|gsk|pk|rk)[-_][A-Za-z0-9*_.-]{6,}/gi;
const bearer = /\b(bearer\s+)[^\s"',;<>]{6,}/gi;

/** @param secrets literal texts that must not survive, the stored key first of all. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= 4) {
      // The same key also inside a URL or a JSON text, in capitals or not; the longest spelling first.
      const spellings = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), secret];
      result = result.replace(new RegExp(spellings.map(literal).join('|'), 'gi'), '[key]');
    }
  }
  return result.replace(keyShaped, '[key]').replace(bearer, '$1[key]');
}

/** A pattern that matches exactly this text. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
