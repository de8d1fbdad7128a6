import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import type { OfferedModel } from '../../../../src/core/languageModel/offeredModels.ts';
import { plainLabel, plainMarkdown, plainMessage } from '../../../../src/editor/ui/plainText.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(import.meta, 'data:text/javascript,export const env = {};');
const { plainOffer } = await import('../../../../src/editor/languageModels/languageModels.ts');

/** The patterns that VS Code 1.139 uses to find links and icons. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

test('escapes icons and links in a text', () => {
  assert.equal(plainLabel('a $(trash) b'), 'a $\u200b(trash) b');
  assert.equal(plainMessage('[Undo](command:workbench.action.quit)'), '[Undo]\u200b(command:workbench.action.quit)');
  assert.equal(plainMessage('f(a)[0] (b) <https://a.b> [x][1]'), 'f(a)[0] (b) <https://a.b> [x][1]');
  assert.equal(plainMessage('f(a)[0](b)').replaceAll('\u200b', ''), 'f(a)[0](b)');
});

test('leaves no link and no icon in any text, and does not change the rest', () => {
  const pieces = [
    '[',
    ']',
    '(',
    ')',
    '$(',
    'x',
    ' ',
    '"t"',
    '\u200B',
    '\u2060',
    '\u202E',
    '\n',
    'command:a.b',
    'COMMAND:a?%5B1%5D',
    'file:///etc',
    'https://a.b',
    'trash)',
    'sync~spin)',
  ];
  const words = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 24 });
  fc.assert(
    fc.property(words, (all) => {
      const text = all.join('');
      const shown = plainMessage(text);
      // VS Code replaces line breaks with spaces before it finds links.
      assert.doesNotMatch(shown.replace(/\r\n|\n|\r/g, ' '), link);
      assert.doesNotMatch(shown, icon);
      assert.doesNotMatch(plainLabel(text), icon);
      assert.equal(plainMessage(shown), shown, 'escaping twice changes nothing');
      const ordinary = text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '');
      assert.equal(plainMessage(ordinary).replaceAll('\u200b', ''), ordinary);
    }),
  );
});

test('leaves no link in the Markdown that VS Code renders for an offered model', () => {
  const markdown = new MarkdownIt({ linkify: true });
  const hostile = [
    '[Free](command:workbench.action.quit)',
    '<command:workbench.action.quit>',
    '![x](https://evil.test/1.png)',
    '[x][1] [1]: command:a',
    'https://evil.test HTTP://evil.test www.evil.test',
    '&#91;x&#93;(command:a) \\[x](command:a) `](command:a)',
  ];
  for (const text of hostile) {
    assert.doesNotMatch(markdown.render(plainMarkdown(text)), /<(?:a|img) /, text);
  }
  const offer = (id: string, name: string) =>
    ({ id, name, detail: '$(x)', tooltip: `${id} at a.test` }) as OfferedModel;
  const offered = plainOffer([
    offer('a/b@2024', '[Free](command:a)'),
    ...['[x](command:a)', '<command:a>', 'a\n[b]: command:a'].map((id) => offer(id, id)),
    offer('[beta]gpt-5', 'GPT-5'),
  ]);
  assert.deepEqual(offered, [
    { id: 'a/b@2024', name: '[Free]\u200b(command:a)', detail: '$\u200b(x)', tooltip: 'a/b@2024 at a.test' },
    { id: '[beta]gpt-5', name: 'GPT-5', detail: '$\u200b(x)', tooltip: '[beta]gpt-5 at a.test' },
  ]);
});
