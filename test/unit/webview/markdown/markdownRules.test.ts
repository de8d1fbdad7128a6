import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MarkdownNode } from '../../../../src/webview/markdown/markdownNode.ts';
import { parseBlocks } from '../../../../src/webview/markdown/markdownParse.ts';
import { letterByLetter, streamed } from './streamedBlocks.ts';

/** What is shown after each letter and at the end, as HTML without attributes; formulas are `<f>`. */
const shown = (text: string) => letterByLetter(text, (blocks) => blocks.map(htmlOf).join(''));

function htmlOf(node: MarkdownNode): string {
  if (typeof node === 'string') {
    return node;
  }
  if (node.kind === 'code') {
    return `<pre>${node.text}</pre>`;
  }
  const inside = node.children.map(htmlOf).join('');
  const name = node.note ?? (node.isFormula ? 'f' : node.tag);
  return name === 'br' ? '<br>' : `<${name}>${inside}</${name}>`;
}

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'fixtures', 'reports', name), 'utf8');

/** Each text as it arrives letter by letter, and as that of a stored answer arrives, at once. */
function shows(cases: Readonly<Record<string, string>>): void {
  for (const [text, html] of Object.entries(cases)) {
    assert.equal(shown(text).end, html, text);
    assert.equal(streamed([text]).map(htmlOf).join(''), html, `at once: ${text}`);
  }
}

test('words in bold may end with Chinese or Japanese punctuation (future-os#675, claude-code#89827, commonmark-spec#650)', () => {
  assert.equal(
    shown(fixture('30-cjk-emphasis.md')).end,
    '<p><strong>注意：</strong>请先备份。</p>' +
      '<ul><li><strong>不变。</strong>源码保持原样</li></ul>' +
      '<p><strong>「A」</strong>なので<strong>「B」</strong>。</p>',
  );
  shows({ '旧的~~（作废）~~请删': '<p>旧的<s>（作废）</s>请删</p>', '用*「强调」*的': '<p>用<em>「强调」</em>的</p>' });
});

test('words in bold may end with punctuation before any letter (future-os#744, marked#2154, marked#3617, markdown-it#410)', () => {
  shows({
    '**“引号”**10，用API**“引”**吧': '<p><strong>“引号”</strong>10，用API<strong>“引”</strong>吧</p>',
    '**[bug]**emStrong **Mark(🚩)**down **Note:**Then':
      '<p><strong>[bug]</strong>emStrong <strong>Mark(🚩)</strong>down <strong>Note:</strong>Then</p>',
    '(**a**) f(**b, **c) x**2 + y**2': '<p>(<strong>a</strong>) f(**b, **c) x**2 + y**2</p>',
  });
});

test('a block of Markdown is one block with the code blocks inside (open-webui#26034, jan#8739)', () => {
  assert.equal(
    shown(fixture('31-nested-fences.md')).end,
    '<p>Here is the new README:</p>' +
      '<pre># Tool\n\nInstall it:\n\n```bash\nnpm install tool\n```\n\nThen run it.\n</pre><p>That is all.</p>',
  );
});

test('a fence without a language opens a block in Markdown where one usually begins, and otherwise ends it', () => {
  const inside = 'Run:\n```\nx\n```\n## Tree\n\n```\nsrc/\n```\n\n> ```js\n';
  shows({
    [`\`\`\`md\n${inside}\`\`\`\n\nEnd`]: `<pre>${inside}</pre><p>End</p>`,
    '```md\n# T\n```\nEnd': '<pre># T\n</pre><p>End</p>',
    '```md\n\n```': '<pre>\n</pre>',
    '```markdown\nRun this.\n```\nnpm i\n```\nDone.\n```\n\nEnd':
      '<pre>Run this.\n```\nnpm i\n```\nDone.\n</pre><p>End</p>',
    '```md\n1. Install\n   ```\n   npm i\n   ```\n2. Run\n```\n2. End':
      '<pre>1. Install\n   ```\n   npm i\n   ```\n2. Run\n</pre><ol><li>End</li></ol>',
    '```md\nA line.\n```\n保存它。': '<pre>A line.\n</pre><p>保存它。</p>',
    '````markdown\n````ts\na\n````\n```\n````\nEnd': '<pre>````ts\na\n````\n```\n</pre><p>End</p>',
    '```\n```js\n```\nEnd': '<pre>```js\n</pre><p>End</p>',
  });
});

test('<br> breaks the line in cells and in sentences, but not in code (llama.cpp#17462, open-webui#11525)', () => {
  const { end } = shown(fixture('33-br-in-table.md'));
  assert.match(end, /<td>Point A<br>Point B<br>Point C<\/td>/);
  assert.match(end, /<td>Code <code>a<br>b<\/code> stays<\/td>/);
  assert.match(end, /<p>Line one<br>line two<\/p>/);
  shows({ 'a<BR />b \\<br>': '<p>a<br>b <br></p>' });
});

test('a formula is shown as it was written (Grimoire#91)', () => {
  assert.equal(
    shown(fixture('34-latex.md')).end,
    '<p>The sum is <f>\\( a_{1} + b_{2} \\)</f> and</p>' +
      '<f>\\[\nx_{1} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a} \\\\\ny = a*b*c\n\\]</f>' +
      '<f>$$\nA_a \\Rightarrow B_b\n$$</f>' +
      '<p>Inline <f>$A_i, A_{i+1}$</f> and price $5 to $10.</p>',
  );
  shows({
    'So\n\\[\na\n+ b \\\\\n= c\n\\]\nwith *d*': '<p>So</p><f>\\[\na\n+ b \\\\\n= c\n\\]</f><p>with <em>d</em></p>',
    '- x\n  $$\n  a_b\n  $$\n- y': '<ul><li>x<f>$$\na_b\n$$</f></li><li>y</li></ul>',
    '\\[ a_1 \\] and *b*': '<p><f>\\[ a_1 \\]</f> and <em>b</em></p>',
    '是$x_1$，**共**$5、US$6和$7': '<p>是<f>$x_1$</f>，<strong>共</strong>$5、US$6和$7</p>',
    'So\n\\begin{align*}\na &= b \\\\\n\\end{align*}\nor':
      '<p>So</p><f>\\begin{align*}\na &= b \\\\\n\\end{align*}</f><p>or</p>',
    'cut \\( a': '<p>cut \\( a</p>',
    '$HOME:$PATH `$x$` [\\[1\\]](https://a.example)': '<p>$HOME:$PATH <code>$x$</code> <a>[1]</a></p>',
  });
});

test('a formula may have blanks inside its dollars, and `$$` at the end of a line before it (LostRuins/koboldcpp#1688, Mathpix/mathpix-markdown-it#301, esengine/DeepSeek-Reasonix#3666)', () => {
  shows({
    '1. $ \\frac{1}{a} $ and $ a $ with $ 0 < a < 1 $':
      '<ol><li><f>$ \\frac{1}{a} $</f> and <f>$ a $</f> with <f>$ 0 < a < 1 $</f></li></ol>',
    'x $ ax^2+bx+c=0  $, $ \\text{net cost} = 6 $': '<p>x <f>$ ax^2+bx+c=0  $</f>, <f>$ \\text{net cost} = 6 $</f></p>',
    'is$$\n\\mathbf{6} = x\n$$\nwith **y**\n$$\nz\n$$':
      '<p>is<f>$$\n\\mathbf{6} = x\n$$</f>\nwith <strong>y</strong></p><f>$$\nz\n$$</f>',
    '1 $ = 7 元，100 $ = 700 元, $ and **b** $ or `$` c $':
      '<p>1 $ = 7 元，100 $ = 700 元, $ and <strong>b</strong> $ or <code>$</code> c $</p>',
  });
});

test('a formula may have blank lines if its marks are alone on their lines (CherryHQ/cherry-studio#20588, nicbou/markdown-notes#38)', () => {
  const far = 'b\n\n'.repeat(20);
  shows({
    'So\n\n\\[\na = b\n\n+ c\n\\]\n\nor': '<p>So</p><f>\\[\na = b\n\n+ c\n\\]</f><p>or</p>',
    '$$\n\na_1\n\n$$\nwith *d*': '<f>$$\n\na_1\n\n$$</f><p>with <em>d</em></p>',
    '- $$\n  a\n\n- b': '<ul><li><f>$$\na</f></li><li><p>b</p></li></ul>',
    [`\\[\na\n\n${far}`]: `<f>\\[\na</f>${'<p>b</p>'.repeat(20)}`,
    '$$\na\n\n# b\n\n**c**': '<f>$$\na</f><h1>b</h1><p><strong>c</strong></p>',
    '$$\n\n**a**': '<f>$$</f><p><strong>a</strong></p>',
    '$$\na\n\nThis goes on.\n\n$$\nb\n$$': '<f>$$\na</f><p>This goes on.</p><f>$$\nb\n$$</f>',
    '$$\na\n\n价格*高*。': '<f>$$\na</f><p>价格<em>高</em>。</p>',
  });
});

test('a fence of `math` is a formula (Mininglamp-OSS/octo-web#1090, asc-community/AngouriMath#1404)', () => {
  shows({
    '- a\n  ```math\n  E = mc^2\n  ```\n- c': '<ul><li>a<f>$$\nE = mc^2\n$$</f></li><li>c</li></ul>',
    '```math\na': '<pre>a</pre>',
    '```math\nunit_cost = 3 * $5\n= $15\n```\n\n*a*': '<pre>unit_cost = 3 * $5\n= $15\n</pre><p><em>a</em></p>',
  });
});

test('a formula whose end never came keeps its backslashes (Grimoire#91)', () => {
  for (const formula of [
    '\\( a_{1} \\\\ b \\{ c \\, d\\_',
    '\\[ x \\\\\ny \\{',
    '$$ \\frac{a}{b} \\; \\%',
    '$x_1 \\in \\{ 1, \\',
  ]) {
    shows({ [`So ${formula}`]: `<p>So <f>${formula}</f></p>` });
  }
  shows({
    'Use \\( to *group* a_b **c**': '<p>Use \\( to <em>group</em> a_b <strong>c</strong></p>',
    'for $$ and $5, $HOME\\_a and *b*': '<p>for $$ and $5, $HOME\\_a and <em>b</em></p>',
  });
});

test('each footnote and link definition is a paragraph as it was written', () => {
  shows({
    '[^1]: https://a.example\n[^1]': '<p>[^1]: <a>https://a.example</a>\n[^1]</p>',
    'a [^1] [^2]\n[^1]: note\n[^2]: two\n  **words**':
      '<p>a [^1] [^2]</p><p>[^1]: note</p><p>[^2]: two\n<strong>words</strong></p>',
    '[x [^1]](https://a.example) `[^1]` [^1](https://a.example)': '<p><a>x [^1]</a> <code>[^1]</code> <a>^1</a></p>',
    '[x] [y]\n\n[x]: https://x.example "T"\n[y]: <https://y.example>':
      '<p>[x] [y]</p><p>[x]: <a>https://x.example</a> "T"</p><p>[y]: <a>https://y.example</a></p>',
    "> [x]: /a\n> 'b\nc'": "<blockquote><p>[x]: /a\n'b\nc'</p></blockquote>",
  });
});

test('quotes that begin with the name of a note are notes (dart-lang/pub-dev#7278)', () => {
  shows({
    '> [!NOTE]\n> Text **bold**': '<note><p>Text <strong>bold</strong></p></note>',
    '> [!warning]\n>\n> - a': '<warning><ul><li>a</li></ul></warning>',
    '> [!Tip] Text': '<tip><p>Text</p></tip>',
    '> [!CAUTION]': '<caution></caution>',
    '> [!IMPORTANT]\n> `x`': '<important><p><code>x</code></p></important>',
    '> [!INFO]\n> x': '<blockquote><p>[!INFO]\nx</p></blockquote>',
    '[!NOTE]\n> x [!NOTE]': '<p>[!NOTE]</p><blockquote><p>x [!NOTE]</p></blockquote>',
  });
});

test('elements of HTML without attributes are shown, all others stay text (badgerdoc#1069, AquiLLM#56)', () => {
  shows({
    'H<sub>2</sub>O x<SUP>2</SUP> <kbd>Ctrl</kbd>+<kbd>C</kbd> <mark>a **b**</mark>':
      '<p>H<sub>2</sub>O x<sup>2</sup> <kbd>Ctrl</kbd>+<kbd>C</kbd> <mark>a <strong>b</strong></mark></p>',
    '<sub>a <sub onclick=x>b</sub> <b>c</b> </sub>': '<p><sub>a <sub onclick=x>b</sub> <b>c</b> </sub></p>',
    '**<kbd>a**</kbd> `<kbd>x</kbd>`': '<p>**<kbd>a**</kbd> <code><kbd>x</kbd></code></p>',
    '<details>\n<summary>More *of* it</summary>\n\n- a\n\n```html\n</details>\n```\n\n</details>\nEnd':
      '<details><summary>More <em>of</em> it</summary><ul><li>a</li></ul><pre></details>\n</pre></details><p>End</p>',
    'x\n<details><summary>A</summary>\nb\n<details>\nc\n</details>\n</details>':
      '<p>x</p><details><summary>A</summary><p>b</p><details><p>c</p></details></details>',
    '- x\n  <details>\n  y\n  </details>\n- z': '<ul><li>x<details><p>y</p></details></li><li>z</li></ul>',
    '<details open>\nx\n</details>': '<p><details open>\nx\n</details></p>',
    '<details>\n<summary>A</summary>\ncut': '<details><summary>A</summary><p>cut</p></details>',
  });
  assert.equal(shown('H<sub>2 a').whileStreaming.at(-1), '<p>H<sub>2 a</sub></p>');
  assert.equal(shown('H<sub>2</su').whileStreaming.at(-1), '<p>H<sub>2</sub></p>');
  for (const html of shown('> [!NOTE]\n> x [^1] y\n\n<details>\n<summary>A</summary>').whileStreaming) {
    assert.doesNotMatch(html, /!NO|\[\^(?!1\])|<det(?!ails>)|&lt;|summary>A<\/sum(?!mary>)/);
  }
});

test('a line of dashes below a paragraph is a rule (markedjs/marked#3238, mongodb/chatbot#423)', () => {
  shows({
    'Total:\n456\n+456\n------\n912': '<p>Total:\n456\n+456</p><hr></hr><p>912</p>',
    '**Done.**\n---\n## Next': '<p><strong>Done.</strong></p><hr></hr><h2>Next</h2>',
    'a\n--\nb\n===': '<p>a\n--\nb\n===</p>',
  });
});

test('two blanks nest an item inside a numbered one (commonmark-spec#594, remark-react#65, kramdown#353)', () => {
  shows({
    '1. a\n  - b\n    - c\n  - d\n2. e':
      '<ol><li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li></ol>',
    '10. a\n  1. b\n\n11. c\n\n   text': '<ol><li><p>a</p><ol><li>b</li></ol></li><li><p>c</p></li></ol><p>text</p>',
    '1. a\n   - b\n2. c\n  - d\n    ```\n    x\n      y\n    ```\nend':
      '<ol><li>a<ul><li>b</li></ul></li><li>c<ul><li>d<pre>x\n  y\n</pre></li></ul></li></ol><p>end</p>',
    '- a\n  - b': '<ul><li>a<ul><li>b</li></ul></li></ul>',
    '1. a\n  more\n- b': '<ol><li>a\nmore</li></ol><ul><li>b</li></ul>',
  });
});

test('items and code after the end of a numbered one are their own, however they are indented', () => {
  shows({
    '10. a\n   ```yaml\n   b:\n   - c\n   ```\n11. d\n\ne\n\nf':
      '<ol><li>a</li></ol><pre>b:\n- c\n</pre><ol><li>d</li></ol><p>e</p><p>f</p>',
    '10. a\n\n   b:\n   - c\n   - d\n11. e\n\nf\n\ng':
      '<ol><li>a</li></ol><p>b:</p><ul><li>c</li><li>d</li></ul><ol><li>e</li></ol><p>f</p><p>g</p>',
    '1.  # a\n   b\n   - c\n\nd\n\ne': '<ol><li><h1>a</h1></li></ol><p>b</p><ul><li>c</li></ul><p>d</p><p>e</p>',
    '10. a\n   b\n   - c': '<ol><li>a\nb<ul><li>c</li></ul></li></ol>',
  });
});

test('a row keeps what is in its code and what is more than its columns (streamdown#189)', () => {
  const table = (...cells: string[]) =>
    `<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr>${cells
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr></tbody></table></div>`;
  const head = '| a | b |\n|---|---|\n';
  shows({
    [`${head}| \`x | y\` | z |`]: table('<code>x | y</code>', 'z'),
    [`${head}| x | y | z |`]: table('x', 'y | z'),
    [`${head}| \`x \\| y\` | z |`]: table('<code>x | y</code>', 'z'),
    [`${head}x | \`\`y|\`|z\`\``]: table('x', '<code>y|`|z</code>'),
    [`${head}| \`x|y\` |`]: table('<code>x|y</code>', ''),
    [`> ${head.replace('\n', '\n> ')}> | \`x|y\` | z |`]: `<blockquote>${table('<code>x|y</code>', 'z')}</blockquote>`,
  });
});

test('code in a row and in the text of a link looks the same while it arrives as in the end (cacheplane/threadplane#744, ansible/ansible-ai-connect-service#1994)', () => {
  const text = (html: string) => html.replaceAll(/<[^>]*>/g, '');
  for (const source of [
    '| a | b |\n|---|---|\n| `dpkg -l | grep ^ii | wc` | v |\n| x | ``y|z`` |',
    'See [`src/a b.ts`](https://a.example), [the `x` of](https://b.example).',
  ]) {
    const { whileStreaming, end } = shown(source);
    for (const html of whileStreaming) {
      assert.ok(text(end).startsWith(text(html).trimEnd()), html);
    }
  }
});

test('a row keeps the pipes in its formulas (yzhang-gh/vscode-markdown#318, esengine/DeepSeek-Reasonix#2017)', () => {
  const table = (head: string, rows: string) =>
    `<div><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
  shows({
    '| a | b |\n|---|---|\n| $P(A|B)$ | \\(|x|\\) |\n|$\\Theta(|V|^2)$|$|y|$|\n| $5 | $10 |\n|$5|$10|': table(
      '<th>a</th><th>b</th>',
      '<tr><td><f>$P(A|B)$</f></td><td><f>\\(|x|\\)</f></td></tr>' +
        '<tr><td><f>$\\Theta(|V|^2)$</f></td><td><f>$|y|$</f></td></tr>' +
        '<tr><td>$5</td><td>$10</td></tr><tr><td>$5</td><td>$10</td></tr>',
    ),
    '| $|x|$ | b |\n|---|---|\n| 1 | 2 |': table('<th><f>$|x|$</f></th><th>b</th>', '<tr><td>1</td><td>2</td></tr>'),
  });
});

test('reads a row of formulas without ends, and a dollar before many blanks, in linear time', () => {
  const ms = (text: string) => {
    const began = process.cpuUsage();
    JSON.stringify(parseBlocks(text).map(({ node }) => node));
    return process.cpuUsage(began).user / 1_000;
  };
  const row = (length: number) => `| a | b |\n|---|---|\n| ${'\\('.repeat(length / 2)} | c | d |`;
  const blanks = (length: number) => `a $${' '.repeat(length)}x`;
  ms(row(20_000));
  assert.ok(ms(row(20_000)) < 20 * Math.max(ms(row(2_000)), 2));
  assert.ok(ms(blanks(8_000)) < 20 * Math.max(ms(blanks(800)), 2));
});

test('reads a paragraph with many formulas at the beginnings of its lines in linear time', () => {
  const ms = (length: number) => {
    const began = process.cpuUsage();
    parseBlocks(`a\n${'$$x$$ b\n'.repeat(length / 8)}`);
    return process.cpuUsage(began).user / 1_000;
  };
  ms(20_000);
  assert.ok(ms(40_000) < 20 * Math.max(ms(4_000), 2));
});

test('the head of a table keeps what is in its code (markdown-it#808, vscode#131859)', () => {
  const table =
    '<div><table><thead><tr><th><code>a | b</code></th><th>c</th></tr></thead>' +
    '<tbody><tr><td>x</td><td>y</td></tr></tbody></table></div>';
  shows({
    '| `a | b` | c |\n|---|---|\n| x | y |': table,
    'x\n`a | b` | c\n:-- | --:\nx | y': `<p>x</p>${table}`,
    '> | ``a | b`` | c |\n> |-|-|\n> | x | y |': `<blockquote>${table}</blockquote>`,
    '| `a|b` | c |\n|---|': '<p>| <code>a|b</code> | c |\n|---|</p>',
  });
});

test('a delimiter row with too few or too many cells, or without dashes, makes a table (filigran-ui#327, brave-browser#57766, lmstudio-bug-tracker#1616)', () => {
  const table = (tag: string, cells: string) =>
    `<tr>${[...cells].map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const whole = (head: string, row: string) =>
    `<div><table><thead>${table('th', head)}</thead><tbody>${table('td', row)}</tbody></table></div>`;
  shows({
    '| a | b | c |\n|:--|---|\n| 1 | 2 | 3 |': whole('abc', '123'),
    '| a | b |\n|---|---|---|\n| 1 | 2 |': whole('ab', '12'),
    '| a | b |\n| :--- | : |\n| 1 | 2 |': whole('ab', '12'),
    '| a | b |\n| : | : |\n| 1 | 2 |': whole('ab', '12'),
    '- | a | b | c |\n  |--|--|\n  | 1 | 2 | 3 |': `<ul><li>${whole('abc', '123')}</li></ul>`,
    '- x\n| a | b |\n|---|---|\n| 1 | 2 |': `<ul><li>x</li></ul>${whole('ab', '12')}`, // sn-rme#19
    '| a | b | c | d | e |\n|--|--|': '<p>| a | b | c | d | e |\n|--|--|</p>',
  });
});

test('a fence, a formula or a footnote that is not indented ends the list before it (redcarpet#600)', () => {
  shows({
    '1. a\n```sh\nb\n```\n2. c': '<ol><li>a</li></ol><pre>b\n</pre><ol><li>c</li></ol>',
    '- a\n  - b\n$$\nx\n$$': '<ul><li>a<ul><li>b</li></ul></li></ul><f>$$\nx\n$$</f>',
    '- a\n[^1]: b': '<ul><li>a</li></ul><p>[^1]: b</p>',
  });
});

test('code in a list, or its end, may lack the indentation (markup-carve/carve#646, michelf/php-markdown#10, ndycode/oc-codex-multi-auth#84)', () => {
  shows({
    '1. a\n   ```sh\n   b\n```\n2. c': '<ol><li>a<pre>b\n</pre></li><li>c</li></ol>',
    '1. a\n   ```sh\nb\n\nc\n   ```\n2. d': '<ol><li>a<pre>b\n\nc\n</pre></li><li>d</li></ol>',
    '1. a\n   ```py\nb:\n    c\n   ```': '<ol><li>a<pre>b:\n    c\n</pre></li></ol>',
    '1. a\n   - b\n     ```py\n   c:\n       d\n     ```':
      '<ol><li>a<ul><li>b<pre>c:\n    d\n</pre></li></ul></li></ol>',
    '- a\n  - b\n    ```sh\n    c\n  ```\n  - d': '<ul><li>a<ul><li>b<pre>c\n</pre></li><li>d</li></ul></li></ul>',
    '- ``` a\n- b\n  ```\n  c\n\nd': '<ul><li><pre></pre></li><li>b<pre>c\n\n</pre></li></ul><p>d</p>',
    '> - ```\na': '<blockquote><ul><li><pre></pre></li></ul></blockquote><p>a</p>',
  });
});

test('marks that end words in bold or struck words end an address (KiroCrew#3519)', () => {
  const link = '<a>https://a.example/b</a>';
  shows({ '**https://a.example/b**已，~~https://a.example/b~~': `<p><strong>${link}</strong>已，<s>${link}</s></p>` });
});

test('letters right after a host end an address (Prism-Shadow/penguin-harness#437)', () => {
  const link = (address: string) => `<a>${address}</a>`;
  shows({
    '请访问https://a.example获取密钥。http://localhost:3000에서 http://127.0.0.1:80を': `<p>请访问${link('https://a.example')}获取密钥。${link('http://localhost:3000')}에서 ${link('http://127.0.0.1:80')}を</p>`,
    'https://例子.测试/路 https://a.例子.com https://a.example/百科/x': `<p>${[
      link('https://例子.测试/路'),
      link('https://a.例子.com'),
      link('https://a.example/百科/x'),
    ].join(' ')}</p>`,
  });
});

test('marks in numbers, in names, in patterns and alone in quotes are signs (textgen#5608, chatbox#270, sdlwiki#714, lobe-editor#49)', () => {
  const signs = `5! = 5*4*3*2*1, 100*100/400*56, '*' or "*", count(*), sum(*), **/*.ts, src/**/*.js, *.py|*.js, __init__.py`;
  shows({
    [signs]: `<p>${signs}</p>`,
    '*"a"* **(b)** f(*x*)': '<p><em>"a"</em> <strong>(b)</strong> f(<em>x</em>)</p>',
  });
});

test('the path, the title and the address behind a text are not lost (claude-code#88952)', () => {
  shows({
    'See [main](src/main.ts#L10)': '<p>See <a>main (src/main.ts#L10)</a></p>',
    '[src/a.ts](src/a.ts) [](https://a.example/)': '<p><a>src/a.ts</a> <a>https://a.example/</a></p>',
    '![plan](docs/plan.png "The plan") ![](a.png)': '<p>plan (docs/plan.png The plan) a.png</p>',
    '![](data:image/png;base64,AAAA)': '<p>data:image/png;base64,…</p>',
    '<!-- a --> <details>b</details>': '<p><!-- a --> <details>b</details></p>',
  });
});

test('a Windows path keeps its backslashes (claude-code#54815, claude-code#42528, claude-code#88952)', () => {
  for (const path of [
    'C:\\x\\_temp',
    'D:\\repo\\.ai\\skills\\',
    'C:\\Program Files (x86)\\_b\\[c]\\*.log',
    '\\\\server\\share\\_x',
    '.\\.venv\\Scripts',
    '%APPDATA%\\.minecraft',
    '$env:USERPROFILE\\.ssh',
    'proj\\data\\_scratch\\out',
    'data\\_x\\a.csv',
    'app\\issues\\[id]\\_page.csv',
    'HKLM\\SOFTWARE\\_x',
    '\\d+\\.\\d{2}\\-\\\\x',
  ]) {
    // What may be a file of the workspace is in a link that leads nowhere yet.
    const shown = path.endsWith('.csv') ? `<a>${path}</a>` : path;
    shows({ [`In ${path}`]: `<p>In ${shown}</p>`, [`**${path}** x`]: `<p><strong>${shown}</strong> x</p>` });
  }
  shows({
    'C:\\a and snake\\_case 1\\. \\*b\\* .\\*': '<p>C:\\a and snake_case 1. *b* .*</p>',
    'data\\_x C:\\\\a\\\\b': '<p>data_x C:\\a\\b</p>',
    '[a](C:\\me\\.b\\_c) [d](src/my\\_file.ts)': '<p><a>a (C:\\me\\.b\\_c)</a> <a>d (src/my_file.ts)</a></p>',
  });
});

test('signs in numbers and code look the same while they arrive as in the end (streamdown#189, pi#5812)', () => {
  const sign = fc.constantFrom(
    ...['*args, **kwargs', 'f(*args, **kwargs)', 'the **kwargs', 'int *p', 'char **argv', 'print(*rest)', '_private'],
    ...[
      'It takes ~5~ s',
      '234234*123 =',
      '2**10 is',
      'f(x)*g(y)',
      'in *.ts',
      '**/*.ts',
      'a~b *',
      'x <br/>y',
      'count(*)',
    ],
  );
  const emphasis = fc.constantFrom('*em*', '**Bold words**', '**bold** and', '~~old~~', '`*args`');
  fc.assert(
    fc.property(fc.constantFrom('', '- ', '# ', '> '), sign, emphasis, (start, one, other) => {
      const { whileStreaming, end } = shown(`${start}${one}, ${other}`);
      for (const html of whileStreaming) {
        assert.ok(end.startsWith(html.replace(/\s*(?:<\/\w+>)+$/, '')), `${html} before ${end}`);
      }
    }),
  );
});

test('a mark whose other one has not arrived becomes emphasis or a sign when a line is long enough', () => {
  const words = 'and more words until a whole line of them has arrived, which is enough';
  for (const [text, html] of [
    [`*args ${words}`, `<p>*args ${words}</p>`],
    [`**kwargs ${words}`, `<p>**kwargs ${words}</p>`],
    [`*Note ${words}`, `<p><em>Note ${words}</em></p>`],
    ['*args and', '<p></p>'],
    ['看**「A', '<p>看<strong>「A</strong></p>'],
    ['用**`foo(`', '<p>用<strong><code>foo(</code></strong></p>'],
    ['Nest \\<fo', '<p>Nest </p>'],
    ['See [x](https://a.example/b_(c', '<p>See x</p>'],
    ['使用Python**重点', '<p>使用Python<strong>重点</strong></p>'],
    ['\\( a_1 *b* c', '<p><f>\\( a_1 *b* c</f></p>'],
    ['\\[\nx', '<f>\\[\nx</f>'],
    ['- *', ''],
    ['This is **Bo', '<p>This is <strong>Bo</strong></p>'],
    ['This is **bo', '<p>This is </p>'],
    ['This is **bold*', '<p>This is </p>'],
    ['Call `fo', '<p>Call <code>fo</code></p>'],
    ['~~old', '<p><s>old</s></p>'],
    ['snake_case_na', '<p>snake_case_na</p>'],
    ['Text\n==', '<p>Text</p>'],
    ['Text\n\n| a | b', '<p>Text</p>'],
    ['Text\n\n| a | b |\n|--', '<p>Text</p>'],
    ['Text\n\n``', '<p>Text</p>'],
    ['Text\n\n```t', '<p>Text</p>'],
  ] as const) {
    assert.equal(shown(text).whileStreaming.at(-1), html);
  }
});
