import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { axeSource, closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { conversation, snapshot, turn } from './samples.ts';
import { themes } from './themes.ts';

after(closeBrowser);

type Axe = {
  run(
    context: unknown,
    options: unknown,
  ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[] }>;
};

for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
  test(`has no accessibility violation, and nothing scrolls sideways but code: ${theme}`, {
    skip: !hasBrowser,
  }, async () => {
    const panel = await openPanel({ theme, width: 320 });
    await panel.tell(conversation());
    await panel.settle();
    await panel.page.locator('summary').first().click();
    await panel.tell({
      type: 'turn',
      turn: {
        ...turn({ id: 'r4', state: 'waiting' }, { text: 'LongWordWithoutAnyBreak'.repeat(12) }),
        replies: { at: 2, of: 2, previous: 'r5' },
        questions: { at: 1_001, of: 1_002, previous: 't5', next: 't6' },
      },
    });
    await panel.tell({ type: 'composer', composer: { chips: [], tokens: 9, draft: 'Why?', editing: 't-r1' } });
    await panel.page.getByText('Editing an earlier question').waitFor();
    await panel.settle();
    const wide = await panel.page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.matches('.unseen, .unseen *'))
        .filter((one) => getComputedStyle(one).overflowX !== 'visible')
        .map((one) => `${one.localName}.${one.className}`),
    );
    assert.deepEqual(
      [...new Set(wide)].filter((one) => !/^(?:pre\.|div\.table|span\.(?:label|language))/.test(one)),
      [],
    );
    await panel.page.evaluate(axeSource);
    const violations = await panel.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: Axe };
      const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
      const { violations } = await axe.run(document, rules);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
      );
    });
    assert.deepEqual(violations, []);
    await panel.close();
  });
}

test('every button can be reached and used with the keyboard alone', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  await panel.tell(conversation());
  await panel.settle();
  const reached = new Set<string>();
  await panel.page.locator('body').press('Tab');
  for (let step = 0; step < 40; step++) {
    reached.add(
      await panel.page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      ),
    );
    // What can be done with a block of code is one stop; the arrows go through it.
    await panel.page.keyboard.press(reached.has('Apply…') || !reached.has('Copy Code') ? 'Tab' : 'ArrowRight');
  }
  for (const name of [
    'Copy Code',
    'Insert at Cursor',
    'Replace Selection',
    'Apply…',
    'Copy Answer',
    'Edit question (makes a new branch)',
    'Ask again (a new paid call)',
    'Ask another model… (a new paid call)',
    'Send Again',
    'Pick a Model',
    'Remove discount.ts',
    'Add context',
    'Show Request',
    'Show what was sent for this answer',
    'Question',
    'Send',
  ]) {
    assert.ok(reached.has(name), name);
  }
  await panel.close();
});

test('stands still for people who asked for less motion', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  await panel.page.emulateMedia({ reducedMotion: 'reduce' });
  await panel.tell(snapshot([turn({ state: 'waiting' })]));
  const running = await panel.page.evaluate(() => document.getAnimations().length);
  assert.equal(running, 0);
  await panel.close();
});
