import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Masks } from '../../../../src/core/chat/masking/masks.ts';
import { parseBlocks } from '../../../../src/webview/markdown/markdownParse.ts';

const masks = new Masks('k3f9x2a8b7c6');
const mask = masks.mask('Hunter', [{ kind: 'password', vendor: '', start: 0, end: 6 }]);
const pieces = [
  ...[mask, mask, '[x](', '![x](', ')', '[x]: ', '[x]:', '[x]', '[x][x]', '<', '>', '> ', '- ', '1. ', '`', '```\n'],
  ...['https://e.x/', 'https://', 'h&#116;tps&colon;//e.x/', 'mailto:', '&lt;', '&gt;', '\\', '\\<', '"', "'", '.e.x'],
  ...[' ', '  ', '\n', '\n\n', '\t', '\u00a0', '\u3000', '\u200b', '\v', '\f', 'a', '@', '?', '(', '*', '|', '\n|-|\n'],
];

test('shows no masked value in the address of a link, whatever an answer is made of', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), fc.boolean(), (parts, isUnfinished) => {
      const blocks = parseBlocks(masks.restoreShown(parts.join('')), isUnfinished);
      const addresses = JSON.stringify(blocks.map(({ node }) => node)).match(/"href":"[^"]*"/g) ?? [];
      assert.ok(!addresses.some((address) => /hunter/i.test(address)), parts.join(''));
    }),
  );
});
