import { isRecord, parseJson } from '../base/loose.ts';

/** What a person pastes as a key, cleaned or refused. The text itself is never part of a reason. */
export type ApiKeyResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/** UTF-16 units. Longer texts are not looked at: no line of a shell that holds a key is as long. */
const maxPasted = 16_384;
const maxKey = 4_096;
/** Wrappings that are taken off, one inside of the other. */
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
 * Blanks, quotes, `Bearer `, the name of a variable or header, a JSON object or a curl line around a key are taken off;
 * anything that could not be an HTTP header value is refused. Length and prefix are not judged: service.md says that
 * the format is not shown.
 */
export function cleanApiKey(pasted: string): ApiKeyResult {
  const trimmed = pasted.trim();
  if (trimmed.length > maxPasted) {
    return refuse('This is too long for a key. Paste the key alone.');
  }
  let text = trimmed;
  for (let layer = 0; ; layer++) {
    const inner = withoutLayer(text);
    if (inner === text) {
      break;
    }
    if (layer === maxLayers) {
      return refuse('There is too much around the key. Paste the key alone.');
    }
    text = inner;
  }
  const reason = reasonAgainst(text);
  return reason === undefined ? { ok: true, value: text } : refuse(reason);
}

function withoutLayer(text: string): string {
  // Looking back keeps a long run of blanks inside from being walked through once for each of them.
  const plain = text.replace(/^[\p{Cf}\s]+|(?<![\p{Cf}\s])[\p{Cf}\s]+$/gu, '');
  return (
    fromObject(plain) ??
    fromCommand(plain) ??
    plain.replace(option, '').replace(label, '').replace(quoted, '$2').replace(scheme, '')
  ).trim();
}

/** `{"api_key":"…"}`, when there is one such field. */
function fromObject(text: string): string | undefined {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  if (!isRecord(value)) {
    return undefined;
  }
  const found = Object.entries(value).filter(
    (field): field is [string, string] =>
      typeof field[1] === 'string' && new RegExp(`^(?:${name})$`, 'i').test(field[0]),
  );
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** The key of a whole command as documentation shows it, when there is one. */
function fromCommand(text: string): string | undefined {
  if (!/^(?:\$\s+)?(?:curl|wget|http)\s/i.test(text)) {
    return undefined;
  }
  const keys = new Set(Array.from(text.matchAll(/\bbearer\s+([^\s"'`\\]+)/gi), ([, key]) => key));
  return keys.size === 1 ? [...keys][0] : undefined;
}

function reasonAgainst(text: string): string | undefined {
  if (text === '') {
    return 'Paste the key from the gateway’s console. It is shown there once, when it is created.';
  }
  if (/\p{Cc}/u.test(text)) {
    return 'This is more than one line, or holds a control character. Paste the key alone.';
  }
  if (/\s/.test(text)) {
    return 'There is a blank inside. Paste the key alone.';
  }
  if (/\*{3}|[•●…]|\.{3}/.test(text)) {
    return 'This is a key with its middle hidden. Use the console’s copy button, or create a new key.';
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return 'A key is plain ASCII; this holds another character, perhaps an invisible one. Copy it again.';
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    return 'This is an address. The key comes alone.';
  }
  if (
    /^\$|^%\w+%$|^<[^>]*>$|^\{.*\}$|^\[.*\]$|^(?:your|my)[-_]?(?:api[-_]?)?(?:key|token)(?:[-_]?here)?$/i.test(text)
  ) {
    return 'This stands for a key and is none. Paste the key itself.';
  }
  if (/^(?:sk|gsk|pk|rk)[-_][\w.-]+[,;|](?:sk|gsk|pk|rk)[-_]/i.test(text)) {
    return 'These are two keys. Paste one of them.';
  }
  return text.length > maxKey ? 'This is too long for a key. Paste the key alone.' : undefined;
}

function refuse(reason: string): ApiKeyResult {
  return { ok: false, reason };
}
