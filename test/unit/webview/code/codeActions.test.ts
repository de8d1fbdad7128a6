import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, openPanel, type PanelPage, panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const options = { skip: !hasBrowser };
const names = ['Copy Code', 'Insert at Cursor', 'Apply…', 'More Actions'];
const moreNames = ['Replace Selection', 'New File', 'Wrap Lines'];

/** Shows all buttons of a block. */
const showMore = (block: Locator) => block.getByRole('button', { name: 'More Actions' }).click();
const selection = {
  id: 'k1',
  kind: 'selection' as const,
  label: 'src/cart/discount.ts',
  detail: '12–34',
};
const blocks =
  '```ts\nconst a = 1;\n```\n\nThen:\n\n- run\n  ```sh\n  npm test\n  ```\n\n```py lib/tax.py\nx = 1\n```\n';

panelTest('posts each code action with its reply, block index, fence and text', async (panel) => {
  await panel.begin(snapshot([turn({ id: 'r0', text: blocks }), turn({ id: 'r1', text: blocks })]));
  const second = panel.page.locator('.turn').nth(1).locator('.codeBlock');
  for (const index of [1, 2]) {
    await showMore(second.nth(index));
  }
  for (const [index, name] of [
    [0, 'Apply…'],
    [1, 'New File'],
    [2, 'Replace Selection'],
    [1, 'Insert at Cursor'],
  ] as const) {
    await second.nth(index).getByRole('button', { name, exact: true }).click();
  }
  assert.deepEqual(await panel.posted(), [
    { type: 'useCode', action: 'apply', replyId: 'r1', block: 0, fence: 'ts', text: 'const a = 1;' },
    { type: 'useCode', action: 'newFile', replyId: 'r1', block: 1, fence: 'sh', text: 'npm test' },
    { type: 'useCode', action: 'replace', replyId: 'r1', block: 2, fence: 'py lib/tax.py', text: 'x = 1' },
    { type: 'useCode', action: 'insert', replyId: 'r1', block: 1, fence: 'sh', text: 'npm test' },
  ]);
});

panelTest('shows the language, and only the file that the fence itself names', async (panel) => {
  const others = '```zig\n1\n```\n\n```\n1\n```\n\n```ts\n// src/cart/tax.ts\n1\n```';
  const inBraces = '```{r, echo=FALSE}\n1\n```\n\n```{.python #main}\n1\n```\n\n```{1,3}\n1\n```';
  await panel.draw(snapshot([turn({ text: `${blocks}\n\n${others}\n\n${inBraces}` }, { chips: [selection] })]));
  assert.deepEqual(await panel.page.locator('.language').allTextContents(), [
    'TypeScript',
    'Bash',
    'Python · lib/tax.py',
    'zig',
    'Text',
    'TypeScript',
    'R',
    'Python',
    'Text',
  ]);
});

panelTest('shows the buttons of a block when it is hovered or has the focus', async (panel) => {
  await panel.draw(snapshot([turn({ text: blocks })]));
  const block = panel.page.locator('.codeBlock').first();
  const opacity = () => block.locator('.actions').evaluate((bar) => getComputedStyle(bar).opacity);
  assert.equal(await opacity(), '0');
  await block.hover();
  assert.equal(await opacity(), '1');
  await panel.page.mouse.move(0, 0);
  assert.equal(await opacity(), '0');
  await block.locator('pre').focus();
  assert.equal(await opacity(), '1');
  const shown = () =>
    block.getByRole('button').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  assert.deepEqual(await shown(), names);
  await showMore(block);
  assert.deepEqual(await shown(), [...names, ...moreNames]);
  assert.equal(await block.locator('.more').getAttribute('aria-expanded'), 'true');
  assert.ok(
    (await block.getByRole('button').evaluateAll((all) => all.map((each) => each.getAttribute('title')))).every(
      Boolean,
    ),
  );
});

panelTest('makes the buttons of a block one tab stop; arrow keys, Home and End move through them', async (panel) => {
  await panel.begin(snapshot([turn({ text: blocks })]));
  const focused = () => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const keys = panel.page.keyboard;
  await panel.page.getByRole('button', { name: 'Copy Code' }).first().focus();
  const reached: unknown[] = [];
  for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home', 'ArrowRight', 'ArrowRight']) {
    await keys.press(key);
    reached.push(await focused());
  }
  assert.deepEqual(reached, [
    'Insert at Cursor',
    'More Actions',
    'Copy Code',
    'More Actions',
    'Copy Code',
    'Insert at Cursor',
    'Apply…',
  ]);
  await keys.press('Enter');
  assert.deepEqual(
    (await panel.posted()).map((message) => message.type === 'useCode' && message.action),
    ['apply'],
  );
  await keys.press('Tab');
  assert.equal(await focused(), 'Code, TypeScript');
  await keys.press('Shift+Tab');
  assert.equal(await focused(), 'Apply…');
});

panelTest('wraps long lines in every block, and saves the setting with the panel', { width: 320 }, async (panel) => {
  const long = `\`\`\`js\n${'call(argument); '.repeat(40)}\n\`\`\`\n`;
  await panel.draw(snapshot([turn({ text: long + long })]));
  const overflows = () =>
    panel.page.locator('pre').evaluateAll((all) => all.map((pre) => pre.scrollWidth > pre.clientWidth + 1));
  const wraps = panel.page.getByRole('button', { name: 'Wrap Lines' });
  assert.deepEqual(await overflows(), [true, true]);
  for (const index of [0, 1]) {
    await showMore(panel.page.locator('.codeBlock').nth(index));
  }
  await wraps.first().click();
  assert.deepEqual(await overflows(), [false, false]);
  assert.deepEqual(await wraps.evaluateAll((all) => all.map((each) => each.getAttribute('aria-pressed'))), [
    'true',
    'true',
  ]);
  assert.deepEqual(await panel.page.evaluate('acquireVsCodeApi().getState()'), {
    conversation: 'c1',
    wrapsCode: true,
  });
  await wraps.last().click();
  assert.deepEqual(await overflows(), [true, true]);
});

test('saves which conversation it shows as soon as there is anything to lose', options, async () => {
  const stateOf = (panel: PanelPage) => panel.page.evaluate('acquireVsCodeApi().getState()');
  const uses: ((panel: PanelPage) => Promise<void>)[] = [
    (panel) => panel.send(snapshot([turn({ text: 'An answer' })])),
    (panel) => panel.send({ type: 'turn', turn: turn({ text: 'An answer' }) }),
    (panel) => panel.page.getByRole('textbox').fill('A question'),
  ];
  for (const use of uses) {
    const panel = await openPanel();
    await panel.draw(snapshot([]));
    assert.equal(await stateOf(panel), undefined);
    await use(panel);
    await panel.settle();
    assert.deepEqual(await stateOf(panel), { conversation: 'c1' });
    await panel.close();
  }
});

panelTest('starts with the saved line wrapping', { state: { conversation: 'c1', wrapsCode: true } }, async (panel) => {
  await panel.draw(snapshot([turn({ text: blocks })]));
  await showMore(panel.page.locator('.codeBlock').first());
  const wrap = panel.page.getByRole('button', { name: 'Wrap Lines' }).first();
  assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
  assert.equal(
    await panel.page
      .locator('pre')
      .first()
      .evaluate((pre) => getComputedStyle(pre).whiteSpace),
    'pre-wrap',
  );
});

panelTest('offers to accept or discard the changes of a block while they are open', async (panel) => {
  const open = {
    type: 'openChanges',
    blocks: [
      { replyId: 'r1', block: 1 },
      { replyId: 'other', block: 0 },
    ],
  } as const;
  await panel.begin(snapshot([turn({ id: 'r0', text: blocks }), turn({ id: 'r1', text: blocks })]), open);
  const changes = panel.page.locator('.change');
  assert.equal(await changes.count(), 1);
  const block = panel.page.locator('.turn').nth(1).locator('.codeBlock').nth(1);
  await block.getByRole('button', { name: 'Copy Code' }).focus();
  for (const name of ['Accept', 'Discard']) {
    await panel.page.keyboard.press('Tab');
    assert.equal(await panel.page.evaluate(() => document.activeElement?.textContent), name);
    await panel.page.keyboard.press('Enter');
  }
  assert.deepEqual(await panel.posted(), [
    { type: 'decide', replyId: 'r1', block: 1, accepts: true },
    { type: 'decide', replyId: 'r1', block: 1, accepts: false },
  ]);
  await panel.send({ ...open, blocks: [{ replyId: 'r0', block: 0 }] });
  assert.equal(await block.locator('.change').count(), 0);
  assert.equal(await panel.page.locator('.turn').first().locator('.codeBlock').first().locator('.change').count(), 1);
  await panel.send({ ...open, blocks: [] });
  assert.equal(await changes.count(), 0);
});
