import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { conversation, snapshot, turn } from '../page/samples.ts';

panelTest('each block has the direction of its own first letter', {}, async (panel) => {
  const text =
    'one\n\n\u05E9\u05DC\u05D5\u05DD\n\n- \u05D0\n- b\n\n1. c\n\n> \u05D1\n\n| \u05D2 |\n|---|\n\n# d\n\n```\n\u05D3\n```';
  await panel.send(snapshot([turn({ text })]));
  await panel.settle();
  const directions = await panel.page
    .locator('.reply .part > *')
    .evaluateAll((all) => all.map((one) => `${one.localName} ${getComputedStyle(one).direction}`));
  assert.deepEqual(directions, [
    'p ltr',
    'p rtl',
    'ul rtl',
    'ol ltr',
    'blockquote rtl',
    'div rtl',
    'h1 ltr',
    'div ltr',
  ]);
});

panelTest('half-finished Markdown looks finished while it streams', {}, async (panel) => {
  const cases: [string, string][] = [
    ['This is **Bo', '<p>This is <strong>Bo</strong></p>'],
    ['This is **', '<p>This is</p>'],
    ['This is **bo', '<p>This is</p>'],
    ['This is **bold*', '<p>This is</p>'],
    ['Call `fo', '<p>Call <code>fo</code></p>'],
    ['See [docs](https://exa', '<p>See docs</p>'],
    ['Text\n-', '<p>Text</p>'],
    ['Text\n==', '<p>Text</p>'],
    ['Text\n\n| a | b', '<p>Text</p>'],
    ['Text\n\n| a | b |\n|--', '<p>Text</p>'],
    ['Text\n\n``', '<p>Text</p>'],
    ['Text\n\n```t', '<p>Text</p>'],
    ['~~old', '<p><s>old</s></p>'],
    ['snake_case_na', '<p>snake_case_na</p>'],
  ];
  await panel.send(snapshot(cases.map((_, index) => turn({ id: `r${index}`, state: 'waiting' }))));
  await panel.send(
    ...cases.map(([text], index) => ({ type: 'delta' as const, replyId: `r${index}`, text, reasoning: '' })),
  );
  await panel.settle();
  const shown = await panel.page.locator('.reply .part').evaluateAll((all) => all.map((one) => one.innerHTML));
  assert.deepEqual(
    shown.map((html) => html.replace(' dir="auto"', '').replace(/ <\/p>/, '</p>')),
    cases.map(([, html]) => html),
  );
});

panelTest('keeps the lines of code that is selected and copied', {}, async (panel) => {
  const code = Array.from({ length: 129 }, (_, line) => (line % 10 === 9 ? '' : `line ${line};`)).join('\n');
  await panel.send(snapshot([turn({ text: `\`\`\`js\n${code}\n\`\`\`` })]));
  await panel.settle();
  const selected = await panel.page.evaluate(() => {
    const pre = document.querySelector('pre');
    if (pre !== null) {
      getSelection()?.selectAllChildren(pre);
    }
    return getSelection()?.toString();
  });
  assert.equal(selected?.trimEnd(), code);
  await panel.page.getByRole('button', { name: 'Copy Code' }).click();
  await panel.page.getByRole('button', { name: 'Insert at Cursor' }).click();
  const posted = (await panel.posted()).filter(({ type }) => type === 'copy' || type === 'useCode');
  assert.deepEqual(posted, [
    { type: 'copy', text: code },
    { type: 'useCode', action: 'insert', replyId: 'r1', block: 0, fence: 'js', text: code },
  ]);
});

panelTest('a new snapshot keeps unchanged turns and replaces the others', {}, async (panel) => {
  await panel.send(conversation());
  await panel.settle();
  const first = await panel.page.locator('.turn').first().elementHandle();
  await panel.page.locator('summary').first().click();
  await panel.send(conversation());
  await panel.settle();
  assert.equal(await first?.evaluate((one) => one.isConnected), true);
  assert.equal(await panel.page.locator('details').first().getAttribute('open'), '');
  await panel.send(snapshot([turn({ id: 'r9', text: 'Other' })]));
  await panel.settle();
  assert.equal(await panel.page.locator('.turn').count(), 1);
});
