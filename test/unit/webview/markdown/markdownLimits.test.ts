import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MarkdownNode } from '../../../../src/webview/markdown/markdownNode.ts';
import { byCases } from '../../propertyRuns.ts';
import { anyMarkdown } from './anyMarkdown.ts';
import { hugeTexts } from './hugeTexts.ts';
import { streamed } from './streamedBlocks.ts';

function* cut(text: string, length: number): Iterable<string> {
  for (let at = 0; at < text.length; at += length) {
    yield text.slice(at, at + length);
  }
}

const letters = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => (typeof node === 'string' ? node : node.kind === 'code' ? node.text : letters(node.children)))
    .join('');

const depth = (nodes: readonly MarkdownNode[]): number =>
  Math.max(
    0,
    ...nodes.map((node) => (typeof node === 'string' || node.kind === 'code' ? 0 : 1 + depth(node.children))),
  );

test('gives the same blocks for a text beyond every limit, however it is cut', { timeout: 60_000 }, () => {
  // A part of them: each takes as long as many other tests.
  for (const [name, make] of Object.entries(hugeTexts).filter((_, index) => index % byCases(6, 3, 1) === 0)) {
    const text = make().slice(0, 45_000);
    const whole = streamed([text]);
    assert.deepEqual(streamed(cut(text, 9_973)), whole, name);
  }
});

test('gives the same blocks for long Markdown of any kind, however it is cut', { timeout: 60_000 }, () => {
  const long = fc
    .tuple(
      fc.array(anyMarkdown, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '\n', '\n\n', '\n  ', '\n> ', '|'),
      fc.integer({ min: 400, max: 9_000 }),
    )
    .map(([parts, gap, length]) => {
      const unit = parts.join(gap) + gap;
      return { text: unit === '' ? '' : unit.repeat(Math.ceil(50_000 / unit.length)).slice(0, 50_000), length };
    });
  fc.assert(
    fc.property(long, ({ text, length }) => assert.deepEqual(streamed(cut(text, length)), streamed([text]))),
    { numRuns: byCases(2, 4, 100) },
  );
});

test('loses no letter when a line is too long, a paragraph has too many marks, or quotes and lists are too deep', () => {
  const line = `${'a*b_c[d'.repeat(14_000)}\u{1F600}`;
  assert.equal(letters(streamed([`${line}\n\nend`])), `${line}end`);
  const marks = '**a '.repeat(1_500).trim();
  assert.deepEqual(streamed([marks]), [{ kind: 'element', tag: 'p', children: [marks] }]);
  const words = 'a '.repeat(9_000).trim();
  assert.equal(letters(streamed([words])), words);
  for (const mark of ['>', '> - ', '- ', '1. ', '> 1. * ']) {
    const blocks = streamed([`${mark.repeat(10_000 / mark.length)}deep\n\nend`]);
    assert.ok(depth(blocks) < 40, mark);
    assert.match(letters(blocks), /deep(?:\n.*)?end$/s, mark);
  }
  const surrogates = '\u{1F600}'.repeat(120_000);
  assert.deepEqual(
    streamed(cut(`a${surrogates}`, 3_999)).map((block) => /^a?(?:[\u{10000}-\u{10FFFF}])+$/u.test(letters([block]))),
    [true, true],
  );
});

test('shows the rest of an answer as it is after a list that is too long for one block', () => {
  const items = Array.from({ length: 2_500 }, (_, index) => `${index + 1}. item`).join('\n');
  const [list, rest, ...others] = streamed(cut(items, 1_000));
  assert.ok(typeof list === 'object' && list.kind === 'element' && typeof rest === 'string');
  assert.deepEqual([list.tag, others.length], ['ol', 0]);
  assert.ok(list.children.length > 1_500);
  assert.equal(rest.match(/\d+\. item/g)?.length, 2_500 - list.children.length);
  const code = `\`\`\`\n${items}\n\`\`\`\n\n*end*`;
  assert.equal(letters(streamed(cut(code, 1_000))), `${items}\nend`);
});
