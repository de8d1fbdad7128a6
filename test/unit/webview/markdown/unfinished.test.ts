import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarkdownNode } from '../../../../src/webview/markdown/markdownNode.ts';
import { MarkdownStream } from '../../../../src/webview/markdown/markdownStream.ts';
import { Blocks, letterByLetter } from './streamedBlocks.ts';

/** What is shown after each letter of a text: only words, ‹› for inline code, links in «», one line per block. */
const shownAfterEach = (text: string) => letterByLetter(text, (blocks) => blocks.map(words).join('\n')).whileStreaming;

function words(node: MarkdownNode): string {
  if (typeof node === 'string') {
    return node;
  }
  if (node.kind === 'code') {
    return '';
  }
  const inside = node.children.map(words).join('');
  return node.tag === 'code' ? '‹›' : node.tag === 'a' ? `«${inside}»` : inside;
}

test('shows no Markdown mark while text arrives letter by letter', () => {
  const texts = [
    'This is **bold** and *em* and ***both*** and __u__ and ~~old~~ end',
    'Code `a * b` and `` a ` b `` and **bold `code` x** end',
    'A [link](https://a.example "title") and [one](<https://b.example>) and ![picture](https://c.example/p.png) end',
    "Then (see [this](https://a.example 'title')) and **[bold](https://b.example)** end",
    'An <https://a.example/b> and <mailto:a@b.example> end',
    'Words &copy; and &#x41; and &lt;b end',
    '# Head **bold** `code`\n\n\nMore\n---\n\nEnd',
    '- one **two** `three`\n- [a](https://a.example)\n  - deep **x**\n\n1. n\n2. *m*\n\nend',
    '- [x] done **bold**\n- [ ] open\n\nend',
    '| a | b |\n|---|---|\n| **1** | `2` |\n| [x](https://a.example) | ~~y~~ |\n\nend',
    '> quote **bold**\n> `code` [d](https://e.example)\n\nend',
    '[link](https://a.example) first\n\nend',
    'Text\n\n```ts\nconst a = 1;\n```\nend\n\n---\n\nend',
    'Text\n~~~\ncode\n~~~\n\n***\n\nend',
  ];
  for (const text of texts) {
    for (const [at, shown] of shownAfterEach(text).entries()) {
      assert.doesNotMatch(
        shown,
        /[*_`~[\]#|\\]|<(?!b end$|b$|b |$)|&(?!$)|\(h|--|==|^>/m,
        JSON.stringify(text.slice(0, at + 1)),
      );
    }
    assert.match(shownAfterEach(text).at(-1) ?? '', /end$/i);
  }
});

test('shows text that only looks like Markdown as soon as the next letters decide it', () => {
  const cases: [string, string][] = [
    ['a [0] b', 'a [0] b'],
    ['list[0', 'list[0'],
    ['list[i][j', 'list[i][j'],
    ['see [note] and', 'see [note] and'],
    ['R&D is', 'R&D is'],
    ['a < b', 'a < b'],
    ['if a <b then', 'if a <b then'],
    ['Wow! Yes', 'Wow! Yes'],
    ['C:\\dir x', 'C:\\dir x'],
    ['2 * 3', '2 * 3'],
    ['snake_case_na', 'snake_case_na'],
    ['[x] as it is', '[x] as it is'],
  ];
  for (const [text, shown] of cases) {
    assert.equal(shownAfterEach(text).at(-1), shown);
  }
});

test('a word that became bold stays bold while more text arrives', () => {
  const after = (text: string) => {
    const sink = new Blocks();
    const stream = new MarkdownStream(sink);
    stream.append(text);
    stream.advance();
    return JSON.stringify(sink.blocks);
  };
  const text = '**Bold `code` more** end';
  for (let at = 4; at < text.length; at++) {
    assert.match(after(text.slice(0, at)), /"strong","children":\["Bo?l?d?/, text.slice(0, at));
  }
  const row = '| a | b |\n|---|---|\n| **Bold** x | y |';
  for (let at = row.indexOf('Bold') + 1; at < row.length; at++) {
    assert.match(after(row.slice(0, at)), /"strong","children":\["Bo?l?d?/, row.slice(0, at));
  }
});

test('a table with empty cells stays while its rows arrive', () => {
  const { whileStreaming } = letterByLetter('| a |\n|---|\n|   |\n|   |\n', (blocks) => JSON.stringify(blocks));
  const first = whileStreaming.findIndex((shown) => shown.includes('"table"'));
  assert.ok(first > 0 && whileStreaming.slice(first).every((shown) => shown.includes('"table"')));
});

test('holds back emphasis that may be none together with an element that has emphasis of its own', () => {
  assert.equal(shownAfterEach('Open *a <mark>__b__ c').at(-1)?.trim(), 'Open');
  assert.equal(shownAfterEach('“* *<mark>_c_“').at(-1)?.trim(), '“*');
});
