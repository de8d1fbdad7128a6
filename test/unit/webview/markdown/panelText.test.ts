import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { conversation, snapshot, turn } from '../page/samples.ts';

panelTest('each block has the direction of its own first letter', async (panel) => {
  const text =
    'one\n\n\u05E9\u05DC\u05D5\u05DD\n\n- \u05D0\n- b\n\n1. c\n\n> \u05D1\n\n| \u05D2 |\n|---|\n\n# d\n\n```\n\u05D3\n```';
  await panel.draw(snapshot([turn({ text })]));
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

panelTest(
  'code and formulas do not decide the direction of the text around them (NousResearch/hermes-agent#44596, milind-soni/OpenMausBot#994)',
  async (panel) => {
    const hebrew = '\u05E9\u05DC\u05D5\u05DD';
    const text = `\`npm i -g x\` ${hebrew}\n\n- \`a.b()\` ${hebrew}\n\n$x^2$ ${hebrew}\n\n\`code\` alone`;
    await panel.draw(snapshot([turn({ text })]));
    const blocks = panel.page.locator('.reply .part > *');
    assert.deepEqual(await blocks.evaluateAll((all) => all.map((one) => getComputedStyle(one).direction)), [
      ...['rtl', 'rtl', 'rtl', 'ltr'],
    ]);
    const [code, word] = await blocks.first().evaluate((one) =>
      [one.firstChild, one.lastChild].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node ?? one);
        return range.getBoundingClientRect().left;
      }),
    );
    assert.ok(Number(code) > Number(word), 'the code is to the right of the word after it');
  },
);

panelTest('each line of an answer is a line, as in VS Code\u2019s Chat (microsoft/vscode#268546)', async (panel) => {
  const text = '**Time:** O(n)\n**Space:** O(1)\n\n- a\n  b<br>\n  c\n\n> d\ne\n\n1. f  \n   g';
  await panel.draw(snapshot([turn({ text })]));
  const lines = await panel.page
    .locator('.reply .part > *')
    .evaluateAll((all) => all.map((one) => (one instanceof HTMLElement ? one.innerText : '')));
  assert.deepEqual(lines, ['Time: O(n)\nSpace: O(1)', 'a\nb\nc', 'd\ne', 'f\ng']);
});

panelTest('keeps the lines of code that is selected and copied', async (panel) => {
  const code = Array.from({ length: 129 }, (_, line) => (line % 10 === 9 ? '' : `line ${line};`)).join('\n');
  await panel.draw(snapshot([turn({ text: `\`\`\`js\n${code}\n\`\`\`` })]));
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
  const posted = await panel.posted('copy', 'useCode');
  assert.deepEqual(posted, [
    { type: 'copy', text: code },
    { type: 'useCode', action: 'insert', replyId: 'r1', block: 0, fence: 'js', text: code },
  ]);
});

panelTest('a new snapshot keeps unchanged turns and replaces the others', async (panel) => {
  await panel.draw(conversation());
  const first = await panel.page.locator('.turn').first().elementHandle();
  await panel.page.locator('summary').first().click();
  await panel.draw(conversation());
  assert.equal(await first?.evaluate((one) => one.isConnected), true);
  assert.equal(await panel.page.locator('details').first().getAttribute('open'), '');
  await panel.draw(snapshot([turn({ id: 'r9', text: 'Other' })]));
  assert.equal(await panel.page.locator('.turn').count(), 1);
});
