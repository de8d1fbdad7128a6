import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ListServer } from '../gateway/listServer.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';
import { Aggregator } from './aggregator.ts';
import { eventually } from './eventually.ts';
import { pictureFailures } from './pictureFailures.ts';

/** Nothing in this file touches a mouse: a click anywhere fails it. */
describe('300 models by keyboard alone', { timeout: 300_000 }, () => {
  const aggregator = new Aggregator();
  aggregator.count = 300;
  const server = new ListServer(aggregator.answer);
  let workbench: Workbench;
  const folder = makeTemporary('workspace');
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await workbench.page.keyboard.press(key);
    }
  };
  const row = (text: string | RegExp) => workbench.treeRows.filter({ hasText: text });
  const message = (text: string | RegExp) => workbench.page.locator('.part.sidebar .message', { hasText: text });
  const focused = workbenchFocus(() => workbench);

  const command = async (title: string) => {
    await eventually(async () => {
      await press('Escape', 'F1');
      await workbench.quickInput.fill(`>${title}`, { timeout: 1_500 });
      await workbench.page
        .locator('.quick-input-list .monaco-list-row.focused')
        .filter({ hasText: title })
        .waitFor({ timeout: 3_000 });
    });
    await press('Enter');
    // What is typed from here on belongs to what the command opens.
    await eventually(async () => {
      const fields = await workbench.quickInput.evaluateAll((all) =>
        all.map((each) => (each as HTMLInputElement).value),
      );
      assert.ok(!fields.some((value) => value.startsWith('>')));
    });
  };
  const find = async (words: string) => {
    await command('Ask Model: Find a Model');
    await workbench.quickInput
      .and(workbench.page.locator('[placeholder^="Type to search"]'))
      .pressSequentially(words, { delay: 10 });
  };
  /** Goes on in a pick until the marked row says this. The rows may still be following what was typed. */
  const stepTo = (text: string, key: 'ArrowUp' | 'ArrowDown') =>
    eventually(async () => {
      const marked = workbench.quickPicks.and(workbench.page.locator('.focused'));
      await marked.waitFor({ timeout: 3_000 });
      if (!(await marked.textContent())?.includes(text)) {
        await press(key);
        await marked.filter({ hasText: text }).waitFor({ timeout: 500 });
      }
    });
  /** Goes down the list that has the focus until its row says this. */
  const downTo = async (text: string) => {
    for (let step = 0; step < 60; step++) {
      if ((await focused()).includes(text)) {
        return;
      }
      await press('ArrowDown');
      await workbench.page.waitForTimeout(30);
    }
    assert.fail(`No way down to “${text}”; the focus is on “${await focused()}”.`);
  };
  const chooseInMenu = async (label: string) => {
    await press('Shift+F10');
    const entry = workbench.page.locator('.context-view .action-item', { hasText: label });
    await entry.first().waitFor();
    for (let step = 0; step < 20; step++) {
      if (await workbench.page.locator('.context-view .action-item.focused', { hasText: label }).count()) {
        await press('Enter');
        return;
      }
      await press('ArrowDown');
      await workbench.page.waitForTimeout(50);
    }
    assert.fail(`No way to “${label}” in the menu.`);
  };

  before(async () => {
    const url = await server.listen();
    workbench = await openWorkbench({
      folder,
      extensionDevelopmentPaths: [projectRoot],
      viewport: { width: 1200, height: 800 },
    });
    await command('Ask Model: Connect to a Gateway');
    await workbench.quickInput.and(workbench.page.locator('[placeholder^="https://"]')).pressSequentially(url);
    await press('Enter');
    await workbench.quickInput.and(workbench.page.locator('[type=password]')).pressSequentially('key-of-a-person-0123');
    await press('Enter');
    await workbench.notifications.filter({ hasText: '301 models' }).waitFor();
  });

  pictureFailures(() => workbench);

  after(async () => {
    await workbench?.dispose();
    server.close();
    removeTemporary(folder);
  });

  it('goes into the list, opens a group, and makes a model a favourite from its menu', async () => {
    await command('Ask Model: Focus on Models View');
    await message(/301 models/).waitFor();
    await row('Google').first().waitFor();
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
    await find('mistral-29');
    await stepTo('mistralai/mistral-297', 'ArrowDown');
    await press('Enter');
    const box = workbench.quickInput.and(workbench.page.locator('[type=text]'));
    await eventually(async () => assert.match((await box.getAttribute('placeholder')) ?? '', /want to know/));
    await box.pressSequentially('Who are you?');
    await press('Enter');
    await eventually(async () => assert.equal(aggregator.asked.length, 1));
    assert.match(aggregator.asked[0] ?? '', /^mistralai\/mistral-29/);
    const panel = await workbench.webview();
    await panel.locator('.conversation', { hasText: `This is ${aggregator.asked[0]}.` }).waitFor();
    await workbench.screenshot('71-asked-by-keyboard');
  });

  it('narrows the side bar to words and widens it again', async () => {
    await find('@qwen 28');
    // The first row of these words and of no beginning of them: the rows have followed, and no others come that would
    // take the mark back to the first while it is on its way.
    await workbench.quickPicks.and(workbench.page.locator('.focused')).filter({ hasText: 'qwen/qwen-28' }).waitFor();
    // Up from the first row is the last one.
    await stepTo('in the Side Bar', 'ArrowUp');
    await press('Enter');
    await message(/“@qwen 28”: \d+ of 301 models/).waitFor();
    await command('Ask Model: Show All Models');
    await row('Anthropic').first().waitFor();
  });

  it('starts offline with the list it kept, and reads it anew with Retry', async () => {
    aggregator.isBroken = true;
    const loaded = workbench.page.waitForEvent('load');
    await command('Developer: Reload Window');
    await loaded;
    await workbench.page.locator('#status\\.host').waitFor({ timeout: 60_000 });
    await command('Ask Model: Focus on Models View');
    await row('Anthropic').first().waitFor();
    await row('Retry').waitFor();
    await workbench.screenshot('72-offline-by-keyboard');
    aggregator.isBroken = false;
    await downTo('Retry');
    await press('Enter');
    await eventually(async () => assert.equal(await row('Retry').count(), 0));
    await row('google/gemini-8').first().waitFor();
  });

  it('needed one call for the one question', () => {
    assert.equal(aggregator.asked.length, 1);
  });
});

/** What the row that has the focus says. */
function workbenchFocus(workbench: () => Workbench): () => Promise<string> {
  return async () => {
    const row = workbench().page.locator('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused').first();
    return (await row.count()) > 0 ? ((await row.textContent()) ?? '') : '';
  };
}
