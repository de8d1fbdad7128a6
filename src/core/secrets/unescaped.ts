/** A text with its escapes resolved, and where each of its characters stands in the text it was read from. */
export type Unescaped = {
  readonly text: string;
  /** @param at a place in `text`, its end included. @returns the place in what was read. */
  placeOf(at: number): number;
};

/** Punctuation by its names in HTML. */
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
 * Percent signs, encoded once more or not; character references of HTML; escapes of JSON. Other backslashes are left out,
 * in whatever way they are written: nested quotes make any number of them. Printable ASCII alone: of that keys are made.
 */
const complete =
  /%(?:25)?([2-7][\da-f])|&#0{0,8}(\d{2,3});|&#x0{0,8}([2-7][\da-f]);|&([a-z]{2,20});|\\{1,8}(?:(?:u00|x)([2-7][\da-f]))?/;
/** The beginning of one at the end of a text that goes on. */
const begun =
  /(%(?:2(?:5[2-7]?)?|[2-7])?$|&(?:#(?:0{0,8}\d{0,3}|x0{0,8}[2-7]?[\da-f]?)|[a-z]{1,20})?$|\\{1,8}(?:u(?:0(?:0[2-7]?)?)?|x[2-7]?)?$)/;
const inWhole = new RegExp(`()${complete.source}`, 'gi');
const inPiece = new RegExp(`${begun.source}|${complete.source}`, 'gi');

/** @param isWhole false when more follows: what may be an escape by then is left out at the end. */
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
 * @param places behind each escape, in the text that came of it; rising.
 * @param shifts how much further on the same place is in what was read.
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
