import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { HostMessage, PanelMessage, ShownTurn } from '../../../../src/protocol/protocol.ts';
import { type PanelPage, panelTest } from './panelPage.ts';
import { answerQuickly } from './quickHost.ts';
import { snapshot, turn, update } from './samples.ts';

const composer = { model: 'm', chips: [], tokens: 0, draft: '' };
const retries = ['sendAgain', 'askOther'] as const;

const card = (action: 'sendAgain' | 'sendWithoutUsage' | 'continue', label: string) => ({
  severity: 'warning' as const,
  title: 'It did not end well',
  remedy: '',
  facts: [],
  actions: [{ action, label }],
});

/** Each paying button with a turn that shows it, for a given reply id. */
const buttons: Readonly<Record<string, (id: string) => ShownTurn>> = {
  'Ask Again (New Paid Call)': (id) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' }),
  'Ask Another Model (New Paid Call)…': (id) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' }),
  'Send again': (id) => ({ ...turn({ id, state: 'failed', trouble: card('sendAgain', 'Send again') }), id: 't' }),
  'Send again without it': (id) => ({
    ...turn({ id, state: 'failed', trouble: card('sendWithoutUsage', 'Send again without it') }),
    id: 't',
  }),
  Continue: (id) => turn({ id, text: 'Half', trouble: card('continue', 'Continue') }),
};

const paid = async (panel: PanelPage) =>
  (await panel.posted()).filter((message): message is Extract<PanelMessage, { sendId: string }> => 'sendId' in message);

/** The centre of a button, for a mouse that does not wait for the button to be enabled. */
async function middle(button: Locator): Promise<readonly [number, number]> {
  const box = await button.boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** One click; `clickCount` is 2 for the second one of a double click. */
async function click({ page }: PanelPage, at: readonly [number, number], clickCount = 1): Promise<void> {
  await page.mouse.move(...at);
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}

/**
 * Sends messages of the host, then clicks after the given delays, both timed inside the page: on a slow machine, two
 * clicks made from here could be too far apart.
 */
function clickAt(
  { page }: PanelPage,
  clicks: readonly { readonly at: readonly [number, number]; readonly afterMs?: number; readonly detail?: number }[],
  messages: readonly HostMessage[] = [],
): Promise<void> {
  return page.evaluate(
    async ({ clicks, messages }) => {
      for (const data of messages) {
        window.dispatchEvent(new MessageEvent('message', { data }));
      }
      await Promise.all(
        clicks.map(async ({ at: [x, y], afterMs, detail = 1 }) => {
          if (afterMs !== undefined) {
            await new Promise((done) => setTimeout(done, afterMs));
          }
          const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail });
          document.elementFromPoint(x, y)?.dispatchEvent(click);
        }),
      );
    },
    { clicks, messages },
  );
}

const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);

const clicks = [
  { what: 'a double click', clickCount: 2, startMs: 0, apartMs: 150 },
  { what: 'two taps', clickCount: 1, startMs: 0, apartMs: 300 },
  { what: 'a double click while the host is slow', clickCount: 2, startMs: 120, apartMs: 250 },
];
for (const [index, [name, shown]] of Object.entries(buttons).entries()) {
  for (const { what, clickCount, startMs, apartMs } of index === 0 ? clicks : clicks.slice(0, 1)) {
    panelTest(`${what} on “${name}” makes one paid call, however quick the reply is`, async (panel) => {
      await panel.begin(snapshot([shown('r1')]));
      await answerQuickly(panel, [shown('r2'), shown('r3')], { startMs, replyMs: 20 });
      const button = panel.page.getByRole('button', { name, exact: true });
      const at = await middle(button);
      await clickAt(panel, [{ at }, { at, afterMs: apartMs, detail: clickCount }]);
      assert.equal((await paid(panel)).length, 1);
      // A click after the button is enabled again is a new decision.
      await button.last().click();
      assert.equal((await paid(panel)).length, 1);
    });
  }
}

for (const key of ['Enter', 'Space']) {
  panelTest(`${key} held down on a paying button makes one paid call`, async (panel) => {
    const shown = (id: string) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' });
    await panel.begin(snapshot([shown('r1')]));
    await answerQuickly(panel, [shown('r2'), shown('r3')], { startMs: 0, replyMs: 20 });
    const button = panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' });
    await button.focus();
    for (let repeat = 0; repeat < 15; repeat++) {
      // The person moves to the new button while the key is still down.
      if (repeat === 10) {
        await button.focus();
      }
      await panel.page.keyboard.down(key);
      // The repeat rate of a keyboard.
      await panel.page.waitForTimeout(40);
    }
    await panel.page.keyboard.up(key);
    // Nothing is sent right after the key was released either.
    await panel.page.waitForTimeout(50);
    assert.equal((await paid(panel)).length, 1);
    await button.and(panel.page.locator(':not([aria-disabled])')).press(key);
    assert.equal((await paid(panel)).length, 1, 'the next press makes a new call');
  });
}

panelTest('a double click on Send does not stop the reply, and one on Stop does not send', async (panel) => {
  await panel.send(snapshot([]));
  const { box } = panel;
  await box.fill('Why?');
  await panel.posted();
  const send = panel.page.getByRole('button', { name: 'Send', exact: true });
  const stop = panel.page.getByRole('button', { name: 'Stop', exact: true });
  await answerQuickly(panel, [turn()], { startMs: 0, replyMs: 'untilStopped' });
  const at = await middle(send);
  await click(panel, at);
  await stop.waitFor();
  await click(panel, at, 2);
  const types = async () => (await panel.posted()).map(({ type }) => type).filter((type) => type !== 'draft');
  assert.deepEqual(await types(), ['send']);
  await box.and(panel.page.locator(':not([readonly])')).fill('Next');
  // A third click is meant for Stop; the clicks right after it are not meant for Send.
  await clickAt(panel, [
    { at, detail: 3 },
    { at, afterMs: 50, detail: 2 },
    { at, afterMs: 100 },
  ]);
  assert.deepEqual(await types(), ['stop']);
  assert.equal(await box.inputValue(), 'Next');
  await send.click();
  assert.deepEqual(await types(), ['send']);
});

panelTest('keeps the focus on a paying button while it is disabled, and changes its opacity once', async (panel) => {
  const first = turn({ id: 'r0', text: 'Before.', retries });
  await panel.draw(snapshot([first, turn({ state: 'streaming', text: 'Half' })], { runningReply: 'r1' }));
  const again = panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' }).first();
  await again.focus();
  assert.equal(await again.isDisabled(), true);
  await panel.posted();
  await panel.page.evaluate(() => {
    const opacities: string[] = [];
    Object.assign(window, { opacities });
    const record = () => {
      const shown = [...document.querySelectorAll<HTMLElement>('button[data-pays]:not([hidden])')]
        .filter((one) => one.checkVisibility())
        .map((one) => getComputedStyle(one).opacity);
      const now = [...new Set(shown)].join(' ');
      if (now !== opacities.at(-1)) {
        opacities.push(now);
      }
      requestAnimationFrame(record);
    };
    record();
  });
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.press('Space');
  const press = { at: await middle(again), detail: 0 };
  await clickAt(panel, [press], [update({ text: 'Half', retries }), { type: 'composer', composer }]);
  assert.deepEqual(await paid(panel), []);
  await panel.page.locator('button[data-pays]:not([aria-disabled])').first().waitFor();
  assert.equal(await isFocused(again), true);
  // One change for all buttons at once; Send stays disabled because there is no text.
  const recorded = () => panel.page.evaluate(() => (window as unknown as { opacities: string[] }).opacities);
  await panel.page.waitForFunction(() => (window as unknown as { opacities: string[] }).opacities.length > 1);
  assert.deepEqual(await recorded(), ['0.5', '1 0.5']);
  await panel.page.keyboard.press('Enter');
  assert.equal((await paid(panel)).length, 1);
});
