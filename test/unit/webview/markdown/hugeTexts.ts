const million = 1_000_000;

/** Repeats a unit. The default length exceeds every limit several times; tests of the length itself use a million. */
const times = (unit: string, length = 200_000): string => unit.repeat(Math.ceil(length / unit.length));
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Texts from a broken or hostile model that would freeze a careless panel, by content. */
export const hugeTexts: Readonly<Record<string, () => string>> = {
  'words in one line': () => times('lorem ipsum dolor ', million),
  stars: () => times('*', million),
  'stars before words': () => times('*a **b '),
  'stars in lines': () => times('**bold *a _b ~~c\n'),
  'open brackets': () => times('[', million),
  'open brackets in lines': () => times(`${'['.repeat(70)}\n`),
  'half links in lines': () => times('[a](<b [c](d "e [f][g\n'),
  'back-ticks of many lengths': () => lines(1_400, (index) => '`'.repeat(index)),
  'half tags in lines': () => times('<a <https: <!-- <a@b\n'),
  'entities in lines': () => times('&amp;&#x41;&copy;&\n'),
  'backslashes in lines': () => times('\\\n'),
  pipes: () => times('|'),
  'a wide table': () => `${times('|a', 200_000)}|\n${times('|-', 200_000)}|\n|x|\n`,
  'a table of pipes': () => `${'|'.repeat(1_000)}\n${'|-'.repeat(1_000)}|\n${times(`${'|'.repeat(1_000)}\n`)}`,
  'quotes 10,000 deep': () => `${'>'.repeat(10_000)} x\n`.repeat(10),
  'quotes ever deeper': () => lines(1_400, (index) => `${'>'.repeat(index)} x`),
  'lists ever deeper': () => lines(1_400, (index) => `${' '.repeat(2 * index)}- x`).slice(0, 200_000),
  'a long list': () => times('- x\n'),
  'a long numbered list': () => lines(100_000, (index) => `${index}. x`),
  '10,000 link definitions': () => lines(10_000, (index) => `[l${index}]: https://e.test/${index}`),
  '10,000 links and their definitions': () =>
    `${lines(10_000, (index) => `[l${index}]\n`)}\n${lines(10_000, (index) => `[l${index}]: https://e.test/${index}`)}`,
  'an endless fence with colours': () => `\`\`\`ts\n${times('const answer = `one` + 2; // three\n', million)}`,
  'an endless line of words in a fence': () => `\`\`\`js\n${times('const a = 1; ')}`,
  'an endless info string': () => `\`\`\`${times('x ')}`,
  '25,000 code blocks': () => times('Step:\n\n```ts\nconst a = 1;\n```\n\n', 900_000),
  'slow Java': () => `\`\`\`java\n${times('$', 24_000)}\n${times(`${'$'.repeat(300)}\n`, 60_000)}`,
  'indented code': () => times('    x\n'),
  'short paragraphs': () => times('a\n\n'),
  'a paragraph of 400 KB': () => times(`${'word '.repeat(16)}\n`, 400_000),
  'line breaks': () => times('\n'),
  blanks: () => times(' '),
  NULs: () => times('\0'),
  headings: () => times('# a\n'),
  rules: () => times('---\n'),
  addresses: () => times('https://a.b/c '),
  'addresses in lines': () => times('https://a.b/c http://d.e (https://f.g/(h\n'),
  'bidi controls': () => times('\u202E\u2066'),
  'marks on one letter': () => `a${times('\u0301')}`,
  'marks on every letter': () => times(`a${'\u0301'.repeat(99)}`),
  joiners: () => times('\u200D'),
  'skin tones': () => times('\u{1F3FB}'),
  'letters without a break': () => times('\u0628'),
  'joined emoji': () => times('\u{1F468}\u200D'),
  'half characters': () => times('\uD800'),
};
