import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const code = (word: string) => `\`\`\`ts\nconst ${word} = "x"; // y\n\`\`\`\n`;

panelTest('colours a block as soon as another one follows, and the last block when its text pauses', async (panel) => {
  await panel.send(snapshot([turn({ id: 'r1', state: 'streaming' })]));
  await panel.send({ type: 'delta', replyId: 'r1', text: code('first') + code('last').slice(0, -5), reasoning: '' });
  const tokens = (block: number) => panel.page.locator('.codeBlock').nth(block).locator('.token').allTextContents();
  await panel.page.locator('.codeBlock').nth(1).locator('.token.comment').waitFor();
  assert.deepEqual(await tokens(0), ['const', '"x"', '// y']);
  assert.deepEqual(await tokens(1), ['const', '"x"', '// y']);
  await panel.send({ type: 'delta', replyId: 'r1', text: '\nlet b = 1', reasoning: '' });
  await panel.page.locator('.codeBlock').nth(1).locator('.token.number').waitFor();
  assert.deepEqual(await tokens(1), ['const', '"x"', '// y', 'let', '1']);
});

panelTest('colours code while text pours in without a pause', async (panel) => {
  await panel.send(snapshot([turn({ id: 'r1', state: 'streaming', text: '```ts\n' })]));
  for (let piece = 0; piece < 30; piece++) {
    await panel.send({ type: 'delta', replyId: 'r1', text: 'const x = 1;\n'.repeat(16), reasoning: '' });
    // The pace of a stream, which does not wait for colours.
    await panel.page.waitForTimeout(50);
  }
  const plain = await panel.page.evaluate(() =>
    [...document.querySelectorAll('.chunk')].map((chunk) => chunk.querySelector('.token') === null),
  );
  assert.equal(plain.length, 15);
  assert.ok(plain.lastIndexOf(false) > 8, `the first ${plain.lastIndexOf(false) + 1} of 15 chunks are coloured`);
});

panelTest('leaves what has its colours in place while the block grows, and what is selected', async (panel) => {
  await panel.draw(
    snapshot([turn({ id: 'r1', state: 'streaming', text: `\`\`\`ts\n${'const x = 1;\n'.repeat(40)}` })]),
  );
  const first = await panel.page.locator('.token.number').first().elementHandle();
  const last = panel.page.locator('.token.number').last();
  await last.evaluate((token) => getSelection()?.selectAllChildren(token));
  await panel.send({ type: 'delta', replyId: 'r1', text: 'const x = "y";\n', reasoning: '' });
  await panel.page.locator('.token.string').waitFor();
  assert.ok(await first?.evaluate((token) => token.isConnected));
  assert.equal(await panel.page.evaluate('String(getSelection())'), '1');
  assert.equal(await panel.page.locator('.token.number').count(), 40);
});

panelTest('colours thousands of lines without waiting for more text after each chunk', async (panel) => {
  await panel.send(snapshot([turn({ text: `\`\`\`ts\n${'const x = 1;\n'.repeat(20_000)}\`\`\`` })]));
  await panel.page.waitForFunction(
    () => document.querySelector('.stretch:last-child .chunk:last-child .token') !== null,
    undefined,
    { timeout: 30_000 },
  );
  assert.equal(await panel.page.locator('.chunk:not(:has(.token))').count(), 0);
});

panelTest('shows code without colours when highlighting takes too long, and colours the next block', async (panel) => {
  await panel.page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, request: { code: string }) {
      if (!request.code.includes('endless')) {
        postMessage.call(this, request);
      }
    };
  });
  await panel.send(snapshot([turn({ text: code('endless') + code('next') })]));
  await panel.page.locator('.codeBlock').nth(1).locator('.token.keyword').waitFor({ timeout: 10_000 });
  const first = panel.page.locator('.codeBlock').first();
  assert.equal(await first.locator('.token').count(), 0);
  assert.equal(await first.locator('code').textContent(), 'const endless = "x"; // y\n');
});

for (const [how, script] of [
  ['is refused', `window.Worker = class { constructor() { throw new DOMException('no'); } };`],
  [
    'fails at once',
    `window.Worker = class extends EventTarget {
    postMessage() { setTimeout(() => this.dispatchEvent(new Event('error'))); }
    terminate() {}
  };`,
  ],
] as const) {
  panelTest(`shows code without colours when the worker ${how}`, { script }, async (panel) => {
    await panel.draw(snapshot([turn({ text: code('a') + code('b') })]));
    assert.deepEqual(await panel.page.locator('.codeBlock code').allTextContents(), [
      'const a = "x"; // y\n',
      'const b = "x"; // y\n',
    ]);
    assert.equal(await panel.page.locator('.token').count(), 0);
  });
}
