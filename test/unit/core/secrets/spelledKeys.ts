/** Keys of every shape that gateways issue, and every spelling in which a response can contain them. */

const letters = 'aZ3kQ9xWm7LpB2vT8cRn5HsYd1JfG6uKe4NiXo0ACbDgEhFjIlMqOrPtSwUyVz';

/** Characters that look random but are the same on every run. */
function random(length: number, alphabet = letters, step = 7): string {
  return Array.from({ length }, (_, at) => alphabet[(at * step + ((at * at) >> 2)) % alphabet.length]).join('');
}

export const keys: readonly string[] = [
  `sk-${random(48)}`,
  `sk-${random(32, '0123456789abcdef', 5)}`,
  `sk-${random(16)}`,
  `sk-proj-${random(74)}T3BlbkFJ${random(74, letters, 11)}`,
  `sk-ant-api03-${random(40)}_${random(40, letters, 5)}-AA`,
  `AIzaSy${random(33, letters, 29)}`,
  `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${random(60, letters, 37)}.${random(43, letters, 41)}`,
  '3f2b8c1e-9a4d-4c7b-8e21-5d6f7a8b9c0d',
  `${random(20)}+/${random(18, letters, 5)}==`,
  `k~>?${random(15, letters, 3)}!@#$^*()[]{}|<;:,.'"`,
  'aaaaaaaaaaaaaaaaaaaaaaaa1',
  random(300, letters, 43),
];

export type Spelling = { readonly name: string; readonly spell: (key: string) => string };

export const spellings: readonly Spelling[] = [
  { name: 'as it is', spell: (key) => key },
  { name: 'JSON', spell: (key) => JSON.stringify(key).slice(1, -1) },
  { name: 'JSON of PHP', spell: (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/') },
  { name: 'encodeURIComponent', spell: encodeURIComponent },
  {
    name: 'lower case in escapes of URLs',
    spell: (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  },
  ...['', 'a', 'Bearer '].map((before) => ({
    name: `base64 after ${before.length} bytes`,
    spell: (key: string) => Buffer.from(before + key).toString('base64'),
  })),
  { name: 'URL-safe base64', spell: (key) => Buffer.from(`ab${key}`).toString('base64url') },
];

/** The spelling in which a text still has a key; undefined when it has none. */
export function leakedKey(key: string, text: string): string | undefined {
  return spellings.find(({ spell }) => text.includes(spell(key)))?.name;
}
