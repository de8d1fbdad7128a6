import assert from 'node:assert/strict';
import type { PanelMessage } from '../../../../src/protocol/protocol.ts';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const only = <T extends PanelMessage['type']>(all: readonly PanelMessage[], type: T) =>
  all.filter((each): each is Extract<PanelMessage, { type: T }> => each.type === type);

panelTest('asks once which places are files, and makes links of those', {}, async (panel) => {
  await panel.send(snapshot([turn({ id: 'r1', state: 'streaming', text: '' })]));
  const text = [
    'See src/a.ts:12 and src/gone.ts, and [the rest](src/my%20b.ts#L3).',
    'Again src/a.ts:14, `src/a.ts`, at 10:30.[^1]',
    '[^1]: 3',
    '```ts\nimport "src/code.ts"\n```',
  ].join('\n\n');
  for (const piece of text.match(/.{1,5}/gs) ?? []) {
    await panel.send({ type: 'delta', replyId: 'r1', text: piece, reasoning: '' });
  }
  await panel.send(snapshot([turn({ id: 'r1', text })]));
  await panel.settle();
  await panel.page.waitForTimeout(200);
  const asked = only(await panel.posted(), 'findPlaces').flatMap(({ paths }) => paths);
  assert.deepEqual(asked.toSorted(), ['src/a.ts', 'src/gone.ts', 'src/my b.ts']);
  const links = panel.page.locator('.markdown a[title^="Open "]');
  assert.equal(await links.count(), 0);
  await panel.send({ type: 'places', paths: asked, found: ['src/a.ts', 'src/my b.ts'] });
  await panel.settle();
  assert.deepEqual(await links.allInnerTexts(), [
    'src/a.ts:12',
    'the rest (src/my%20b.ts#L3)',
    'src/a.ts:14',
    'src/a.ts',
  ]);
  assert.equal(await links.first().getAttribute('title'), 'Open src/a.ts, Line 12');
  await links.nth(1).focus();
  await panel.page.keyboard.press('Enter');
  await links.first().click({ modifiers: ['Control'] });
  assert.deepEqual(only(await panel.posted(), 'openPlace'), [
    { type: 'openPlace', path: 'src/my b.ts', line: 3, isBeside: false },
    { type: 'openPlace', path: 'src/a.ts', line: 12, isBeside: true },
  ]);
});

panelTest('looks for a symbol only when inline code that is a name is clicked', {}, async (panel) => {
  await panel.send(snapshot([turn({ text: 'Call `total()` of `Cart.lines`, not `a + b`.\n\n```\nother\n```' })]));
  await panel.settle();
  await panel.posted();
  for (const code of await panel.page.locator('.markdown code').all()) {
    await code.click();
  }
  assert.deepEqual(
    only(await panel.posted(), 'openSymbol').map(({ name }) => name),
    ['total', 'Cart.lines'],
  );
});
