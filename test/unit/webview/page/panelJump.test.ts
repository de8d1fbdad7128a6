import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { news, reply, snapshot, turn } from './samples.ts';
import { turnWheel } from './turnWheel.ts';

after(closeBrowser);

const options = { skip: !hasBrowser };
const composer = { model: 'm', chips: [], tokens: 0, draft: '' };
const footer = ['1,204 in (812 cached)', '356 out', 'first token 0.6 s', '74 tok/s', 'cost unknown'];
const retries = ['sendAgain', 'askOther'] as const;
const trouble = {
  severity: 'error' as const,
  title: 'The reply was cut off',
  remedy: 'What arrived is kept.',
  facts: ['502'],
  actions: [
    { action: 'sendAgain' as const, label: 'Send again (may be charged again)' },
    { action: 'copyReport' as const, label: 'Copy report' },
  ],
};
const text = 'A line of the answer.\n\n'.repeat(60);

const jump = ({ page }: PanelPage) => page.locator('.jump');

/** Goes so many pixels up from the end, and waits until the panel has noticed. */
async function goUp({ page }: PanelPage, pixels: number): Promise<void> {
  await page.locator('.scroller').evaluate(async (box, up) => {
    box.scrollTop = box.scrollHeight - box.clientHeight - up;
    for (let frame = 0; frame < 3; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, pixels);
}

for (const width of [320, 760]) {
  for (const [what, part] of [
    ['facts', { footer, retries }],
    ['a card', { state: 'incomplete', footer, trouble, retries }],
  ] as const) {
    test(`the way to the end never lies over ${what} under the last answer: ${width} px`, options, async () => {
      const panel = await openPanel({ width, height: 560 });
      await panel.tell(snapshot([turn({ text, ...part })]));
      await panel.settle();
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
      // It is there only where text is out of sight.
      assert.ok(
        shown.every((up) => up > 40),
        `${shown}`,
      );
      await panel.close();
    });
  }
}

test('“New text” is offered while some of it is out of sight, and not after it was seen', options, async () => {
  const panel = await openPanel({ height: 560 });
  const delta = (text: string) => ({ type: 'delta' as const, replyId: 'r1', text, reasoning: '' });
  await panel.tell(snapshot([turn({ state: 'streaming', text })], { runningReply: 'r1' }));
  await panel.settle();
  await turnWheel(panel, -40);
  assert.equal(await jump(panel).isVisible(), false, 'the end of the text is in sight');
  await panel.tell(delta('More.\n\n'.repeat(12)));
  await jump(panel).getByText('New text').waitFor();
  const whole = text + 'More.\n\n'.repeat(12);
  await panel.tell(news({ text: whole, footer, retries }), { type: 'composer', composer });
  await panel.settle();
  assert.equal(await jump(panel).getByText('New text').isVisible(), true, 'it was not seen yet');
  await goUp(panel, 30);
  assert.equal(await jump(panel).isVisible(), false);
  await goUp(panel, 400);
  await jump(panel).waitFor();
  assert.equal(await jump(panel).getByText('New text').isVisible(), false, 'it was seen');
  await panel.close();
});

test('no way to the end is offered where all answers side by side are in sight', options, async () => {
  const panel = await openPanel({ width: 1_000, height: 700 });
  const column = (id: string) => ({ reply: reply({ id, state: 'waiting' }) });
  const compared = { ...turn({ id: 'a' }), columns: [column('a.1'), column('a.2')] };
  await panel.tell(snapshot([compared], { runningReply: 'a.1', runningReplies: 2 }));
  assert.equal(await jump(panel).isVisible(), false);
  for (const id of ['a.1', 'a.2']) {
    await panel.tell({ type: 'delta', replyId: id, text: 'Short.', reasoning: '' });
  }
  await panel.settle();
  assert.equal(await jump(panel).isVisible(), false);
  for (const id of ['a.1', 'a.2']) {
    await panel.tell(news({ id, text: 'Short.', footer, retries }));
  }
  await panel.tell({ type: 'composer', composer });
  await panel.settle();
  assert.equal(await jump(panel).isVisible(), false);
  await panel.close();
});
