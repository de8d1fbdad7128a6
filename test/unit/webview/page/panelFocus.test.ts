import assert from 'node:assert/strict';
import { type PanelPage, panelTest } from './panelPage.ts';
import { answerQuickly } from './quickHost.ts';
import { snapshot, turn } from './samples.ts';

const retries = ['sendAgain', 'askOther'] as const;

const isInBox = (panel: PanelPage) => panel.box.evaluate((one) => one === document.activeElement);
/** As VS Code does when the panel comes to the front. */
const focusPanel = ({ page }: PanelPage) =>
  page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
    window.dispatchEvent(new FocusEvent('focus'));
  });

panelTest('puts what is typed into a new panel into the question box, from the first key on', async (panel) => {
  await panel.page.keyboard.type('Why');
  await panel.send(snapshot([]));
  await panel.page.keyboard.type(' not?');
  assert.equal(await panel.box.inputValue(), 'Why not?');
});

panelTest('focuses the question box when the panel gets the focus', async (panel) => {
  await panel.draw(snapshot([turn({ text: 'Because *it* is so.' })]));
  await focusPanel(panel);
  assert.equal(await isInBox(panel), true);
  const copy = panel.page.getByRole('button', { name: 'Copy Answer' });
  await copy.focus();
  await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  assert.equal(await copy.evaluate((one) => one === document.activeElement), true, 'a focused button stays focused');
  await panel.page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  });
  assert.equal(await panel.page.evaluate("find('it', false, false, true)"), true);
  await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  assert.equal(await isInBox(panel), false);
  assert.equal(await panel.page.evaluate('String(getSelection())'), 'it', 'what was found stays selected');
});

panelTest('a panel without the focus never takes the focus', async (panel) => {
  await panel.page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
    document.hasFocus = () => false;
  });
  await panel.send(snapshot([]), { type: 'turn', turn: turn({ text: 'An answer.' }) });
  assert.equal(await isInBox(panel), false);
});

panelTest('sends letters typed outside a text field to the question box, but no other keys', async (panel) => {
  await panel.draw(snapshot([turn({ text: 'Line\n\n'.repeat(200) })]));
  const { page } = panel;
  const places = [
    () => page.getByRole('button', { name: 'Copy Answer' }).focus(),
    () => page.locator('.markdown').click(),
    () => page.evaluate(() => (document.activeElement as HTMLElement).blur()),
  ];
  for (const [index, go] of places.entries()) {
    await go();
    assert.equal(await isInBox(panel), false);
    for (const key of ['Shift', 'ArrowUp', 'Control+a', 'Escape']) {
      await page.keyboard.press(key);
    }
    assert.equal(await isInBox(panel), false, `place ${index}`);
    await page.keyboard.type(`${index}A `);
  }
  assert.equal(await panel.box.inputValue(), '0A 1A 2A ');
  await page.locator('.markdown').click();
  await page.keyboard.press('Space');
  assert.equal(await isInBox(panel), false, 'the space bar scrolls');
});

panelTest('focuses the question box when the focused button is removed', async (panel) => {
  const shown = (id: string) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' });
  await panel.send(snapshot([shown('r1')]));
  await answerQuickly(panel, [shown('r2')], { startMs: 0, replyMs: 20 });
  await panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' }).press('Enter');
  await panel.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.equal(await isInBox(panel), true);
});

panelTest('does not send the draft when a second Enter arrives in the question box', async (panel) => {
  const shown = (id: string) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' });
  await panel.begin(snapshot([shown('r1')], { draft: 'For later' }));
  await answerQuickly(panel, [shown('r2')], { startMs: 0, replyMs: 0 });
  await panel.stopTime();
  await panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' }).press('Enter');
  await panel.page.clock.runFor(100);
  await panel.box.and(panel.page.locator(':focus')).waitFor();
  await panel.page.keyboard.press('Enter');
  const paid = async () => (await panel.posted()).filter((message) => 'sendId' in message);
  assert.deepEqual(
    (await paid()).map(({ type }) => type),
    ['act'],
  );
  assert.equal(await panel.box.inputValue(), 'For later');
  await panel.page.keyboard.type('!');
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(
    (await paid()).map((message) => 'text' in message && message.text),
    ['For later!'],
  );
});

panelTest('shows no hint about an empty conversation before the snapshot shows that it is empty', async (panel) => {
  const hint = panel.page.getByText('Ask about your code');
  const chooseModel = panel.page.getByRole('button', { name: 'Choose Model…' });
  await panel.box.waitFor();
  await panel.page.keyboard.type('x');
  await panel.page.keyboard.press('Enter');
  assert.deepEqual([await hint.isVisible(), await chooseModel.isVisible()], [false, false]);
  await panel.send(snapshot([], { runningReply: 'r1' }));
  assert.equal(await hint.isVisible(), false, 'the first question is on its way');
  await panel.send(snapshot([]));
  assert.equal(await hint.isVisible(), true);
  await panel.send({ type: 'turn', turn: turn({ state: 'waiting' }) });
  assert.equal(await hint.isVisible(), false);
});
