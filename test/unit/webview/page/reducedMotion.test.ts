import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { snapshot, turn } from './samples.ts';

after(closeBrowser);

test('has no animation when reduced motion is preferred', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  await panel.page.emulateMedia({ reducedMotion: 'reduce' });
  await panel.send(snapshot([turn({ state: 'waiting' })]));
  const running = await panel.page.evaluate(() => document.getAnimations().length);
  assert.equal(running, 0);
  await panel.close();
});
