import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const count = 100;

const turns = Array.from({ length: count }, (_, at) =>
  turn(
    {
      id: `r${at}`,
      text: `Answer ${at}\n\n- first\n- second\n\n\`\`\`ts\nconst a = ${at};\n\`\`\`\n\n${'word '.repeat(80)}`,
    },
    { text: `Question ${at}` },
  ),
);

describe('opening a long conversation', () => {
  panelTest('shows its end at once, and finally every question and answer in order', async (panel) => {
    await panel.send(snapshot(turns));
    const { page } = panel;
    const last = page.locator('.turn').last();
    await last.locator('.markdown', { hasText: `Answer ${count - 1}` }).waitFor();
    const isAtEnd = () =>
      page.locator('.scroller').evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop <= 4);
    assert.ok(await isAtEnd());
    await panel.settle();
    assert.ok(await isAtEnd());
    assert.deepEqual(
      await page.locator('.question .text').allTextContents(),
      turns.map(({ question }) => question.text),
    );
    const answers = await page.locator('.reply .markdown').evaluateAll((all) => all.map((each) => each.textContent));
    assert.equal(answers.length, count);
    for (const [at, answer] of answers.entries()) {
      assert.match(answer ?? '', new RegExp(`^Answer ${at}first`));
    }
  });

  panelTest('scrolls to a turn far above, and stays there while the rest is built', async (panel) => {
    await panel.send(snapshot(turns), { type: 'leadTo', turnId: 't-r20' });
    const { page } = panel;
    const target = page.locator('.turn', { hasText: /^QuestionQuestion 20(?!\d)/ });
    const top = () =>
      target.evaluate(
        (turn) =>
          turn.getBoundingClientRect().top - (turn.closest('.scroller')?.getBoundingClientRect().top ?? Number.NaN),
      );
    await panel.settle();
    assert.ok(Math.abs(await top()) < 2, `${await top()}`);
    assert.ok(await target.evaluate((turn) => turn === document.activeElement));
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, 400);
    await panel.settle();
    assert.ok((await top()) < -200, 'the wheel scrolls away from the turn');
  });

  panelTest('finds text far off screen and scrolls to it', async (panel) => {
    await panel.draw(snapshot(turns));
    const { page } = panel;
    // As VS Code does, wherever the focus is.
    const isFound = await page.evaluate("find('Answer 7', false, false, true)");
    assert.ok(isFound);
    await panel.settle();
    const box = await page.evaluate(() => document.getSelection()?.getRangeAt(0).getBoundingClientRect().toJSON());
    assert.ok(box.top > 0 && box.bottom < 900, JSON.stringify(box));
  });

  panelTest('applies an update to a turn that is not built yet', async (panel) => {
    const [first] = turns;
    assert.ok(first);
    await panel.draw(snapshot(turns), { type: 'turn', turn: { ...first, question: { text: 'Changed', chips: [] } } });
    assert.equal(await panel.page.locator('.question .text').first().textContent(), 'Changed');
    assert.equal(await panel.page.locator('.turn').count(), count);
  });

  panelTest('keeps the visible turns when a snapshot adds earlier ones, which are built later', async (panel) => {
    const { page } = panel;
    await panel.send(snapshot(turns.slice(75)));
    const last = page.locator('.turn').last();
    await last.locator('.markdown', { hasText: `Answer ${count - 1}` }).waitFor();
    await last.evaluate((turn) => turn.classList.add('known'));
    const made = await page.evaluate((all) => {
      window.dispatchEvent(new MessageEvent('message', { data: all }));
      return document.querySelectorAll('.turn').length;
    }, snapshot(turns));
    assert.ok(made < count / 2, `${made} turns were built at once`);
    await panel.settle();
    assert.equal(await page.locator('.turn').count(), count);
    assert.ok(
      await page
        .locator('.turn')
        .last()
        .evaluate((turn) => turn.classList.contains('known')),
    );
  });

  panelTest('stays at the first question while earlier ones are added above it', async (panel) => {
    const { page } = panel;
    await panel.draw(snapshot(turns.slice(95)));
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, -20_000);
    const top = () =>
      page.locator('.turn', { hasText: 'Question 95' }).evaluate((turn) => turn.getBoundingClientRect().top);
    await page.waitForFunction(() => document.querySelector('.scroller')?.scrollTop === 0);
    const before = await top();
    await panel.draw(snapshot(turns));
    assert.equal(await page.locator('.turn').count(), count);
    assert.ok(Math.abs((await top()) - before) <= 2, `${before} → ${await top()}`);
    const above = page.locator('.turn', { hasText: 'Question 94' });
    const bottom = await above.evaluate((turn) => turn.getBoundingClientRect().bottom);
    assert.ok(
      bottom <= 0,
      `${bottom} px of an earlier turn are visible, so the browser holds that turn in place instead`,
    );
  });

  panelTest('replaces a conversation that is still being built with another one', async (panel) => {
    await panel.draw(snapshot(turns), snapshot(turns.slice(50, 52)));
    assert.deepEqual(await panel.page.locator('.question .text').allTextContents(), ['Question 50', 'Question 51']);
  });
});

panelTest('folds the rest of a long question, and copies it unchanged (open-webui/computer#271)', async (panel) => {
  const { page } = panel;
  const question = page.locator('.question .text');
  const log = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join('\n');
  for (const text of ['One\nTwo', 'l\n'.repeat(30), log, '😀'.repeat(9_000)]) {
    await panel.draw(snapshot([turn({ id: `${text.length}` }, { text })]));
    const more = question.getByText('Show More');
    if (text.length > 100) {
      assert.ok(((await question.boundingBox())?.height ?? 0) < 900);
      await more.click();
    }
    assert.equal(await more.isVisible(), false);
    const copied = await question.evaluate((all) => {
      document.getSelection()?.selectAllChildren(all);
      return String(document.getSelection());
    });
    assert.equal(copied.trim(), text.trim());
  }
});
