import punycode from 'punycode.js';

/** How a host is written for the network and for a person, and what a person should know of it. */
export type HostName = {
  /** As it goes over the wire and into the key's origin, for instance `xn--r8jz45g.example`. */
  readonly asciiHost: string;
  /** As its owner writes it; the same as `asciiHost` for most. */
  readonly unicodeHost: string;
  /** Why the two may not be taken for each other; absent when nothing speaks against it. */
  readonly warning?: string;
};

/** Scripts told apart in a label. What is in none of them counts as one more. */
const scripts: readonly (readonly [name: string, letter: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Han', /\p{Script=Han}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
];

/** Mixtures that are how a language is written (Unicode UTS 39 section 5.2, "highly restrictive"). */
const usualMixtures: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
];

/** Letters that a person reads as a Latin letter or a digit (a choice from Unicode UTS 39, confusables). */
const lookalikes =
  /^[аеѕԁһіјӏкорԗԛсухѵԝьгпҽѡ\u04ab\u04bb\u0501\u051b\u051dαβγεηικνορτυχωϲϳօոսցհզյաԁꮃꮪꭰꭱꭲꮇꮯꮮꮋꮍꮎꮖꮗꮲꮶꮳꮐꭺ0-9-]+$/u;
/** Latin letters outside of ASCII that differ from one inside by a stroke, a hook or nothing at all. */
const disguisedLatin = /[ıȷɡɑɢɩʟᴀᴄᴇᴏᴜᴠᴡᴢłđħŧƚøɨʉƅƨƽǀʙɴʀꜱ]|[a-z][\u0323-\u0333\u0325\u0327\u0328\u0330\u0331]/u;
/** What a label may hold besides letters, their marks and digits: the middle dots of Catalan and Japanese. */
const stranger = /[^\p{L}\p{M}\p{Nd}\u00b7\u30fb\u30fc\u3005-\u3007-]/u;

/**
 * Both spellings of a host and a word of caution for names made to be mistaken for another (wire Q65).
 *
 * @param hostname as `URL` gives it: ASCII, lower case, IPv6 in brackets.
 */
export function describeHost(hostname: string): HostName {
  const labels = hostname.split('.').map((label) => unicodeLabel(label));
  const unicodeHost = labels.join('.');
  const odd = labels.find(isMisleading);
  return {
    asciiHost: hostname,
    unicodeHost,
    ...(odd !== undefined && {
      warning: `“${unicodeHost}” is written with letters that look like others. The network knows it as ${hostname}; go on only if that is the gateway.`,
    }),
  };
}

function unicodeLabel(label: string): string {
  try {
    return punycode.toUnicode(label);
  } catch {
    return label;
  }
}

function isMisleading(label: string): boolean {
  if (!/\P{ASCII}/u.test(label)) {
    return false;
  }
  const used = scriptsOf(label);
  const isMixed = used.size > 1 && !usualMixtures.some((usual) => [...used].every((script) => usual.has(script)));
  return (
    isMixed ||
    stranger.test(label) ||
    disguisedLatin.test(label.normalize('NFD')) ||
    disguisedLatin.test(label) ||
    lookalikes.test(label)
  );
}

function scriptsOf(label: string): Set<string> {
  const used = new Set<string>();
  for (const letter of label) {
    if (/\p{L}/u.test(letter) && !/\p{Script=Common}/u.test(letter)) {
      used.add(scripts.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'another');
    }
  }
  return used;
}

/** Loopback, RFC 1918, link-local and unique-local addresses, and names that only resolve inside a network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') {
    return true;
  }
  if (host.includes(':')) {
    const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
    return mapped
      ? isPrivateIPv4(Number.parseInt(mapped[1] ?? '', 16) >> 8, Number.parseInt(mapped[1] ?? '', 16) & 0xff)
      : /^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/.test(host);
  }
  const parts = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  return parts
    ? isPrivateIPv4(Number(parts[1]), Number(parts[2]))
    : /\.(?:local|lan|internal|home\.arpa|test)$/.test(host);
}

function isPrivateIPv4(first: number, second: number): boolean {
  return (
    first === 127 ||
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254)
  );
}
