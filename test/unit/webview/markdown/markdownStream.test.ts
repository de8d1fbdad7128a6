import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MarkdownNode } from '../../../../src/webview/markdown/markdownNode.ts';
import { parseBlocks } from '../../../../src/webview/markdown/markdownParse.ts';
import { MarkdownStream } from '../../../../src/webview/markdown/markdownStream.ts';

/** Stores blocks as the page would. */
class Blocks {
  blocks: MarkdownNode[] = [];
  firstUnfinished = 0;

  show(from: number, blocks: readonly MarkdownNode[]): void {
    assert.ok(from >= this.firstUnfinished, 'a finished block is changed again');
    this.firstUnfinished = from;
    this.blocks = [...this.blocks.slice(0, from), ...blocks];
  }

  grow(code: string): void {
    const last = this.blocks.at(-1);
    assert.ok(typeof last === 'object' && last.kind === 'code', 'only a code block grows');
    this.blocks = [...this.blocks.slice(0, -1), { ...last, text: last.text + code }];
  }

  replace(index: number, block: MarkdownNode): void {
    assert.ok(index < this.blocks.length);
    this.blocks[index] = block;
  }

  showRest(text: string): void {
    this.blocks.push(text);
  }
}

function streamed(pieces: readonly string[]): readonly MarkdownNode[] {
  const sink = new Blocks();
  const stream = new MarkdownStream(sink);
  for (const piece of pieces) {
    stream.append(piece);
    stream.advance();
  }
  stream.end();
  stream.advance();
  assert.equal(stream.hasWork, false);
  return sink.blocks;
}

const whole = (text: string) => parseBlocks(text.replaceAll(/\r\n?/g, '\n'), {}).blocks.map((block) => block.node);

const samples = [
  'para\n***bold*** text\n\nnext',
  'para\na | b\n--|--\n1 | 2\n\nend',
  'para\n---\n\npara\n===\nmore',
  '- one\n- two\n\n- three\n\n      code\n\npara',
  '1. one\n   ```ts\n   const a = 1;\n   ```\n2. two\n\ntext',
  '```ts\nconst a = 1;\n```\ntext\n~~~\nopen',
  '  ```\n  indented\n\ttab\n    four\n  ```\nafter',
  '````md\n```ts\ninner\n```\n````\ndone',
  'See [x] and [y][x].\n\n> [x] quoted\n\n[x]: https://example.com/a\n  "title"\n\nafter [x]',
  "[a]:\n/url\n'title\nmore'\n\n[a] text",
  "> [a]: /url\n    'title\n    more'\n- [a] text",
  "> - [a]: /url\n'title\nmore'\n[a] text",
  '[a]: https://one.example\n[a]: https://two.example\n\n[a]',
  '> quote\nlazy\n\n> again\n\n```\ncode',
  '| a |\n|---|\n| **b** |\n\ntext',
  '- [ ] open\n- [x] done\n\n* other',
  'a\r\nb\r\n\r\n```\r\ncode\r\n```\r\nend\r',
  '    indented\n\n    still\n\ntext\n***text',
  '<script>alert(1)</script>\n\n<b>x</b>',
  '```\n\n\n```\n```x`y`\n',
  'text\n```js\nlet x = `a`;\n``\n```',
  '**注意：**请\n\n- **不变。**源码~~「旧」~~的',
  '# a\n\n```markdown\n# b\n\n```bash\nc\n```\n\nd:\n```\ne\n```\n\n```\n\nf',
  '```md\na\n```\nb\n\n```md\n\n```\n',
  '~~~~markdown\n~~~~ts\na\n~~~~\n   ~~~~~ \nb',
  '| a | b |\n|---|---|\n| 1<br>2 | `3 | 4` | 5 | 6 |\n| 7 |',
  'a \\(b_1 * c\\) d\n\\[\n- e \\\\\n= f\n\\]\ng\n$$\nh_1\n\ni $j_k l_m$ $5',
  'a [^1] b [^2]\n\n[^1]: https://a.example\n[^2]: two *words*\n\n[c]: /d\ne',
  '> [c]: /d\n> e\n\n[c] C:\\f\\_g_ h',
  '<details>\n<summary>a *b*</summary>\n\n```html\n</details>\n```\n\n> [!NOTE]\n> c [^1]\n\n</details>\n[^1]: d <sub>e</sub>',
  '1. a\n  - b\n    ```\n    c\n      d\n    ```\n  - e\n2. f\n---\ng\n===',
];

test('closes nothing in a block that another one follows, also while that one is still empty', () => {
  for (const text of ['`a *b', '**a', '> > a `b']) {
    for (const next of ['1. ', '> > + ', '***', '# ', '> - ']) {
      const [block, ...others] = parseBlocks(`${text}\n\n${next}`, {}, true).blocks;
      assert.deepEqual(block?.node, whole(text)[0], text + next);
      assert.equal(others.length, 1);
    }
    assert.notDeepEqual(parseBlocks(text, {}, true).blocks[0]?.node, whole(text)[0]);
  }
});

test('gives the same blocks whether text arrives at once or one character at a time', () => {
  for (const text of samples) {
    assert.deepEqual(streamed([...text]), whole(text), JSON.stringify(text));
  }
});

test('gives the same blocks however Markdown is cut', () => {
  const line = fc.constantFrom(
    'text',
    'a | b',
    '--|--',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
    '- item',
    '  - nested',
    '   continued',
    '1. one',
    '2) two',
    '> quote',
    '>> deep',
    '```',
    '```ts',
    '````',
    '~~~',
    '   ```',
    ' ~~~~ ',
    '    code',
    '\tcode',
    '# head',
    '###',
    '---',
    '===',
    '***',
    '***x',
    '* * *',
    '**bold**',
    '*half',
    '`tick',
    '[x]',
    '[x][y]',
    '[x]: https://x.example',
    '[y]: <https://y.example> "t"',
    '[y]:',
    '/url',
    "'title",
    '- [x] done',
    '- ',
    '',
    '',
    '',
    ' ',
    '<div>',
    '&amp;',
    '\\',
    'https://example.com/a_b',
    '![i](https://x.example/i.png)',
    '0',
    '**注意：**请**「a」**',
    '```markdown',
    '```bash',
    '~~~md',
    'so:',
    '| `a | b` | c | d |<br>',
    '\\[',
    '\\[ a_1',
    '\\] b',
    '$$',
    '\\(a *b',
    'c* \\) $d_e f_g$ $5',
    '[^1]: note [^1]',
    '[^x]: https://x.example',
    'C:\\a\\_b\\ d\\_e f\\g\\_h',
    '2**10 ~5~ f(x)*y',
    '*args, **kwargs',
    '- *a and **b',
    '| `a|b` | c |',
    'cut \\( a \\{',
    'cut $x \\\\',
    'a <sub>b</sub> <kbd>*c</kbd>* <mark>',
    '<details>',
    '<summary>a *b*</summary>',
    '</details>',
    '> [!NOTE]',
    '> [!tip] c',
    '[^1]: two *words* $$x^2$$',
    'x [^1] $a_1$。的',
    '10. ten',
  );
  const text = fc.array(line, { maxLength: 14 }).chain((lines) => {
    const joined = lines.join('\n');
    return fc.tuple(fc.constant(joined), fc.array(fc.nat(Math.max(1, joined.length)), { maxLength: 10 }));
  });
  fc.assert(
    fc.property(text, ([joined, cuts]) => {
      const places = [0, ...cuts.sort((a, b) => a - b), joined.length];
      const pieces = places.slice(1).map((end, index) => joined.slice(places[index], end));
      assert.deepEqual(streamed(pieces), whole(joined));
    }),
  );
});

test('goes on as plain text after more blocks than a page can show, and loses none of it', () => {
  const shown = streamed([...Array(7_000).fill('a\n\n'), 'end']);
  const rest = shown.filter((block) => typeof block === 'string').join('');
  const blocks = shown.filter((block) => typeof block === 'object' && block.kind === 'element' && block.tag === 'p');
  assert.equal(blocks.length, 6_000);
  assert.equal(rest, `\n${'a\n\n'.repeat(1_000)}end`);
});
