import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { snapshot, turn } from './samples.ts';

after(closeBrowser);

// The package that markdown-it decodes references with outside the panel.
const { encodeHTML, decodeHTMLStrict } = createRequire(createRequire(import.meta.url).resolve('markdown-it'))(
  'entities',
);

test('decodes references to characters as markdown-it does elsewhere', { skip: !hasBrowser }, async () => {
  const named = Array.from({ length: 0x2_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code): string => encodeHTML(String.fromCodePoint(code)))
    .filter((reference) => /^&[A-Za-z]\w+;$/.test(reference));
  assert.ok(named.length > 1_400);
  const all = [...named, '&semi;', '&notit;', '&copy', '&nosuch;', '&amp;lt;', '&AMP;', '&fjlig;', '&bne;'];
  const panel = await openPanel();
  await panel.send(snapshot([turn({ text: all.map((reference) => `x${reference}y`).join('\n\n') })]));
  await panel.settle();
  const shown = await panel.page
    .locator('.markdown p')
    .evaluateAll((each) => each.map(({ textContent }) => textContent));
  const expected = all.map((reference) => `x${decodeHTMLStrict(reference)}y`);
  assert.deepEqual(shown, expected);
  await panel.close();
});
