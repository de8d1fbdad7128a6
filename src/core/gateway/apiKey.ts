/** What a person pastes as a key, cleaned or refused. The text itself is never part of a reason. */
export type ApiKeyResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Blanks, quotes and `Bearer ` around a key are taken off; anything that could not be an HTTP header value is refused.
 * Length and prefix are not judged: service.md says that the format is not shown.
 */
export function cleanApiKey(pasted: string): ApiKeyResult {
  let text = pasted.trim();
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replace(/^(?:authorization\s*:\s*)?bearer(?:\s+|$)/i, '')
      .replace(/^(["'`])(.*)\1$/s, '$2')
      .trim();
  }
  if (text === '') {
    return {
      ok: false,
      reason: 'Paste the key from the gateway’s console. It is shown there once, when it is created.',
    };
  }
  if (/\p{Cc}/u.test(text)) {
    return { ok: false, reason: 'This is more than one line, or holds a control character. Paste the key alone.' };
  }
  if (/\s/.test(text)) {
    return { ok: false, reason: 'There is a blank inside. Paste the key alone.' };
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return {
      ok: false,
      reason: 'A key is plain ASCII; this holds another character, perhaps an invisible one. Copy it again.',
    };
  }
  if (text.length > 4_096) {
    return { ok: false, reason: 'This is too long for a key. Paste the key alone.' };
  }
  return { ok: true, value: text };
}
