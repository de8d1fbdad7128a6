import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot } from '../page/samples.ts';

panelTest('shows what is left beside the token estimate, with its source as tooltip', async (panel) => {
  const note = panel.page.locator('.totals');
  await panel.send(snapshot([]));
  assert.equal(await note.isVisible(), false);
  await panel.send(snapshot([], { balance: { text: '3 \u202e⭐ left', title: '3 \u202e⭐ left · As of now' } }));
  assert.equal(await note.innerText(), '3 \\u{202e}⭐ left');
  assert.equal(await note.getAttribute('title'), '3 \\u{202e}⭐ left · As of now');
  const color = () => note.evaluate((element) => getComputedStyle(element).color);
  const usual = await color();
  await panel.send(snapshot([], { balance: { text: 'Key expired', title: '', isLow: true } }));
  assert.equal(await note.innerText(), 'Key expired');
  assert.notEqual(await color(), usual);
  await panel.send(snapshot([]));
  assert.equal(await note.isVisible(), false);
});
