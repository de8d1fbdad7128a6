import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn, update } from '../page/samples.ts';

const text = '```ts src/a.ts\na\n```\n\n```sh\nnpm test\n```\n\n```diff\n--- a/b.ts\n+++ b/b.ts\n@@ @@\n-b\n```';
const blocks = [
  { block: 0, fence: 'ts src/a.ts', text: 'a' },
  { block: 1, fence: 'sh', text: 'npm test' },
  { block: 2, fence: 'diff', text: '--- a/b.ts\n+++ b/b.ts\n@@ @@\n-b' },
];
const named = [
  { block: 0, files: [{ path: 'src/a.ts', isNew: true }] },
  { block: 2, files: [{ path: 'b.ts', isNew: false }] },
];

panelTest('lists the files of an answer below it, and applies, accepts or discards each or all', async (panel) => {
  const list = panel.page.getByRole('region', { name: 'Files in This Answer' });
  const button = (name: string) => list.getByRole('button', { name, exact: true });
  const sources = [{ url: 'https://docs.example.org/limits' }];
  await panel.send(
    snapshot([turn({ id: 'r1', state: 'streaming', text: '' }), turn({ id: 'r2', text: '```ts a.ts\na\n```' })]),
  );
  await panel.draw({ type: 'delta', replyId: 'r1', text, reasoning: '' });
  assert.deepEqual(await panel.posted('findFiles'), []);
  await panel.draw(update({ id: 'r1', text, sources }));
  const asked = await panel.posted('findFiles');
  assert.deepEqual(asked, [{ type: 'findFiles', replyId: 'r1', blocks }]);
  await panel.send({ type: 'files', replyId: 'r1', blocks: named });
  assert.deepEqual(await list.locator('li .names').allInnerTexts(), ['src/a.ts\nnew file', 'b.ts']);
  assert.equal(await list.evaluate((section) => section.nextElementSibling?.className), 'sources');
  await button('Apply to b.ts…').click();
  await button('Apply All…').focus();
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [
    { type: 'applyFiles', replyId: 'r1', blocks: [blocks[2]] },
    { type: 'applyFiles', replyId: 'r1', blocks: [blocks[0], blocks[2]] },
  ]);
  assert.equal(await button('Accept All').isVisible(), false);
  await panel.send({ type: 'openChanges', blocks: [{ replyId: 'r1', block: 2 }] });
  await button('Accept All').click();
  await button('Discard All').click();
  assert.deepEqual(await panel.posted(), [
    { type: 'decide', replyId: 'r1', accepts: true },
    { type: 'decide', replyId: 'r1', accepts: false },
  ]);
  await panel.send({ type: 'openChanges', blocks: [] });
  assert.equal(await button('Apply All…').isVisible(), true);
  assert.deepEqual(await panel.posted(), asked, 'a file that was new may exist by now');
});

panelTest('lists no files where fewer than two blocks name any', async (panel) => {
  await panel.draw(snapshot([turn({ id: 'r1', text })]));
  await panel.draw({ type: 'files', replyId: 'r1', blocks: [] });
  assert.equal(await panel.page.locator('.files').count(), 0);
});
