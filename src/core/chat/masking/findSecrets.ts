import { isMask } from './masks.ts';
import {
  addressPassword,
  argument,
  assignment,
  authorization,
  cookieHeader,
  envLine,
  type FoundSecret,
  inProse,
  literal,
  netrcPassword,
  privateKeyBegin,
  secretData,
  secretDatum,
  secretKind,
  shortOption,
  substitute,
  tokenFormats,
  withoutOverlaps,
} from './secretRules.ts';

/** A key of this length is complete. The end of a longer one, or of one that was cut, is where its lines end. */
const maxPrivateKey = 20_000;

/**
 * Finds what looks like a secret: private keys, keys and tokens of vendors, passwords in addresses and connection
 * strings, values of variables and fields with telling names. The secrets don't overlap, and are in the order of the
 * text. Takes linear time.
 *
 * @param path of the text's file, because in an `.env` file any long random value is taken for a secret. May be empty.
 */
export function findSecrets(text: string, path: string): readonly FoundSecret[] {
  return withoutOverlaps(rulesFor(path).flatMap((rule) => [...rule(text)]));
}

function rulesFor(path: string): readonly ((text: string) => Iterable<FoundSecret>)[] {
  return [
    privateKeys,
    tokens,
    inAddresses,
    inHeaders,
    inCookies,
    inKubernetes,
    ...[assignment, substitute, shortOption, argument, literal, inProse].map(
      (each) => (text: string) => assigned(text, each),
    ),
    ...(isEnvFile(path) ? [inEnvFile] : []),
    ...(/(?:\.key|secret|token|(?<!\.pg)pass(?:word)?)(?:\.txt)?$/i.test(path) ? [alone] : []),
    ...(/(?:^|\/)(?:[._]netrc|\.pgpass)$/.test(path) ? [inNetrc] : []),
  ];
}

function isEnvFile(path: string): boolean {
  return /(?:^|\/)\.(?:flask)?env(?:rc|[-_.][\w.-]+)?$|\.env$|\.dev\.vars$/i.test(path);
}

/** The secret with this value that ends here. */
function secretTo(end: number, value: string, kind: 'password' | 'token'): FoundSecret {
  return { kind, vendor: '', start: end - value.length, end };
}

/** Private keys, also when their lines are separated by `\n` in a string, and when the end is missing. */
function* privateKeys(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(privateKeyBegin)) {
    const [begin, type = '', block = ''] = match;
    const bodyAt = match.index + begin.length;
    const close = `-----END ${type}PRIVATE KEY${block}-----`;
    const next = text.indexOf('-----BEGIN', bodyAt);
    const body = text.slice(bodyAt, Math.min(bodyAt + maxPrivateKey, next < 0 ? text.length : next));
    const closeAt = body.indexOf(close);
    // A key that was cut: base64, line breaks, and the headers of an encrypted one.
    const length =
      closeAt >= 0 ? closeAt + close.length : (/^(?:[\w+/=,:. -]|\\[nr]|[\r\n])*/.exec(body)?.[0].length ?? 0);
    if (/[\w+/=]{16}/.test(body.slice(0, length))) {
      yield { kind: 'privateKey', vendor: '', start: match.index, end: bodyAt + length };
    }
  }
}

function* tokens(text: string): Generator<FoundSecret> {
  for (const { vendor, pattern } of tokenFormats) {
    for (const match of text.matchAll(pattern)) {
      const [token] = match;
      const isInWord = /[A-Za-z\d_-]/.test(text[match.index - 1] ?? '') && text[match.index - 2] !== '\\';
      if (!isInWord && !isMadeUp(token)) {
        yield { kind: vendor === '' ? 'token' : 'key', vendor, start: match.index, end: match.index + token.length };
      }
    }
  }
}

function* inAddresses(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(addressPassword)) {
    const [all, user, password = ''] = match;
    // A token that is the user alone, or a password.
    const isSecret = user === undefined ? isRandom(password) : !/^pass(?:w(?:or)?d)?\d{0,3}$/i.test(password);
    if (password !== user && !isPlaceholder(password) && isSecret) {
      yield secretTo(match.index + all.length - 1, password, user === undefined ? 'token' : 'password');
    }
  }
}

function* inHeaders(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(authorization)) {
    const [all, scheme = '', raw = ''] = match;
    const secret = trimmed(raw);
    const isBasic = scheme.toLowerCase() === 'basic';
    if (!isPlaceholder(secret) && (isBasic ? isBasicCredentials(secret) : isRandom(secret))) {
      const end = match.index + all.length - raw.length + secret.length;
      yield secretTo(end, secret, isBasic ? 'password' : 'token');
    }
  }
}

/** What signs somebody in: the random values of cookies. */
function* inCookies(text: string): Generator<FoundSecret> {
  for (const { index, 0: cookies } of text.matchAll(cookieHeader)) {
    for (const { index: at, 0: all, 1: value = '' } of cookies.matchAll(/[\w-]=([^\s;,"'`\\]{16,4096})/g)) {
      if (isRandom(value) && !isPlaceholder(value)) {
        yield secretTo(index + at + all.length, value, 'token');
      }
    }
  }
}

/** The values of Secrets of Kubernetes, in base64 or as they are; each is a document or an item of a list. */
function* inKubernetes(text: string): Generator<FoundSecret> {
  // In a diff, without the signs of its lines.
  const plain = text.replace(/^(?:\+|-(?! \w|--))/gm, ' ');
  // In a list, each item is a document. Elsewhere, items name the owners of one document, above its values.
  const begin = /^ ?items:/m.test(plain) ? /^(?= ?---|[ \t]*- (?:apiVersion|kind):)/m : /^(?= ?---)/m;
  let start = 0;
  for (const part of secretKind.test(plain) ? plain.split(begin) : []) {
    for (const { index, 0: block } of secretKind.test(part) ? part.matchAll(secretData) : []) {
      for (const { index: at, 0: all, 1: name = '', 2: value = '' } of block.matchAll(secretDatum)) {
        if (!/(?:user|name|host|port|url)$/i.test(name) && !isPlaceholder(value)) {
          yield secretTo(start + index + at + all.length, value, 'password');
        }
      }
    }
    start += part.length;
  }
}

function isBasicCredentials(text: string): boolean {
  return /^[A-Za-z\d+/]+={0,2}$/.test(text) && /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]+$/.test(atobOrEmpty(text));
}

function atobOrEmpty(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

function* assigned(text: string, pattern: RegExp): Generator<FoundSecret> {
  for (const match of text.matchAll(pattern)) {
    const [all, ofPassword, quote, raw = ''] = match;
    const kind = ofPassword === undefined ? 'token' : 'password';
    const start = match.index + all.length - raw.length;
    const isQuoted = quote !== undefined && text[start + raw.length] === quote;
    const value = isQuoted ? raw : trimmed(raw);
    if (isLiteral(value, quote === undefined) && isSecretValue(value, kind)) {
      yield secretTo(start + value.length, value, kind);
    }
  }
}

/** Whether a value is not an expression of a program. */
function isLiteral(value: string, isPlain: boolean): boolean {
  return (
    !isPlaceholder(value) &&
    (!isPlain ||
      isPassphrase(value) ||
      (/\d|\w[!#%^*]/.test(value) && !/[()[\]{}<>|?]|^[A-Za-z_]\w*\.[A-Za-z_]/.test(value)))
  );
}

function isSecretValue(value: string, kind: 'password' | 'token'): boolean {
  if (kind === 'token') {
    return isPassphrase(value) || isRandom(value);
  }
  // A word alone could be a label, a field's name or a state; a path, the working directory.
  return (
    isPassphrase(value) ||
    (/^[\x21-\x7e]{6,}$/.test(value) && !/^[A-Za-z]+(?:[-_.][A-Za-z]+)*$|^[.~]{0,2}\/\w+\/|^\d{1,6}$/.test(value))
  );
}

/** Whether a value is of several words as people remember them, such as `correct-horse-battery`, or as Google and wallets make them. */
function isPassphrase(value: string): boolean {
  return /^(?=.{18})[a-z]{4,}(?:-[a-z]{4,}){2,5}$|^[a-z]{4}(?: [a-z]{4}){3}$|^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/.test(
    value,
  );
}

function* inEnvFile(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(envLine)) {
    const [all, name = '', value = ''] = match;
    const isKnown = /(?:sha|hash|commit|version|revision|url|uri|host|path|image|digest)$/i.test(name);
    if (!isKnown && !isPlaceholder(value) && isRandom(value) && !/[/\\.:]/.test(value)) {
      yield secretTo(match.index + all.length, value, 'token');
    }
  }
}

/** A secret that is a file of its own. */
function* alone(text: string): Generator<FoundSecret> {
  const secret = text.trim();
  if (!/\s/.test(secret) && !isPlaceholder(secret) && isSecretValue(secret, 'password')) {
    yield secretTo(text.indexOf(secret) + secret.length, secret, 'password');
  }
}

function* inNetrc(text: string): Generator<FoundSecret> {
  for (const { 0: all, 1: password = '', index } of text.matchAll(netrcPassword)) {
    if (!isPlaceholder(password)) {
      yield secretTo(index + all.length, password, 'password');
    }
  }
}

/** The value without what follows it in a list, an object, a connection string or a sentence, also a Chinese one. */
function trimmed(raw: string): string {
  const value = raw.split(/[;,]|&(?=amp;|[\w.-]{1,40}=|$)|<\/|[^\x21-\x7e]/, 1)[0] ?? '';
  return value.replace(/[)\]}.?]{1,4}$/, '');
}

/** What stands for a secret in documents and templates, or for a value that is inserted later. */
function isPlaceholder(value: string): boolean {
  return (
    /^(?:\$|%\w|<|\{|\[|@|~|#)|\$[{(]|<[\w -]{1,40}>|\.\.\.|…|\*\*\*/.test(value) ||
    /sample|dummy|placeholder|redacted|your|insert|replace|todo|token$|api[-_]?key|^(?:base|sha|utf|md)-?\d/i.test(
      value,
    ) ||
    // With a number, people use such words as passwords.
    (/change[-_]?me|password|passwd|secret/i.test(value) && !/^[a-z]{4,20}\d{1,4}[a-z]{0,20}\d{0,4}$/i.test(value)) ||
    isMadeUp(value) ||
    isMask(value.replace(/\W+$/, ''))
  );
}

/** Whether a key has the right format, but is no real one. */
function isMadeUp(key: string): boolean {
  return /example|x{6}|1234567|^123456|abcdef$/i.test(key) || new Set(key).size < 4;
}

/** Whether a value looks random: of letters and digits, many of them different, and long or in both cases. */
function isRandom(value: string): boolean {
  const isLong = value.length >= 16 || (value.length >= 10 && /[a-z]/.test(value) && /[A-Z]/.test(value));
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value) && /^[\x21-\x7e]+$/.test(value);
  // Words with the number of a version or a date are the name of something.
  const isName = /^https?:|^[a-z]+\d{0,2}(?:[-_.:/](?:[a-z]+\d{0,2}|\d{1,4}))+$/i.test(value);
  return isLong && isMixed && !isName && entropy(value) >= 2.5;
}

/** Shannon's entropy, in bits for each character. */
function entropy(text: string): number {
  const shares = [...Map.groupBy(text, (unit) => unit).values()].map(({ length }) => length / text.length);
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
}
