import assert from 'node:assert/strict';
import { drawnPicture } from '../../drawnPicture.ts';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn, update } from '../page/samples.ts';

const id = '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5';
const [good, damaged, drawing, gone] = [`${id}1.png`, `${id}2.png`, `${id}3.svg`, `${id}4.webp`];

panelTest('shows the pictures of an answer from data of the host, as wide as it is', { width: 320 }, async (panel) => {
  const places = panel.page.locator('.answerPicture');
  const text = `Here:\n\n![A *chart*](picture:${good})\n\nDone.`;
  await panel.begin(snapshot([turn({ id: 'r1', state: 'streaming', text: '' })]));
  await panel.draw({ type: 'delta', replyId: 'r1', text: text.slice(0, 60), reasoning: '' });
  assert.equal(await places.count(), 0, 'half a reference');
  await panel.draw({ type: 'delta', replyId: 'r1', text: text.slice(60), reasoning: '' });
  assert.deepEqual(await panel.nextPosted(), [{ type: 'loadPicture', name: good }]);
  await panel.send(update({ id: 'r1', text }), { type: 'picture', name: good, base64: drawnPicture(900, 300) });
  const image = places.locator('img');
  await image.evaluate((shown: HTMLImageElement) => shown.decode());
  assert.equal(await image.getAttribute('alt'), 'A chart');
  const { width = 0, height = 0 } = (await image.boundingBox()) ?? {};
  assert.ok(width > 200 && width < 320 && Math.abs(width / height - 3) < 0.1, `${width} × ${height}`);
  await panel.page.getByRole('button', { name: 'A chart' }).focus();
  await panel.page.keyboard.press('Enter');
  await places.getByRole('button', { name: 'Save As…' }).click();
  assert.deepEqual(await panel.posted(), [
    { type: 'usePicture', name: good, isSaved: false },
    { type: 'usePicture', name: good, isSaved: true },
  ]);
  assert.deepEqual(panel.requests, []);
});

panelTest('says in a line which pictures can’t be shown, and saves those that have data', async (panel) => {
  const names = [damaged, drawing, gone];
  const remote = '![](https://pictures.example/a.png) ![](picture:../../secret.png)';
  await panel.draw(
    snapshot([turn({ text: `${names.map((name) => `![](picture:${name})`).join('\n\n')}\n\n${remote}` })]),
  );
  await panel.nextPosted();
  await panel.send(
    { type: 'picture', name: damaged, base64: 'iVBORw0KGgo=' },
    { type: 'picture', name: drawing, base64: 'PHN2Zy8+' },
    { type: 'picture', name: gone },
  );
  const places = panel.page.locator('.answerPicture');
  await places.first().getByText("can't be shown").waitFor();
  assert.deepEqual(await places.allInnerTexts(), [
    "This picture can't be shown.\nSave As…",
    "This picture can't be shown.\nSave As…",
    'This picture is no longer available.',
  ]);
  assert.equal(await panel.page.locator('.markdown img').count(), 0);
  assert.equal(await panel.page.locator('.markdown a[href]').innerText(), 'https://pictures.example/a.png');
  assert.deepEqual(panel.requests, []);
});
