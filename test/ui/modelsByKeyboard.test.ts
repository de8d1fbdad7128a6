import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ListServer } from '../gateway/models/listServer.ts';
import { until } from '../until.ts';
import { whenReady } from '../vscode/whenReady.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { Aggregator } from './support/aggregator.ts';
import { keyBox } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

/** Nothing in this file touches a mouse: a click anywhere fails it. */
describe('300 models by keyboard alone', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const aggregator = new Aggregator();
  aggregator.count = 300;
  const server = new ListServer(aggregator.answer);
  suite.ends(() => server.close());
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await workbench.page.keyboard.press(key);
    }
  };
  const row = (text: string | RegExp) => workbench.treeRows.filter({ hasText: text });
  const message = (text: string | RegExp) => workbench.page.locator('.part.sidebar .message', { hasText: text });

  const command = async (title: string) => {
    await until(async () => {
      await press('Escape', 'F1');
      await workbench.quickInput.fill(`>${title}`, { timeout: 1_500 });
      await workbench.page
        .locator('.quick-input-list .monaco-list-row.focused')
        .filter({ hasText: title })
        .waitFor({ timeout: 3_000 });
    });
    await press('Enter');
    // What is typed from here on belongs to what the command opens.
    await until(async () => {
      const fields = await workbench.quickInput.evaluateAll((all) =>
        all.map((each) => (each as HTMLInputElement).value),
      );
      assert.ok(!fields.some((value) => value.startsWith('>')));
    });
  };
  /**
   * Types words and waits until the rows have followed them: those of the words before look much the same, and each new
   * list marks its first row.
   */
  const find = async (words: string, first: string) => {
    await command('Ask Model: Find a Model');
    await workbench.quickInput
      .and(workbench.page.locator('[placeholder^="Type to search"]'))
      .pressSequentially(words, { delay: 10 });
    await workbench.quickPicks
      .and(workbench.page.locator('.focused[data-index="0"]'))
      .filter({ hasText: first })
      .waitFor();
  };
  /** The one a key moves the mark to; which it is, by its place and its words. */
  const marked = (list: string) => async () => {
    const one = workbench.page.locator(list).first();
    return (await one.count()) > 0
      ? one.evaluate((each) => `${each.getAttribute('data-index') ?? ''} ${each.textContent}`)
      : '';
  };
  const markedRow = marked('.quick-input-widget:visible .quick-input-list .monaco-list-row.focused');
  const focusedRow = marked('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused');
  const markedEntry = marked('.context-view .action-item.focused');
  /** Presses a key until the mark is at what says `text`, and each time looks where it has gone before the next. */
  const step = async (mark: () => Promise<string>, key: 'ArrowUp' | 'ArrowDown', text: string, most: number) => {
    for (let step = 0; step < most; step++) {
      const before = await mark();
      if (before.includes(text)) {
        return;
      }
      await press(key);
      await until(async () => assert.notEqual(await mark(), before, `“${text}” is not on the way`), 5_000);
    }
    assert.fail(`No way to “${text}”; the mark is at “${await mark()}”.`);
  };
  /** Goes on in a pick until the marked row says this. */
  const stepTo = (text: string, key: 'ArrowUp' | 'ArrowDown') => step(markedRow, key, text, 20);
  /** Goes down the list that has the focus until its row says this. */
  const downTo = (text: string) => step(focusedRow, 'ArrowDown', text, 60);
  /** Goes into the list of models, once it has this row: a view that has the focus before has no list to hand it on to. */
  const focusModels = async (rowText: string) => {
    await command('Ask Model: Focus on Models View');
    await row(rowText).first().waitFor();
    await command('Ask Model: Focus on Models View');
    await workbench.page.locator('.part.sidebar .monaco-list:focus').waitFor();
  };
  const chooseInMenu = async (label: string) => {
    await press('Shift+F10');
    await workbench.page.locator('.context-view .action-item', { hasText: label }).first().waitFor();
    await step(markedEntry, 'ArrowDown', label, 20);
    await press('Enter');
  };

  before(async () => {
    const url = await server.listen();
    workbench = await suite.workbench({
      folder,
    });
    await command('Ask Model: Connect to a Gateway');
    await workbench.quickInput.and(workbench.page.locator('[placeholder^="https://"]')).pressSequentially(url);
    await press('Enter');
    await keyBox(workbench).pressSequentially('key-of-a-person-0123');
    await press('Enter');
    await workbench.notifications.filter({ hasText: '301 models' }).waitFor();
  });

  it('goes into the list, opens a group, and makes a model a favourite from its menu', async () => {
    await focusModels('Google');
    await message(/301 models/).waitFor();
    await downTo('Google');
    await press('ArrowRight');
    await row('google/gemini-2').first().waitFor();
    await downTo('google/gemini-8');
    await chooseInMenu('Add to Favourites');
    await row('Favourites').first().waitFor();
    await workbench.screenshot('70-keyboard');
  });

  it('orders ids by their numbers', async () => {
    // Rows stand in the page in the order they were made in.
    const ids = await workbench.treeRows.evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((each) => each.querySelector('.label-name')?.textContent ?? ''),
    );
    // The favourite stands above; the group begins behind it.
    const numbers = ids.flatMap((id) => /^google\/gemini-(\d+)$/.exec(id)?.slice(1).map(Number) ?? []).slice(1);
    assert.ok(numbers.length > 5);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
  });

  it('finds a model by its letters and asks it', async () => {
    // Fewer letters found mistral-21 first.
    await find('mistral-29', 'mistralai/mistral-291');
    await stepTo('mistralai/mistral-297', 'ArrowDown');
    await press('Enter');
    const box = workbench.quickInput.and(workbench.page.locator('[type=text]'));
    await until(async () => assert.match((await box.getAttribute('placeholder')) ?? '', /want to know/));
    await box.pressSequentially('Who are you?');
    await press('Enter');
    await until(async () => assert.equal(aggregator.asked.length, 1));
    assert.equal(aggregator.asked[0], 'mistralai/mistral-297');
    const panel = await workbench.webview();
    await panel.locator('.conversation', { hasText: `This is ${aggregator.asked[0]}.` }).waitFor();
    await workbench.screenshot('71-asked-by-keyboard');
  });

  it('narrows the side bar to words and widens it again', async () => {
    await find('@qwen 1', 'qwen/qwen-10');
    // Up from the first row is the last one.
    await stepTo('in the Side Bar', 'ArrowUp');
    await press('Enter');
    await message(/“@qwen 1”: \d+ of 301 models/).waitFor();
    await command('Ask Model: Show All Models');
    await row('Anthropic').first().waitFor();
  });

  it('starts offline with the list it kept, and reads it anew with Retry', async () => {
    aggregator.isBroken = true;
    const loaded = workbench.page.waitForEvent('load');
    await command('Developer: Reload Window');
    await loaded;
    await whenReady(workbench.page);
    await focusModels('Anthropic');
    await row('Retry').waitFor();
    await workbench.screenshot('72-offline-by-keyboard');
    aggregator.isBroken = false;
    await downTo('Retry');
    await press('Enter');
    await until(async () => assert.equal(await row('Retry').count(), 0));
    await row('google/gemini-8').first().waitFor();
  });

  it('needed one call for the one question', () => {
    assert.equal(aggregator.asked.length, 1);
  });
});
