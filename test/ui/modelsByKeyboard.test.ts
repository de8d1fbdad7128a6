import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ListServer } from '../gateway/listServer.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { Aggregator } from './support/aggregator.ts';
import { keyBox, questionPanel } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

/** This file uses only the keyboard, never the mouse. */
describe('300 models with the keyboard only', { timeout: 300_000 }, () => {
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
    // Wait until the palette is closed, so that the next keys go to what the command opens.
    await until(async () => {
      const fields = await workbench.quickInput.evaluateAll((all) =>
        all.map((each) => (each as HTMLInputElement).value),
      );
      assert.ok(!fields.some((value) => value.startsWith('>')));
    });
  };
  /**
   * Types words and waits until `first` is the focused first row. The rows change with every letter, and each new list
   * focuses its first row.
   */
  const find = async (words: string, first: string) => {
    await command('Ask Model: Ask a Specific Model…');
    await workbench.quickInput
      .and(workbench.page.locator('[placeholder^="Type to search"]'))
      .pressSequentially(words, { delay: 10 });
    await workbench.quickPicks
      .and(workbench.page.locator('.focused[data-index="0"]'))
      .filter({ hasText: first })
      .waitFor();
  };
  /** Returns a function that describes the focused element by its index and its text. */
  const describeFocused = (selector: string) => async () => {
    const focused = workbench.page.locator(selector).first();
    return (await focused.count()) > 0
      ? focused.evaluate((each) => `${each.getAttribute('data-index') ?? ''} ${each.textContent}`)
      : '';
  };
  const focusedPick = describeFocused('.quick-input-widget:visible .quick-input-list .monaco-list-row.focused');
  const focusedRow = describeFocused('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused');
  const focusedEntry = describeFocused('.context-view .action-item.focused');
  /** Presses a key until the focused element contains `text`, and waits after each press until the focus has moved. */
  const step = async (focused: () => Promise<string>, key: 'ArrowUp' | 'ArrowDown', text: string, most: number) => {
    for (let step = 0; step < most; step++) {
      const before = await focused();
      if (before.includes(text)) {
        return;
      }
      // A tree that is being drawn again, as when prices have come, ignores the key.
      await until(async () => {
        await press(key);
        await until(async () => assert.notEqual(await focused(), before, `“${text}” was not reached`), 2_000);
      }, 10_000);
    }
    assert.fail(`“${text}” was not reached; the focus is on “${await focused()}”.`);
  };
  /** Moves through a quick pick until the focused row contains `text`. */
  const stepTo = (text: string, key: 'ArrowUp' | 'ArrowDown') => step(focusedPick, key, text, 20);
  /** Moves down the focused list until the focused row contains `text`. */
  const downTo = (text: string) => step(focusedRow, 'ArrowDown', text, 60);
  /**
   * Focuses the list of models. It runs the command again when the list has this row, because an empty view takes the
   * focus itself.
   */
  const focusModels = async (rowText: string) => {
    await command('Ask Model: Focus on Models View');
    await row(rowText).first().waitFor();
    await command('Ask Model: Focus on Models View');
    await workbench.page.locator('.part.sidebar .monaco-list:focus').waitFor();
  };
  const chooseInMenu = async (label: string) => {
    await press('Shift+F10');
    await workbench.page.locator('.context-view .action-item', { hasText: label }).first().waitFor();
    await step(focusedEntry, 'ArrowDown', label, 20);
    await press('Enter');
  };

  before(async () => {
    const url = await server.listen();
    workbench = await suite.workbench({
      folder,
    });
    await command('Ask Model: Connect to a Gateway…');
    await workbench.quickInput.and(workbench.page.locator('[placeholder^="https://"]')).pressSequentially(url);
    await press('Enter');
    await keyBox(workbench).pressSequentially('key-of-a-person-0123');
    await press('Enter');
    await workbench.page.locator('.statusbar-item', { hasText: '301 models' }).waitFor();
  });

  it('moves into the list, makes a model a favourite from its menu, finds another one by a few letters and asks it once', async () => {
    await focusModels('Google');
    await message(/301 models/).waitFor();
    await downTo('Google');
    // A tree that is being drawn again ignores the key. In an expanded group it only moves the focus down.
    await until(async () => {
      await press('ArrowRight');
      await row('google/gemini-2').first().waitFor({ timeout: 2_000 });
    });
    await downTo('google/gemini-8');
    await chooseInMenu('Add to Favorites');
    await row('Favorites').first().waitFor();
    await workbench.screenshot('70-keyboard');
    // With fewer letters mistral-21 would come first.
    await find('mistral-29', 'mistralai/mistral-291');
    await stepTo('mistralai/mistral-297', 'ArrowDown');
    await press('Enter');
    const panel = await questionPanel(workbench);
    await panel.locator('textarea').pressSequentially('Who are you?');
    await press('Enter');
    await until(async () => assert.equal(aggregator.asked.length, 1));
    assert.equal(aggregator.asked[0], 'mistralai/mistral-297');
    await panel.locator('.conversation', { hasText: `This is ${aggregator.asked[0]}.` }).waitFor();
    assert.equal(aggregator.asked.length, 1);
    await workbench.screenshot('71-asked-by-keyboard');
  });
});
