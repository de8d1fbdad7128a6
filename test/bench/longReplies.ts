/** The replies for measuring the panel, always the same for a kind and a length. */

/** `mixed` contains every kind of block; the others are a single block. */
export type ReplyKind = 'mixed' | 'code' | 'list' | 'table' | 'paragraph';

const words = (
  'the function returns every line whose total differs from what was rounded before so that a caller who adds them ' +
  'once more gets the same cents and no test that compares floats has to know how many lines there were'
).split(' ');

/** Returns `count` words of a text; each `seed` selects others. */
const prose = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]).join(' ');

const inline = (seed: number) =>
  `${prose(seed, 9)} **${prose(seed + 1, 2)}** and \`applyDiscount(${seed})\`, *${prose(seed + 2, 2)}* as ` +
  `[the guide](https://example.com/guide/${seed}?page=2) says, ~~${prose(seed + 3, 1)}~~ ${prose(seed + 4, 12)}.`;

const typescript = (seed: number) => `/** ${prose(seed, 6)} */
export async function discount${seed}(lines: readonly Line[], rate = 0.${seed}): Promise<number> {
  // ${prose(seed + 1, 8)}
  const total = lines.reduce((sum, { price, count }) => sum + price * count, 0);
  if (total === null || !Number.isFinite(total)) throw new RangeError(\`no total for \${lines.length} lines\`);
  return Math.round(total * (1 - rate));
}
`;

const blocks = [
  (seed: number) => `\`\`\`ts src/cart/discount${seed}.ts\n${typescript(seed)}\`\`\``,
  (seed: number) => `\`\`\`python
class Cart${seed}(dict):
    """${prose(seed, 7)}"""
    def total(self, rate: Decimal = Decimal("0.${seed}")) -> Decimal:
        return sum(line.price * line.count for line in self.values()) * (1 - rate)  # ${prose(seed + 2, 4)}
\`\`\``,
  (seed: number) => `\`\`\`json
{ "rate": 0.${seed}, "lines": [{ "price": 33.335, "count": ${seed} }, null, true], "note": "${prose(seed, 5)}" }
\`\`\``,
];

/** Four formulas, and 16 paths: 500 and 2,000 of them in 400 KB. */
const formulasAndPaths = (seed: number) => `Then \\(x_{${seed}}^2 + \\frac{1}{n}\\) is $\\sum_{i=1}^{${seed}} a_i$, or

$$\\int_0^{${seed}} \\sqrt{t^2 + 1} \\, dt = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$

so \\[E = mc^{${seed}}\\] ${Array.from({ length: 16 }, (_, at) => `src/part${seed}/file${at}.ts:${at + 1}`).join(', ')}.
`;

/** Returns about three kilobytes with every kind of block. */
export function section(seed: number): string {
  const code = (offset: number) => blocks[(seed + offset) % blocks.length]?.(seed);
  return `## ${prose(seed, 4)}

${inline(seed)} ${prose(seed + 5, 30)}.

${code(0)}

- ${inline(seed + 1)}
- ${prose(seed + 2, 12)}
  - ${prose(seed + 3, 8)} \`nested${seed}\`
    - ${prose(seed + 4, 6)}
- [x] ${prose(seed + 7, 6)}

1. ${prose(seed + 9, 10)}
2. ${inline(seed + 2)}

| mode | result | note |
|:-----|-------:|:----:|
| ${prose(seed, 2)} | ${seed}.99 | **${prose(seed, 1)}** |
| ${prose(seed + 1, 3)} | 100.${seed} | \`x${seed}\` |

> ${prose(seed + 3, 20)}

${code(1)}

${prose(seed + 11, 40)}. ${inline(seed + 3)}

${formulasAndPaths(seed)}
`;
}

const kinds: Readonly<Record<ReplyKind, readonly [head: string, unit: (seed: number) => string]>> = {
  mixed: ['', section],
  code: ['```ts\n', (seed) => `${typescript(seed)}\n`],
  list: ['', (seed) => `- ${inline(seed)}\n${seed % 4 === 0 ? `  - ${prose(seed, 10)}\n` : ''}`],
  table: [
    '| name | amount | note |\n|------|-------:|------|\n',
    (seed) => `| ${prose(seed, 3)} | ${seed}.99 | **${prose(seed + 1, 2)}** \`code${seed}\` ${prose(seed, 5)} |\n`,
  ],
  paragraph: ['', (seed) => `${inline(seed)}\n`],
};

/** Returns a reply of exactly `length` UTF-16 units, all of them ASCII. */
export function longReply(kind: ReplyKind, length: number): string {
  const [head, unit] = kinds[kind];
  let text = head;
  for (let seed = 0; text.length < length; seed++) {
    text += unit(seed);
  }
  return text.slice(0, length);
}
