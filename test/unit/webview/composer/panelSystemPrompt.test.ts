import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot } from '../page/samples.ts';

const systemPrompt = { label: 'System prompt', detail: 'work · 12 tok', hint: 'Be brief.\n\nIn \u202eFrench.' };

panelTest('shows which system prompt is sent with its text as the tooltip, and opens it', async (panel) => {
  const { page } = panel;
  const button = page.getByRole('button', { name: 'System prompt work · 12 tok' });
  await panel.send(snapshot([]));
  assert.equal(await button.count(), 0);
  await panel.send(snapshot([], { systemPrompt }));
  const title = await page.locator('.systemPrompt').getAttribute('title');
  assert.equal(title, 'System prompt work · 12 tok\n\nBe brief.\n\nIn \\u{202e}French.');
  await panel.posted();
  await button.click();
  assert.deepEqual(await panel.posted(), [{ type: 'editSystemPrompt' }]);
});
