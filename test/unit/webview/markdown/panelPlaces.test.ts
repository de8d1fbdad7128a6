import assert from 'node:assert/strict';
import type { PanelMessage } from '../../../../src/protocol/protocol.ts';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const only = <T extends PanelMessage['type']>(all: readonly PanelMessage[], type: T) =>
  all.filter((each): each is Extract<PanelMessage, { type: T }> => each.type === type);

panelTest('asks once which places are files, and makes links of those', async (panel) => {
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
  await panel.draw(snapshot([turn({ id: 'r1', text })]));
  await panel.page.waitForTimeout(200);
  const asked = only(await panel.posted(), 'findPlaces').flatMap(({ paths }) => paths);
  assert.deepEqual(asked.toSorted(), ['src/a.ts', 'src/gone.ts', 'src/my b.ts']);
  const links = panel.page.locator('.markdown a[title^="Open "]');
  assert.equal(await links.count(), 0);
  await panel.send({ type: 'places', paths: asked, found: ['src/a.ts', 'src/my b.ts'] });
  const next = turn({ id: 'r2', text: 'Neither src/a.ts:9 nor src/gone.ts.' });
  await panel.draw({ type: 'turn', turn: next });
  await panel.page.waitForTimeout(200);
  assert.deepEqual(only(await panel.posted(), 'findPlaces'), []);
  assert.deepEqual(await links.allInnerTexts(), [
    'src/a.ts:12',
    'the rest (src/my%20b.ts#L3)',
    'src/a.ts:14',
    'src/a.ts',
    'src/a.ts:9',
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

panelTest('looks for a symbol only when inline code that is a name is clicked', async (panel) => {
  await panel.begin(snapshot([turn({ text: 'Call `total()` of `Cart.lines`, not `a + b`.\n\n```\nother\n```' })]));
  for (const code of await panel.page.locator('.markdown code').all()) {
    await code.click();
  }
  assert.deepEqual(
    only(await panel.posted(), 'openSymbol').map(({ name }) => name),
    ['total', 'Cart.lines'],
  );
});

panelTest('makes a link of a finding only if it quotes a changed line, to where that line is', async (panel) => {
  const text = [
    '- src/a.ts:12: error: halves the wrong one: `return total / 2`',
    '- `src/a.ts:20`: Warning: no quote',
    '- src/a.ts:30: note: invented, `x`',
    '- src/a.ts:40: see there, `x`',
  ].join('\n');
  await panel.draw(snapshot([turn({ text })]));
  await panel.page.waitForTimeout(200);
  const finding = { type: 'checkFinding', path: 'src/a.ts' } as const;
  const posted = await panel.posted();
  assert.deepEqual(only(posted, 'checkFinding'), [
    { ...finding, index: 0, line: 12, quote: 'return total / 2' },
    { ...finding, index: 1, line: 20, quote: '' },
    { ...finding, index: 2, line: 30, quote: 'x' },
  ]);
  await panel.send({ type: 'finding', index: 0, line: 15 });
  await panel.send({ type: 'finding', index: 1 });
  await panel.send({ type: 'finding', index: 2 });
  await panel.draw({ type: 'places', paths: ['src/a.ts'], found: ['src/a.ts'] });
  const links = panel.page.locator('.markdown a[title^="Open "]');
  assert.deepEqual(await links.allInnerTexts(), ['src/a.ts:12', 'src/a.ts:40']);
  assert.equal(await links.first().getAttribute('title'), 'Open src/a.ts, Line 15');
});
