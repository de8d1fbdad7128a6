/** Keys of every shape that gateways issue, and every spelling in which a response can contain them. */

export type KeyShape = {
  readonly key: string;
  /** The secret part, after the public prefix. */
  readonly secret: string;
};

const letters = 'aZ3kQ9xWm7LpB2vT8cRn5HsYd1JfG6uKe4NiXo0ACbDgEhFjIlMqOrPtSwUyVz';

/** Characters that look random but are the same on every run. */
function random(length: number, alphabet = letters, step = 7): string {
  return Array.from({ length }, (_, at) => alphabet[(at * step + ((at * at) >> 2)) % alphabet.length]).join('');
}

function shape(prefix: string, secret: string): KeyShape {
  return { key: prefix + secret, secret };
}

const jwtHeader = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.`;

export const keyShapes: readonly KeyShape[] = [
  shape('sk-', random(48)),
  shape('sk-', random(32, '0123456789abcdef', 5)),
  shape('sk-', random(16)),
  shape('sk-', random(9)),
  shape('sk-proj-', `${random(74)}T3BlbkFJ${random(74, letters, 11)}`),
  shape('sk-or-v1-', random(64, '0123456789abcdef', 3)),
  shape('sk-ant-api03-', `${random(40)}_${random(40, letters, 5)}-AA`),
  shape('sk-svcacct-', random(60, letters, 13)),
  shape('gsk_', random(52, letters, 17)),
  shape('xai-', random(80, letters, 19)),
  shape('hf_', random(34, letters, 23)),
  shape('nvapi-', `${random(30)}-${random(30, letters, 3)}_x`),
  shape('AIza', `Sy${random(33, letters, 29)}`),
  shape('pk_live_', random(24, letters, 31)),
  shape(jwtHeader, `${random(60, letters, 37)}.${random(43, letters, 41)}`),
  shape('', '3f2b8c1e-9a4d-4c7b-8e21-5d6f7a8b9c0d'),
  shape('', random(40, '0123456789ABCDEF', 7)),
  shape('', `${random(20)}+/${random(18, letters, 5)}==`),
  shape('', `k~>?${random(15, letters, 3)}!@#$^*()[]{}|<;:,.'"`),
  shape('', random(15)),
  shape('', 'hunter2!'),
  shape('', 'aaaaaaaaaaaaaaaaaaaaaaaa1'),
  shape('', random(300, letters, 43)),
];

const names: Readonly<Record<string, string>> = {
  '-': '-',
  _: '&lowbar;',
  '.': '&period;',
  '+': '&plus;',
  '/': '&sol;',
  '=': '&equals;',
  '!': '&excl;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '{': '&lbrace;',
  '|': '&verbar;',
  '@': '&commat;',
};

function each(text: string, spell: (unit: string, code: number, at: number) => string): string {
  return Array.from(text, (unit, at) => spell(unit, unit.charCodeAt(0), at)).join('');
}

const hex = (code: number) => code.toString(16).padStart(2, '0');

/** A form in which a text can be written. 16 characters of a key are written as within the whole key. */
export type Spelling = { readonly name: string; readonly spell: (text: string) => string };

export const spellings: readonly Spelling[] = [
  { name: 'as it is', spell: (text) => text },
  ...['', 'a', 'ab'].map((before) => ({
    name: `base64 after ${before.length} bytes`,
    spell: (text: string) => Buffer.from(`${before}${text}`).toString('base64'),
  })),
  { name: 'URL-safe base64', spell: (text) => Buffer.from(`Bearer ${text}`).toString('base64url') },
  { name: 'hex', spell: (text) => Buffer.from(text).toString('hex') },
  { name: 'hex in upper case', spell: (text) => Buffer.from(text).toString('hex').toUpperCase() },
  { name: 'encodeURIComponent', spell: encodeURIComponent },
  { name: 'percent', spell: (text) => each(text, (_, code) => `%${hex(code)}`) },
  { name: 'percent in upper case', spell: (text) => each(text, (_, code) => `%${hex(code).toUpperCase()}`) },
  {
    name: 'percent for some characters',
    spell: (text) => each(text, (unit, code, at) => (at % 3 === 1 || unit === '%' ? `%${hex(code)}` : unit)),
  },
  { name: 'percent twice', spell: (text) => encodeURIComponent(each(text, (_, code) => `%${hex(code)}`)) },
  { name: 'decimal references', spell: (text) => each(text, (_, code) => `&#${code};`) },
  { name: 'decimal references with leading zeros', spell: (text) => each(text, (_, code) => `&#000${code};`) },
  { name: 'hex references', spell: (text) => each(text, (_, code) => `&#x${hex(code)};`) },
  {
    name: 'hex references with leading zeros',
    spell: (text) => each(text, (_, code) => `&#X00${hex(code).toUpperCase()};`),
  },
  { name: 'named references', spell: (text) => each(text, (unit) => names[unit] ?? unit) },
  {
    name: 'references for some characters',
    spell: (text) => each(text, (unit, code, at) => (at % 4 === 2 || unit === '&' ? `&#${code};` : unit)),
  },
  { name: 'escapes of JSON', spell: (text) => each(text, (_, code) => `\\u00${hex(code)}`) },
];

/** Resolves the escapes that `spellings` writes, without using the code under test. */
function resolved(text: string): string {
  const byName = new Map(Object.entries(names).map(([unit, name]) => [name, unit]));
  return text
    .replace(/%25(?=[2-7][0-9a-f])/gi, '%')
    .replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\u00([2-7][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#0*(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&#x0*([0-9a-f]+);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&[a-z]+;/g, (name) => byName.get(name) ?? name);
}

/** The part of a key that a text still reveals; undefined when it reveals none. */
export function leakedPart({ key, secret }: KeyShape, text: string): string | undefined {
  const parts = new Set([key]);
  for (let at = 0; at + 16 <= secret.length; at++) {
    parts.add(secret.slice(at, at + 16));
  }
  const readings = [text, resolved(text)].map((reading) => ({ reading, small: reading.toLowerCase() }));
  for (const part of parts) {
    const inHex = Buffer.from(part).toString('hex');
    const inBase64 = ['', 'a', 'ab'].map((before) => {
      const bits = [before.length * 8, (before.length + part.length) * 8];
      return Buffer.from(before + part)
        .toString('base64')
        .slice(Math.ceil((bits[0] ?? 0) / 6), Math.floor((bits[1] ?? 0) / 6));
    });
    const urlSafe = inBase64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
    const isThere = readings.some(
      ({ reading, small }) =>
        reading.includes(part) ||
        small.includes(inHex) ||
        [...inBase64, ...urlSafe].some((core) => core.length >= 8 && reading.includes(core)),
    );
    if (isThere) {
      return part;
    }
  }
  return undefined;
}
