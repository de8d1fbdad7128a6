import fc from 'fast-check';
import { anyCharacter } from '../../propertyRuns.ts';

const inline = fc.oneof(
  fc.constantFrom(
    'word',
    'two words',
    'a_b_c',
    '2 * 3',
    'שלום',
    '語',
    '\u{1F468}\u200D\u{1F469}',
    'e\u0301',
    `a${'\u0301'.repeat(70)}`,
    '\u0628'.repeat(900),
    `a${'\u{1F3FB}'.repeat(1_500)}`,
    '\u{1D538}',
    '',
    ' ',
    '\t',
    '\\',
    '\\*',
    '&amp;',
    '&#x41;',
    '&',
    '!',
    '<',
    '<b>',
    'a | b',
    '|',
  ),
  fc.constantFrom(
    '**bold**',
    '*em*',
    '***both***',
    '~~old~~',
    '__u__',
    '`code`',
    '`` a ` b ``',
    '**open',
    '*open',
    '`open',
    '[open',
    '](',
    '**',
    '*',
    '_',
    '~~',
    '`',
    '[',
    ']',
  ),
  fc.constantFrom(
    '[a](https://a.example)',
    '[a](<https://b.example> "t")',
    '[a](javascript:x)',
    '![i](https://a.example/i.png)',
    '[x]',
    '[x][y]',
    '[y][]',
    '<https://c.example>',
    'https://d.example/e_f_g',
    '[^1]',
    '$x_1$',
    '\\(a^2\\)',
    'H<sub>2</sub>',
    '<kbd>*x*</kbd>',
    '<mark>',
    '[__proto__]',
    '[\u{1F600}]',
  ),
);
const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
const code = fc.array(
  fc.constantFrom(
    'const a = `b',
    '"""',
    '/* open',
    'x',
    '',
    '  y',
    '\tz',
    '# a',
    '- b',
    '``',
    '~~~~~',
    '    ```',
    '<b>',
    '\u{1F600}',
    `z${'\u0301'.repeat(70)}`,
    `z${'\u{1F3FB}'.repeat(1_500)}`,
    'a'.repeat(400),
  ),
  { maxLength: 5 },
);
const info = fc.constantFrom('', 'ts', 'js a.js', 'python', 'constructor', '__proto__', 'html {x}', 'nope', ' c ');
const newline = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');

/** Adds a prefix to the first line, and another prefix to all other lines. */
const prefixed = (lines: readonly string[], first: string, rest: string) =>
  lines.map((one, at) => (at === 0 ? first : rest) + one);

const { block } = fc.letrec<Record<'block' | 'leaf' | 'quote' | 'list', readonly string[]>>((tie) => ({
  leaf: fc.oneof(
    fc.array(line, { minLength: 1, maxLength: 3 }),
    fc.tuple(fc.integer({ min: 1, max: 7 }), line).map(([level, text]) => [`${'#'.repeat(level)} ${text}`]),
    fc.tuple(line, fc.constantFrom('===', '---', '-', '= =')).map(([text, under]) => [text, under]),
    fc
      .tuple(
        fc.constantFrom('```', '````', '~~~', '  ```', ' ~~~~'),
        info,
        code,
        fc.constantFrom('', '', '```', '~~~', '`````  '),
      )
      .map(([open, words, lines, close]) => [open + words, ...lines, ...(close === '' ? [open] : [close])]),
    code.map((lines) => lines.map((one) => `    ${one}`)),
    fc
      .tuple(line, line, fc.array(line, { maxLength: 3 }), fc.constantFrom('|---|:-:|', '--|--', '|-|', ':-- | --:'))
      .map(([a, b, rows, under]) => [`| ${a} | ${b} |`, under, ...rows.map((row) => `| ${row} | x |`)]),
    fc.constantFrom(
      ['---'],
      ['* * *'],
      ['___'],
      ['<div>', '</div>'],
      ['<!-- a'],
      ['- [ ] open', '- [x] done'],
      ['$$', 'x = 1', '$$'],
      ['<details>', '<summary>s</summary>', '', 'x', '</details>'],
      ['> [!NOTE]', '> x'],
      ['<details>'],
      ['- '],
    ),
    fc.constantFrom(
      ['[x]: https://x.example'],
      ['[y]: <https://y.example> "t"'],
      ['[__proto__]: https://p.example', "'title", "more'"],
      ['[y]:', '/url'],
      ['[^1]: note'],
    ),
    fc.array(fc.string({ unit: anyCharacter, maxLength: 12 }), { minLength: 1, maxLength: 2 }),
    fc.array(fc.string({ unit: fc.constantFrom(...'*_~`[]()<>|#-+=:!\\&. \t'), maxLength: 16 }), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
  quote: fc.tuple(tie('block'), fc.constantFrom('> ', '>', '')).map(([lines, rest]) => prefixed(lines, '> ', rest)),
  list: fc
    .tuple(
      fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('- ', '* ', '1. ', '10) ', '+   '),
      fc.boolean(),
    )
    .map(([items, mark, isLoose]) =>
      items.flatMap((lines, at) => [
        ...(isLoose && at > 0 ? [''] : []),
        ...prefixed(lines, mark, ' '.repeat(mark.length)),
      ]),
    ),
  block: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('quote'), tie('list')),
}));

/** Markdown of every kind, valid and broken. */
export const anyMarkdown: fc.Arbitrary<string> = fc
  .array(fc.tuple(block, newline, fc.constantFrom('\n', '\n\n', '\n\n', '\n\n\n', '\r\n\r\n', ' \n', '')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((blocks) => blocks.map(([lines, end, gap]) => lines.join(end) + gap).join(''));

/** A text and where it is cut: at arbitrary places, or after every UTF-16 unit, even inside surrogate pairs. */
export const cutText = (
  text: fc.Arbitrary<string>,
): fc.Arbitrary<{ readonly text: string; readonly cuts: readonly number[] }> =>
  text.chain((whole) =>
    fc
      .oneof(
        fc.array(fc.nat(whole.length), { maxLength: 14 }).map((cuts) => cuts.sort((a, b) => a - b)),
        fc.constant(Array.from({ length: whole.length }, (_, at) => at)),
      )
      .map((cuts) => ({ text: whole, cuts })),
  );

/** The pieces of a cut text. */
export function piecesOf({ text, cuts }: { readonly text: string; readonly cuts: readonly number[] }): string[] {
  return [...cuts, text.length]
    .map((end, at) => text.slice(at === 0 ? 0 : cuts[at - 1], end))
    .filter((piece) => piece !== '');
}
