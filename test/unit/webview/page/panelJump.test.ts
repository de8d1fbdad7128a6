import assert from 'node:assert/strict';
import { type PanelPage, panelTest } from './panelPage.ts';
import { reply, snapshot, turn, update } from './samples.ts';
import { turnWheel } from './turnWheel.ts';

const composer = { model: 'm', chips: [], tokens: 0, draft: '' };
const footer = ['1,204 in (812 cached)', '356 out', 'first token 0.6 s', '74 tok/s', 'cost unknown'];
const retries = ['sendAgain', 'askOther'] as const;
const trouble = {
  severity: 'error' as const,
  title: 'The answer was cut off',
  remedy: 'The partial answer is saved.',
  facts: ['502'],
  actions: [
    { action: 'sendAgain' as const, label: 'Send Again (May Be Charged Again)' },
    { action: 'copyReport' as const, label: 'Copy Report' },
  ],
};
const text = 'A line of the answer.\n\n'.repeat(60);

const jump = ({ page }: PanelPage) => page.locator('.jump');

/** Scrolls to this many pixels above the end, and waits until the panel has noticed. */
async function goUp({ page }: PanelPage, pixels: number): Promise<void> {
  await page.locator('.scroller').evaluate(async (box, up) => {
    box.scrollTop = box.scrollHeight - box.clientHeight - up;
    for (let frame = 0; frame < 3; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, pixels);
}

for (const [width, what, part] of [
  [760, 'facts', { footer, retries }],
  [320, 'a card', { state: 'incomplete', footer, trouble, retries }],
] as const) {
  panelTest(
    `the jump button never covers ${what} under the last answer: ${width} px`,
    { width, height: 560 },
    async (panel) => {
      await panel.draw(snapshot([turn({ text, ...part })]));
      const shown: number[] = [];
      for (let up = 200; up >= 0; up -= 8) {
        await goUp(panel, up);
        const over = await panel.page.evaluate(() => {
          const button = document.querySelector('.jump');
          if (button?.checkVisibility() !== true) {
            return undefined;
          }
          const { top, bottom } = button.getBoundingClientRect();
          return [...document.querySelectorAll('.reply footer, .trouble')]
            .map((each) => each.getBoundingClientRect())
            .filter((box) => box.height > 0 && box.top < bottom && box.bottom > top).length;
        });
        if (over === undefined) {
          continue;
        }
        shown.push(up);
        assert.equal(over, 0, `${up} px from the end`);
      }
      await goUp(panel, 400);
      await jump(panel).waitFor();
      // The button is shown only while text is hidden.
      assert.ok(
        shown.every((up) => up > 40),
        `${shown}`,
      );
    },
  );
}

panelTest('shows “New text” while some of it is hidden, and not after it was seen', { height: 560 }, async (panel) => {
  const delta = (text: string) => ({ type: 'delta' as const, replyId: 'r1', text, reasoning: '' });
  await panel.draw(snapshot([turn({ state: 'streaming', text })], { runningReply: 'r1' }));
  await turnWheel(panel, -40);
  assert.equal(await jump(panel).isVisible(), false, 'the end of the text is visible');
  await panel.send(delta('More.\n\n'.repeat(12)));
  await jump(panel).getByText('New text').waitFor();
  const whole = text + 'More.\n\n'.repeat(12);
  await panel.draw(update({ text: whole, footer, retries }), { type: 'composer', composer });
  assert.equal(await jump(panel).getByText('New text').isVisible(), true, 'it was not visible yet');
  await goUp(panel, 30);
  assert.equal(await jump(panel).isVisible(), false);
  await goUp(panel, 400);
  await jump(panel).waitFor();
  assert.equal(await jump(panel).getByText('New text').isVisible(), false, 'it was visible');
});

panelTest(
  'shows no jump button when all answers side by side are seen',
  { width: 1_000, height: 700 },
  async (panel) => {
    const column = (id: string) => ({ reply: reply({ id, state: 'waiting' }) });
    const compared = { ...turn({ id: 'a' }), columns: [column('a.1'), column('a.2')] };
    await panel.send(snapshot([compared], { runningReply: 'a.1', runningReplies: 2 }));
    assert.equal(await jump(panel).isVisible(), false);
    for (const id of ['a.1', 'a.2']) {
      await panel.send({ type: 'delta', replyId: id, text: 'Short.', reasoning: '' });
    }
    await panel.settle();
    assert.equal(await jump(panel).isVisible(), false);
    for (const id of ['a.1', 'a.2']) {
      await panel.send(update({ id, text: 'Short.', footer, retries }));
    }
    await panel.draw({ type: 'composer', composer });
    assert.equal(await jump(panel).isVisible(), false);
  },
);

panelTest('scrolls only the conversation, never the page with the question box', async (panel) => {
  const turns = Array.from({ length: 8 }, (_, at) => turn({ id: `r${at}`, text: 'An answer.\n\n'.repeat(20) }));
  await panel.draw(snapshot(turns));
  const box = await panel.page.locator('textarea').boundingBox();
  const page = await panel.page.evaluate(() => {
    document.documentElement.scrollTop = 1_000;
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
    return { scrollTop, isLonger: scrollHeight > clientHeight };
  });
  assert.deepEqual(page, { scrollTop: 0, isLonger: false });
  assert.deepEqual(await panel.page.locator('textarea').boundingBox(), box);
});
