import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot } from '../page/samples.ts';

panelTest('shows on a button which parameters are sent and where they are set, and edits them', async (panel) => {
  const { page } = panel;
  await panel.send(snapshot([]));
  const button = page.locator('.parametersButton');
  assert.equal(await button.getAttribute('aria-label'), 'Parameters');
  assert.equal(await button.innerText(), '');
  const parameters = { label: 'effort: high · top_\u202ep', hint: 'effort: high · this conversation' };
  await panel.send(snapshot([], { parameters }));
  assert.equal(await button.getAttribute('aria-label'), 'Parameters: effort: high · top_\\u{202e}p');
  assert.equal(await button.innerText(), 'effort: high · top_\\u{202e}p');
  assert.equal(await button.getAttribute('title'), 'Parameters\neffort: high · this conversation');
  await panel.posted();
  await button.click();
  assert.deepEqual(await panel.posted(), [{ type: 'editParameters' }]);
});
