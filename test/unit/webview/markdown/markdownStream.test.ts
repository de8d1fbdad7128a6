import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBlocks } from '../../../../src/webview/markdown/markdownParse.ts';
import { anyMarkdown, cutText, piecesOf } from './anyMarkdown.ts';
import { streamed } from './streamedBlocks.ts';

const whole = (text: string) => parseBlocks(text.replaceAll(/\r\n?/g, '\n')).map((block) => block.node);

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
  '1.  ~~~~\n   a = `b\n   - b\n    ~~~~\n1. c\n[x]: https://x.example\n',
  '```markdown\na\n```markdown\n+ b\n```\n',
  '10. a\n   ```yaml\n   b:\n   - c\n   ```\n11. d\n\n   e:\n   - f',
];

test('closes nothing in a block that another one follows, also while that one is still empty', () => {
  for (const text of ['`a *b', '**a', '> > a `b']) {
    for (const next of ['1. ', '> > + ', '***', '# ', '> - ']) {
      const [block, ...others] = parseBlocks(`${text}\n\n${next}`, true);
      assert.deepEqual(block?.node, whole(text)[0], text + next);
      assert.equal(others.length, 1);
    }
    assert.notDeepEqual(parseBlocks(text, true)[0]?.node, whole(text)[0]);
  }
});

test('gives the same blocks whether text arrives at once or one character at a time', () => {
  for (const text of samples) {
    assert.deepEqual(streamed([...text]), whole(text), JSON.stringify(text));
  }
});

test('gives the same blocks however Markdown is cut', () => {
  fc.assert(
    fc.property(cutText(anyMarkdown), (cut) =>
      assert.deepEqual(streamed(piecesOf(cut)), streamed([cut.text]), cut.text),
    ),
  );
});

test('goes on as plain text after more lines than a page can show, and loses none of it', () => {
  const shown = streamed([...Array(12_000).fill('a\n\n'), 'end']);
  const rest = shown.filter((block) => typeof block === 'string').join('');
  const blocks = shown.filter((block) => typeof block === 'object' && block.kind === 'element' && block.tag === 'p');
  assert.equal(blocks.length, 11_651);
  assert.equal(rest, `\n\n${'a\n\n'.repeat(349)}end`);
});
