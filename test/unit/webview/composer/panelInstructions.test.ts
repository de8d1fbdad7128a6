import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot } from '../page/samples.ts';

const systemPrompt = { label: 'System prompt', detail: 'work · 12 tok', hint: 'Be brief.\n\nIn \u202eFrench.' };
const offers = [{ id: 'file:///AGENTS.md', label: 'AGENTS.md', hint: 'Sent only if you include them.' }];

panelTest('shows which system prompt is sent with its text as the tooltip, and opens it', {}, async (panel) => {
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

panelTest('includes an offered file only when it is chosen, and keeps the focus in the composer', {}, async (panel) => {
  const { page } = panel;
  await panel.send(snapshot([], { offers }));
  await page.getByLabel('Question', { exact: true }).fill('Why?');
  await panel.posted();
  const offer = page.getByRole('button', { name: 'Include AGENTS.md' });
  assert.equal(await offer.getAttribute('title'), 'AGENTS.md · Sent only if you include them.');
  await offer.focus();
  await page.keyboard.press('Enter');
  const posted = (await panel.posted()).filter(({ type }) => type !== 'draft');
  assert.deepEqual(posted, [{ type: 'addOffered', id: 'file:///AGENTS.md' }]);
  const chips = [{ id: 'c', kind: 'instructions' as const, label: 'AGENTS.md', detail: '12 tok' }];
  await panel.send({ type: 'composer', composer: { chips, tokens: 12, draft: '' } });
  assert.equal(await offer.count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  await page.getByRole('button', { name: 'Remove AGENTS.md' }).click();
  assert.deepEqual(await panel.posted(), [{ type: 'removeChip', id: 'c' }]);
});
