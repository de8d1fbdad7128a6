import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { reply, snapshot, turn } from './samples.ts';
import { turnWheel } from './turnWheel.ts';

const answer = (name: string) =>
  Array.from(
    { length: 80 },
    (_, at) => `${name}${at} ${'word '.repeat(60)}\n\n\`\`\`ts\nconst a = ${at};\n\`\`\``,
  ).join('\n\n');
const shown = snapshot([turn({ text: answer('A') }), turn({ id: 'r2', text: answer('B') }), turn({ id: 'r3' })]);

/** The first paragraph that isn't wholly above the visible part, after scrolling by so many pixels. */
const firstVisible = ({ page }: PanelPage, by = 0) =>
  page.locator('.scroller').evaluate((box, y) => {
    box.scrollBy(0, y);
    const { top } = box.getBoundingClientRect();
    const all = [...box.querySelectorAll('.markdown p')];
    // What is far off screen isn't laid out, and has no place of its own.
    const laidOut = all.filter((each) => each.checkVisibility({ contentVisibilityAuto: true }));
    return laidOut.find((each) => each.getBoundingClientRect().bottom > top + 1)?.textContent?.split(' ')[0];
  }, by);

test('keeps the place where one reads when the width changes (continuedev/continue#1055)', {
  skip: !hasBrowser,
}, async () => {
  const panel = await openPanel({ height: 500 });
  await panel.draw(shown);
  await turnWheel(panel, -3_000);
  const before = await firstVisible(panel);
  for (const width of [600, 420, 300, 760]) {
    await panel.page.setViewportSize({ width, height: 500 });
    await panel.settle();
    assert.equal(await firstVisible(panel), before, `${width} px`);
  }
  await panel.close();
});

test('lets find in page scroll soon after the width has changed, while an answer arrives', {
  skip: !hasBrowser,
}, async () => {
  const panel = await openPanel({ height: 500 });
  await panel.draw(snapshot([turn({ text: answer('A') }), turn({ id: 'r2', text: 'B\n\n', state: 'streaming' })]));
  await turnWheel(panel, -3_000);
  await panel.settle();
  await panel.stopTime();
  await panel.page.setViewportSize({ width: 600, height: 500 });
  const arrive = async () => {
    await panel.send({ type: 'delta', replyId: 'r2', text: 'word\n\n', reasoning: '' });
    await panel.page.clock.runFor(500);
  };
  for (let time = 0; time < 5; time++) {
    await arrive();
  }
  const found = await firstVisible(panel, -2_000);
  await arrive();
  await arrive();
  assert.equal(await firstVisible(panel), found);
  await panel.close();
});

test('returns to the place where one read when its tab is shown again (ChatGPTNextWeb/NextChat#3017)', {
  skip: !hasBrowser,
}, async () => {
  const panel = await openPanel({ height: 500 });
  await panel.draw(shown);
  await turnWheel(panel, -12_000);
  const before = await firstVisible(panel);
  await panel.settle();
  const state = await panel.savedState();
  await panel.close();
  const again = await openPanel({ height: 500, width: 600, state });
  await again.draw(shown);
  assert.equal(await firstVisible(again), before);
  await again.page.getByRole('button', { name: 'Scroll to End' }).click();
  await again.settle();
  const { place } = (await again.savedState()) as { place?: unknown };
  assert.equal(place, undefined);
  await again.close();
});

test('shows a question that a command asked while the tab was hidden, instead of the place where one read', {
  skip: !hasBrowser,
}, async () => {
  const turns = [turn({ text: answer('A') })];
  const panel = await openPanel({ height: 500 });
  await panel.draw(snapshot(turns));
  await turnWheel(panel, -3_000);
  await panel.settle();
  const state = await panel.savedState();
  await panel.close();
  const again = await openPanel({ height: 500, state });
  await again.draw(snapshot([...turns, turn({ id: 'r2', state: 'streaming', text: 'New answer' })]));
  assert.equal(await again.page.getByText('New answer').isVisible(), true);
  const toEnd = (box: Element) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight);
  assert.equal(await again.page.locator('.scroller').evaluate(toEnd), 0);
  await again.close();
});

test('keeps the place in a column while one before it grows and the width changes', { skip: !hasBrowser }, async () => {
  const texts = ['A', 'B', 'C'].map((name) => answer(name).slice(0, name === 'A' ? 900 : undefined));
  const columns = texts.map((text, at) => ({
    reply: reply({ id: `r${at}`, model: `m${at}`, text, ...(at === 0 && { state: 'streaming' }) }),
  }));
  const panel = await openPanel({ height: 600, width: 1_100 });
  await panel.draw(snapshot([{ ...turn(), columns }]));
  await turnWheel(panel, 2_500);
  await panel.settle();
  const readNow = () =>
    panel.page.evaluate(() => {
      const hits = [40, 60, 80].flatMap((y) => document.elementsFromPoint(500, y));
      return hits.find((each) => each.matches('.column p'))?.textContent?.split(' ')[0];
    });
  const before = await readNow();
  assert.match(`${before}`, /^B\d/);
  await panel.draw({ type: 'delta', replyId: 'r0', text: `\n\n${answer('A')}`, reasoning: '' });
  await panel.page.setViewportSize({ width: 1_050, height: 600 });
  await panel.settle();
  assert.equal(await readNow(), before);
  await panel.close();
});
