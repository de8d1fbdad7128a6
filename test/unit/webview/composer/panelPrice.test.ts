import assert from 'node:assert/strict';
import { costRange, rangeText, totalText } from '../../../../src/core/base/costRange.ts';
import { estimateTokens } from '../../../../src/core/base/estimateTokens.ts';
import type { ComposerView } from '../../../../src/protocol/protocol.ts';
import { panelTest } from '../page/panelPage.ts';
import { snapshot } from '../page/samples.ts';

const price: NonNullable<ComposerView['price']> = {
  unit: 'USD',
  inputPrice: 3e-6,
  cachedPrice: 3e-7,
  writePrice: 3e-6,
  outputPrice: 15e-6,
  requestPrice: 0,
  answer: { low: 200, high: 600 },
  factor: 1,
  cached: 0,
  hint: 'Prices: model list',
};

panelTest('shows what the question may cost while it is typed, and how that is estimated', async (panel) => {
  const estimate = panel.page.locator('.estimate');
  const texts = () => estimate.locator('span').allTextContents();
  await panel.send(snapshot([], { tokens: 1_000, price }));
  const cost = (tokens: number) => rangeText(costRange(price, tokens));
  assert.deepEqual((await texts()).at(-1), cost(1_000));
  assert.equal(cost(1_000), '$0.0056–$0.013');
  const draft = 'word '.repeat(20_000);
  await panel.box.fill(draft);
  assert.equal((await texts()).at(-1), cost(1_000 + estimateTokens(draft)));
  assert.equal(
    await estimate.locator('span').last().getAttribute('title'),
    `${cost(1_000 + estimateTokens(draft))}\nPrices: model list`,
  );
  const { high: _, ...unbounded } = price.answer;
  await panel.send(snapshot([], { tokens: 1_000, price: { ...price, answer: unbounded } }));
  assert.match((await texts()).at(-1) ?? '', /^from \$0\.0\d+$/);
  const compared = { models: ['m1', 'm2'], prices: [price, price] };
  await panel.send(snapshot([], { tokens: 1_000, compared }));
  const each = costRange(price, 1_000 + estimateTokens(draft));
  assert.deepEqual((await texts()).at(-1), totalText([each, each]), 'of both models together');
  await panel.page.getByText('Makes 2 paid calls: m1 and m2.').waitFor();
  await panel.send(snapshot([], { tokens: 1_000, compared: { ...compared, prices: [price, null] } }));
  assert.match((await texts()).at(-1) ?? '', /^\$0\.0\d+–\$0\.0\d+ \+ unknown$/);
  await panel.send(snapshot([], { tokens: 1_000 }));
  assert.doesNotMatch((await texts()).join(), /\$/);
});

panelTest(
  'has the model and Send in one row beside an editor, with the numbers above',
  { width: 460 },
  async (panel) => {
    const calls = { text: '12 calls, $0.0038 (1 not priced)', hint: '' };
    const window = { size: 400_000, prompt: 300_000 };
    await panel.send(snapshot([], { tokens: 3_589, window, price, calls, model: 'claude-sonnet-4-5-thinking' }));
    await panel.settle();
    const box = async (selector: string) =>
      (await panel.page.locator(`.bar ${selector}`).first().boundingBox()) ?? assert.fail(selector);
    const [model, send, estimate] = [await box('.modelButton'), await box('.send'), await box('.estimate')];
    assert.equal(send.y, model.y);
    assert.ok(estimate.y + estimate.height <= model.y, JSON.stringify([estimate, model]));
    assert.ok(send.y + send.height - estimate.y < 80);
  },
);

panelTest('cuts off the name of a model only where it has no room', { width: 900 }, async (panel) => {
  const cut: string[] = [];
  for (let length = 1; length < 60; length++) {
    const calls = { text: '·'.repeat(length), hint: '' };
    await panel.send(snapshot([], { tokens: 3_415, price, calls, model: 'claude-opus-4-5' }));
    const label = panel.page.locator('.modelButton .label');
    const isCut = await label.evaluate((shown) => shown.scrollWidth > shown.clientWidth);
    cut.push(...(isCut ? [calls.text] : []));
  }
  assert.deepEqual(cut, []);
});

panelTest('cuts the size of a question with an ellipsis in a low panel', { width: 460, height: 380 }, async (panel) => {
  const window = { size: 400_000, prompt: 300_000 };
  await panel.send(snapshot([], { tokens: 328, window, price, model: 'claude-sonnet-4-5-thinking' }));
  const displays = await panel.page
    .locator('.estimate span')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).display));
  assert.deepEqual(new Set(displays), new Set(['inline']), 'a box that is cut has no ellipsis');
});
