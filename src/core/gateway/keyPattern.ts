/** UTF-16 units of a secret that are matched; behind a head as long as this, whatever is joined to it is the secret. */
const maxHead = 200;
/** Shorter pieces of base64 are found in ordinary words. */
const minBase64 = 8;
const encoder = new TextEncoder();

/**
 * A pattern for one secret in every spelling a gateway may put it into: as it is, percent-encoded once or twice, with
 * the escapes of JSON and HTML, in capitals or not, and as base64 alone or inside of a longer text such as
 * `Bearer <key>`. Made for each use and never kept, because it holds the secret.
 */
export function keyPattern(secret: string): RegExp {
  const head = secret.slice(0, maxHead);
  const rest = secret.length > maxHead ? '[^\\s"\'<>]{0,16384}' : '';
  const letters = [...head];
  const spellings = [
    letters.map(anySpelling).join(''),
    letters.map(percent).join(''),
    letters.map(unicodeEscape).join(''),
    ...base64Cores(head),
  ];
  return new RegExp(`(?:${spellings.join('|')})${rest}`, 'gi');
}

/** Encoders leave letters and digits alone, and treat all else each in its own way. */
function anySpelling(letter: string): string {
  if (/[a-z0-9]/i.test(letter)) {
    return letter;
  }
  const ways = [
    literal(letter),
    `\\\\{1,3}${literal(letter)}`,
    percent(letter),
    percent(letter).replaceAll('%', '%25'),
    unicodeEscape(letter),
  ];
  const point = letter.codePointAt(0) ?? 0;
  ways.push(`&#0{0,7}${point};`, `&#x0{0,7}${point.toString(16)};`);
  const name = new Map([
    ['&', 'amp'],
    ['<', 'lt'],
    ['>', 'gt'],
    ['"', 'quot'],
    ["'", 'apos'],
  ]).get(letter);
  if (name !== undefined) {
    ways.push(`&${name};`);
  }
  if (letter === ' ') {
    ways.push('\\+');
  }
  return `(?:${ways.join('|')})`;
}

function percent(letter: string): string {
  return Array.from(encoder.encode(letter), (byte) => `%${hex(byte, 2)}`).join('');
}

function unicodeEscape(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\\\{1,3}u${hex(unit.charCodeAt(0), 4)}`)
    .join('');
}

/**
 * What is left of the secret in base64, whatever stands before it: three bytes become four letters, so there are three
 * ways to begin. The letters at the two ends depend on the neighbours and are left out.
 */
function base64Cores(secret: string): string[] {
  const bytes = encoder.encode(secret);
  return [0, 1, 2]
    .map((before) => {
      const shifted = new Uint8Array(before + bytes.length);
      shifted.set(bytes, before);
      const encoded = btoa(String.fromCharCode(...shifted)).replace(/={1,2}$/, '');
      const from = before === 0 ? 0 : before + 1;
      const to = shifted.length % 3 === 0 ? encoded.length : encoded.length - 1;
      return encoded.slice(from, to);
    })
    .filter((core) => core.length >= minBase64)
    .map((core) => `${core.replace(/[+-]/g, '[+-]').replace(/[/_]/g, '[/_]')}[\\w+/=-]{0,4}`);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** A pattern that matches exactly this text. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
