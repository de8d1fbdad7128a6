import * as l10n from '@vscode/l10n';
import type { Parsed } from '../base/loose.ts';

/** UTF-16 units. A longer text is refused without parsing it: no shell line with a key is that long. */
const maxPasted = 16_384;
const maxKey = 4_096;
/** Nested wrappings that are removed at most. */
const maxLayers = 16;

const name = String.raw`(?:[a-z][\w-]{0,60}[-_])?(?:api[-_ ]?key|apikey|key|token|secret)|authorization`;
/** `OPENAI_API_KEY=…`, `$env:KEY = …`, `x-api-key: …`, `"token": …`, `密钥：…`. */
const label = new RegExp(
  String.raw`^(?:\$env:)?(?:(["']?)(?:${name})\1\s{0,9}[:=]|(?:密钥|令牌)\s{0,9}[:：])\s*(?=[^=\s])`,
  'i',
);
const option = new RegExp(String.raw`^(?:export|set|-H|--header)\s+(?=["']?(?:${name}))`, 'i');
const scheme = /^bearer(?:\s+|$)/i;
const quoted = /^(["'`])(.*)\1[,;]?$/s;

/**
 * Removes what surrounds a pasted key: blanks, quotes, `Bearer `, and the name of a variable or header. Refuses anything
 * that can't be an HTTP header value. Doesn't check length and prefix, because the service doesn't document them (service
 * section 2).
 */
export function cleanApiKey(pasted: string): Parsed<string> {
  let text = pasted.trim();
  if (text.length > maxPasted) {
    return { ok: false, reason: notOnlyKey() };
  }
  for (let layer = 0; layer < maxLayers; layer++) {
    // The lookbehind keeps the time linear when there is a long run of blanks inside the text.
    const plain = text.replace(/^[\p{Cf}\s]+|(?<![\p{Cf}\s])[\p{Cf}\s]+$/gu, '');
    text = plain.replace(option, '').replace(label, '').replace(quoted, '$2').replace(scheme, '').trim();
  }
  const reason = reasonAgainst(text);
  return reason === undefined ? { ok: true, value: text } : { ok: false, reason };
}

function reasonAgainst(text: string): string | undefined {
  if (text === '') {
    return l10n.t("Paste the key from the gateway's console. Many consoles show a key only once, when it's created.");
  }
  const isMore = /^[[{]\s*"|^[a-z][a-z\d+.-]*:\/\/|^(?:sk|gsk|pk|rk)[-_][\w.-]+[,;|](?:sk|gsk|pk|rk)[-_]/i.test(text);
  if (isMore || text.length > maxKey) {
    return notOnlyKey();
  }
  if (/[\p{Cc}\s]/u.test(text)) {
    return l10n.t('This contains a space, a line break or a control character. Paste only the key.');
  }
  if (/\*{3}|[•●…]|\.{3}/.test(text)) {
    return l10n.t("The middle of this key is hidden. Use the console's copy button, or create a new key.");
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return l10n.t("This contains a character that isn't ASCII, possibly an invisible one. Copy the key again.");
  }
  const isPlaceholder =
    /^\$|^%\w+%$|^<[^>]*>$|^\{.*\}$|^\[.*\]$|^(?:your|my)[-_]?(?:api[-_]?)?(?:key|token)(?:[-_]?here)?$/i.test(text);
  return isPlaceholder ? l10n.t('This is a placeholder. Paste the key itself.') : undefined;
}

function notOnlyKey(): string {
  return l10n.t("This isn't one key alone. Paste only the key.");
}
