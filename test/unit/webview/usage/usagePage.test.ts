import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configureLocalization } from '../../../../src/core/base/localization.ts';
import themes from '../../../fixtures/themes.json' with { type: 'json' };
import { projectRoot } from '../../../vscode/paths.ts';
import { documentOf, sampleDocument } from '../../core/usage/view/usageSample.ts';
import { byCases } from '../../propertyRuns.ts';
import { hasBrowser } from '../page/panelPage.ts';
import { colourRules, sidewaysScrollers, violations } from '../page/panelRules.ts';
import { openUsagePage } from './openUsagePage.ts';

const skip = !hasBrowser;
const choice = { period: 'week', connection: 'c1' } as const;
const states = {
  everything: sampleDocument({ choice }),
  filtered: sampleDocument({ choice: { ...choice, model: 'gpt-5-mini', caller: 'panel' } }),
  today: sampleDocument({ choice: { ...choice, period: 'today' } }),
  differences: sampleDocument({ choice: { ...choice, isDifferences: true } }),
  empty: documentOf([]),
};

for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
  test(`has no accessibility violation in any state, and only tables scroll sideways: ${theme}`, { skip }, async () => {
    const { page, show, close } = await openUsagePage(undefined, { theme });
    // The other themes differ only in colours, which are the same at all widths.
    const isAll = byCases(false, theme === 'light', true);
    for (const width of theme === 'light' ? [320, 1_040] : [1_040]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [name, state] of Object.entries(isAll ? states : { everything: states.everything })) {
        await show(state);
        const where = `${name} at ${width}`;
        if (width === 320 || theme !== 'light') {
          assert.deepEqual(await violations(page, theme === 'light' ? undefined : colourRules), [], where);
        }
        const scrollers = await sidewaysScrollers(page);
        assert.deepEqual(
          scrollers.filter((each) => each !== 'div.box'),
          [],
          where,
        );
        assert.ok(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), where);
      }
    }
    await close();
  });
}

test('fits tables into 320 pixels, and four figures in rows of two', { skip }, async () => {
  const { page, show, close } = await openUsagePage();
  await page.setViewportSize({ width: 320, height: 900 });
  for (const name of ['everything', 'today', 'differences'] as const) {
    await show(states[name]);
    assert.deepEqual(await sidewaysScrollers(page), [], name);
  }
  await show(states.everything);
  const places = await page
    .locator('.figures > *')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  assert.deepEqual(
    places.map((top) => places.indexOf(top)),
    [0, 0, 2, 2],
  );
  await page.setViewportSize({ width: 280, height: 900 });
  const periods = await page.locator('.segments').evaluate((each) => each.getBoundingClientRect().height);
  assert.ok(periods < 40, 'the periods are in one line');
  await close();
});

test('shows the document, and runs nothing but its own script', { skip }, async () => {
  const name = '<img src=x onerror=alert(1)>';
  const { page, requests, close } = await openUsagePage(sampleDocument({ choice, connectionName: () => name }));
  assert.deepEqual(await page.locator('.figures strong').allInnerTexts(), ['$2.62', '$0.35', '189', '767K']);
  assert.equal(await page.locator('option').nth(1).innerText(), name);
  assert.equal(await page.title(), 'Usage');
  assert.equal(await page.locator('.bar').count(), 7);
  assert.match((await page.getByRole('img', { name: /^Bar chart/ }).getAttribute('aria-label')) ?? '', /Cost by Day/);
  assert.deepEqual(await page.getByRole('table').locator('caption').allTextContents(), [
    'By Model',
    'By Caller',
    'Calls',
  ]);
  assert.equal(
    await page
      .locator('td.number')
      .first()
      .evaluate((cell) => getComputedStyle(cell).textAlign),
    'end',
  );
  assert.deepEqual(requests, []);
  await close();
});

test('posts what the person chooses', { skip }, async () => {
  const { page, nextPosted, close } = await openUsagePage(states.everything);
  await page.getByText('30 Days').click();
  assert.deepEqual(await nextPosted(), [{ type: 'period', period: 'days30' }]);
  await page.getByRole('combobox', { name: 'Connection' }).selectOption('All Connections');
  assert.deepEqual(await nextPosted(), [{ type: 'filter', by: 'connection' }]);
  await page.getByRole('button', { name: 'Show Differences' }).click();
  assert.deepEqual(await nextPosted(), [{ type: 'toggleDifferences' }]);
  await page.getByRole('button', { name: 'State a Price' }).click();
  assert.deepEqual(await nextPosted(), [{ type: 'statePrice', model: 'kimi-k2-thinking' }]);
  await page.getByRole('button', { name: 'Why does it round twice?' }).first().click();
  assert.deepEqual(await nextPosted(), [{ type: 'openConversation', id: 'conversation-1' }]);
  await page.getByRole('button', { name: 'Show More' }).click();
  assert.deepEqual(await nextPosted(), [{ type: 'showMore' }]);
  await close();
});

test('filters by a click anywhere on a row, but not while its text is selected', { skip }, async () => {
  const { page, nextPosted, show, close } = await openUsagePage(states.everything);
  const row = page.getByRole('row', { name: /^deepseek-chat/ }).first();
  await row.locator('td').nth(4).dblclick();
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await nextPosted();
  await row.locator('td').nth(4).click();
  assert.deepEqual(await nextPosted(), [{ type: 'filter', by: 'model', value: 'deepseek-chat' }]);
  await show(states.filtered);
  await page.getByRole('button', { name: 'Remove Filter gpt-5-mini' }).click();
  assert.deepEqual(await nextPosted(), [{ type: 'filter', by: 'model' }]);
  await close();
});

test('chooses the period with the arrow keys, and keeps the focus through updates', { skip }, async () => {
  const { page, nextPosted, show, close } = await openUsagePage(states.everything);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'));
  await page.getByRole('radio', { name: '7 Days' }).focus();
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await nextPosted(), [{ type: 'period', period: 'today' }]);
  await show(states.today);
  assert.equal(await focused(), '{"type":"period","period":"today"}');
  assert.equal(await page.getByRole('radio', { name: 'Today' }).isChecked(), true);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), '{"type":"match"}');
  await page.getByRole('button', { name: 'gpt-5-mini' }).first().focus();
  await page.keyboard.press('Enter');
  await nextPosted();
  await show(states.filtered);
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'chip', 'the filter that took its place');
  await close();
});

test('leaves the parts that have not changed as they are, with the place they are scrolled to', { skip }, async () => {
  const { page, show, close } = await openUsagePage(states.everything, { width: 200 });
  await page
    .locator('.box')
    .last()
    .evaluate((box) => box.scrollTo({ left: 60 }));
  await page
    .locator('.box')
    .first()
    .evaluate((box) => box.setAttribute('data-mark', 'same'));
  const { tables } = states.everything;
  const changed = tables.map((table, at) =>
    at === tables.length - 1 ? { ...table, rows: table.rows.slice(1) } : table,
  );
  await show({ ...states.everything, tables: changed });
  assert.equal(await page.locator('[data-mark=same]').count(), 1);
  assert.equal(
    await page
      .locator('.box')
      .last()
      .evaluate((box) => box.scrollLeft),
    60,
  );
  await close();
});

test('tells screen readers the result of a choice, and not of every call', { skip }, async () => {
  const { page, show, nextPosted, close } = await openUsagePage(states.everything);
  const status = page.getByRole('status');
  assert.equal(await status.textContent(), '');
  await page.getByText('Today', { exact: true }).first().click();
  await nextPosted();
  await show(states.today);
  assert.match((await status.textContent()) ?? '', /^\$0\.35 today, of \$2\.00 a day/);
  await show(states.everything);
  assert.match((await status.textContent()) ?? '', /^\$0\.35/);
  await close();
});

test('shows Simplified Chinese', { skip }, async () => {
  const texts = JSON.parse(readFileSync(join(projectRoot, 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8'));
  configureLocalization({ language: 'zh-cn', texts: texts });
  const shown = sampleDocument({ choice, match: undefined, logButtons: [] });
  configureLocalization({ language: 'en' });
  const { page, close } = await openUsagePage(shown, { width: 320 });
  const words = (await page.locator('main').innerText()).replaceAll(
    /\S*(?:work|private) key|[\w.-]*[-.][\w.-]+|US\$|Token|×\S* since Tuesday|Why does it round twice\?|Parser error recovery/g,
    '',
  );
  assert.doesNotMatch(words, /[A-Za-z]{3}/);
  assert.deepEqual(await violations(page), []);
  const lines = await page
    .locator('.figures strong')
    .first()
    .evaluate((headline) => {
      headline.textContent = '不到 US$0.001';
      return headline.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(headline).lineHeight);
    });
  assert.ok(lines <= 2, 'an amount breaks only between its words');
  await close();
});
