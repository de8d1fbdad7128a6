/** A text with its escapes resolved, and the places of its characters in the original text. */
export type Unescaped = {
  readonly text: string;
  /** @param at a place in `text`, or its end. @returns the place in the original text. */
  placeOf(at: number): number;
};

/** Punctuation by its entity names in HTML. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '!': 'excl',
    '"': 'quot',
    '#': 'num',
    $: 'dollar',
    '%': 'percnt',
    '&': 'amp',
    "'": 'apos',
    '(': 'lpar',
    ')': 'rpar',
    '*': 'ast midast',
    '+': 'plus',
    ',': 'comma',
    '.': 'period',
    '/': 'sol',
    ':': 'colon',
    ';': 'semi',
    '<': 'lt',
    '=': 'equals',
    '>': 'gt',
    '?': 'quest',
    '@': 'commat',
    '[': 'lbrack lsqb',
    ']': 'rbrack rsqb',
    '^': 'hat',
    _: 'lowbar underbar',
    '`': 'grave diacriticalgrave',
    '{': 'lbrace lcub',
    '|': 'vert verbar verticalline',
    '}': 'rbrace rcub',
  }).flatMap(([character, names]) => names.split(' ').map((name) => [name, character] as const)),
);

/**
 * Percent escapes, once or twice encoded; character references of HTML; escapes of JSON. All other backslashes, escaped
 * or not, are removed, because nested quotes produce any number of them. Only printable ASCII is resolved, because keys
 * consist of nothing else.
 */
const complete =
  /%(?:25)?([2-7][\da-f])|&#0{0,8}(\d{2,3});|&#x0{0,8}([2-7][\da-f]);|&([a-z]{2,20});|\\{1,8}(?:(?:u00|x)([2-7][\da-f]))?/;
/** An unfinished escape at the end of a text that continues. */
const unfinished =
  /(%(?:2(?:5[2-7]?)?|[2-7])?$|&(?:#(?:0{0,8}\d{0,3}|x0{0,8}[2-7]?[\da-f]?)|[a-z]{1,20})?$|\\{1,8}(?:u(?:0(?:0[2-7]?)?)?|x[2-7]?)?$)/;
const inWhole = new RegExp(`()${complete.source}`, 'gi');
const inPiece = new RegExp(`${unfinished.source}|${complete.source}`, 'gi');

/**
 * Resolves the escapes of a text.
 *
 * @param isWhole false when more text follows; an unfinished escape at the end is then left out.
 */
export function unescaped(raw: string, isWhole: boolean): Unescaped {
  if (!/[%&\\]/.test(raw)) {
    return { text: raw, placeOf: (at) => at };
  }
  const places: number[] = [];
  const shifts: number[] = [];
  let text = '';
  let done = 0;
  for (const found of raw.matchAll(isWhole ? inWhole : inPiece)) {
    const { 0: whole, 1: open, index } = found;
    if (open) {
      return { text: text + raw.slice(done, index), placeOf: placeIn(places, shifts) };
    }
    const character = characterOf(found);
    if (character !== undefined) {
      text += raw.slice(done, index) + character;
      done = index + whole.length;
      places.push(text.length);
      shifts.push(done - text.length);
    }
  }
  return { text: text + raw.slice(done), placeOf: placeIn(places, shifts) };
}

function characterOf([, , percent, decimal, reference, name, unit]: RegExpMatchArray): string | undefined {
  if (name !== undefined) {
    return name.toLowerCase() === 'bsol' ? '' : named.get(name.toLowerCase());
  }
  const digits = percent ?? reference ?? unit;
  if (digits === undefined && decimal === undefined) {
    return '';
  }
  const code = decimal === undefined ? Number.parseInt(digits ?? '', 16) : Number(decimal);
  return code === 0x5c ? '' : code > 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;
}

/**
 * Maps places of the resolved text to places of the original.
 *
 * @param places the place after each escape in the resolved text, ascending.
 * @param shifts how much further on the same place is in the original text.
 */
function placeIn(places: readonly number[], shifts: readonly number[]): (at: number) => number {
  return (at) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) <= at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return at + (shifts[low - 1] ?? 0);
  };
}
