import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MarkdownNode } from '../../../../src/webview/markdown/markdownNode.ts';
import { parseBlocks } from '../../../../src/webview/markdown/markdownParse.ts';
import { MarkdownStream } from '../../../../src/webview/markdown/markdownStream.ts';

const word = (seed: number) => ['round', 'the', 'total', 'once', 'per', 'line', 'and', 'cent'][seed % 8] ?? '';
const words = (seed: number) => Array.from({ length: 12 }, (_, index) => word(seed * 3 + index)).join(' ');
const repeated = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

/** Single blocks that are parsed again many times, and are just short enough to be parsed as one. */
const blocks: Readonly<Record<string, string>> = {
  'a list': repeated(300, (i) => `- **${word(i)}** ${words(i)} \`code${i}\`\n${i % 3 === 0 ? '  - nested\n' : ''}`),
  'a loose list': repeated(120, (i) => `${1_000 + i}. ${words(i)}\n\n      ${words(i + 1)}\n\n`),
  'a list that becomes loose': `${repeated(200, (i) => `* ${words(i)}\n`)}\n${repeated(100, (i) => `* ${words(i)}\n`)}`,
  'a list with code': repeated(120, (i) => `- ${words(i)}\n  \`\`\`ts\n  const a = ${i};\n  \`\`\`\n`),
  'a table': `| a | b |\n|--:|---|\n${repeated(400, (i) => `| ${i} | **${word(i)}** ${words(i)} |\n`)}`,
  'a table without outer bars': `a | b\n--|--\n${repeated(300, (i) => `${i} | ${words(i)}\n`)}`,
  'a paragraph of lines': repeated(
    120,
    (i) => `${words(i)} *${word(i)}* and [a link](https://example.com/${i}) too,\n`,
  ),
  'a paragraph of one line': repeated(300, (i) => `${words(i)} **${word(i)}** and more. `),
  'a paragraph that is a heading': `${repeated(200, (i) => `${words(i)}\n`)}===\n`,
  'a paragraph with a table below': `${repeated(200, (i) => `${words(i)}\n`)}a | b\n--|--\n1 | 2\n`,
  'a paragraph in one emphasis': `*${repeated(200, (i) => `${words(i)}\n`).trim()}*`,
  'a paragraph with a bracket that ends late': `[${repeated(200, (i) => `${words(i)}, ${word(i)}\n`)}](https://example.com)`,
  'a quote': repeated(300, (i) => `> ${words(i)}\n${i % 4 === 0 ? '>\n' : ''}`),
  'a quote with lazy lines': repeated(300, (i) => `${i % 3 === 0 ? '> ' : ''}${words(i)}\n`),
  'a list that looks like a table': repeated(300, (i) => `- a | b ${words(i)}\n--|--\n`),
};

function streamed(text: string, size: number): readonly MarkdownNode[] {
  let shown: MarkdownNode[] = [];
  const stream = new MarkdownStream({
    show: (from, nodes) => {
      shown = [...shown.slice(0, from), ...nodes];
    },
    grow: (code) => {
      const last = shown.at(-1);
      if (typeof last === 'object' && last.kind === 'code') {
        shown[shown.length - 1] = { ...last, text: last.text + code };
      }
    },
    replace: (index, node) => {
      shown[index] = node;
    },
  });
  for (let at = 0; at < text.length; at += size) {
    stream.append(text.slice(at, at + size));
    stream.advance();
  }
  stream.end();
  stream.advance();
  return shown;
}

const whole = (text: string) => parseBlocks(text, {}).blocks.map(({ node }) => node);

describe('a block that becomes long', () => {
  for (const [name, text] of Object.entries(blocks)) {
    test(`${name} ends up the same as when it arrives at once`, () => {
      for (const more of ['', '\n\nAnother paragraph.\n', '\n# Heading\n']) {
        for (const size of [409, 1_201]) {
          assert.deepEqual(streamed(text + more, size), whole(text + more));
        }
      }
    });
  }
});
