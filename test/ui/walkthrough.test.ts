import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { connect, finishedFacts, typeQuestion } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

/** The numbers of shapes in the pictures of the steps, each of which is an SVG. */
const shapes = ['connect', 'chooseModel', 'ask', 'cost'].map((name) => {
  const picture = readFileSync(join(projectRoot, 'media', 'walkthrough', `${name}.svg`), 'utf8');
  return picture.match(/<(?!svg|\/)/g)?.length;
});
const titles = ['Connect to your gateway', 'Choose a default model', 'Ask about your code', 'See what it cost'];

describe('the walkthrough', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let workbench: Workbench;
  const steps = () => workbench.page.locator('.gettingStartedContainer .getting-started-step');
  const step = (index: number) => steps().nth(index);
  /** Whether the step with this number is done. */
  const isDone = (index: number) => step(index).locator('.codicon.complete').count();
  /** Waits until these steps are done and no others. */
  const done = (...wanted: readonly number[]) =>
    until(async () =>
      assert.deepEqual(
        await Promise.all(titles.map(async (_, index) => (await isDone(index)) > 0)),
        titles.map((_, index) => wanted.includes(index)),
      ),
    );

  before(async () => {
    // VS Code shows no pictures beside the steps in a narrow window.
    workbench = await suite.workbench({ folder: suite.folder('workspace'), viewport: { width: 1700, height: 900 } });
  });

  it('opens from the empty view of models, shows four steps with pictures, and marks each step when it is done', async () => {
    const { page } = workbench;
    const bar = await workbench.sideBar('Ask Model');
    await bar.locator('a', { hasText: 'Get started' }).waitFor();
    assert.equal(await steps().count(), 0, 'it does not open without being asked for');
    await workbench.screenshot('95-walkthrough-offered');
    await bar.locator('a', { hasText: 'Get started' }).click();
    await page
      .locator('.gettingStartedContainer h2.category-title', { hasText: 'Get Started with Ask Model' })
      .waitFor();
    await until(async () => assert.deepEqual(await steps().locator('.step-title').allInnerTexts(), titles));
    for (const [index] of titles.entries()) {
      await step(index).locator('.step-title').click();
      const frame = page.frameLocator('.getting-started-media iframe.webview.ready').frameLocator('#active-frame');
      await until(async () => assert.equal(await frame.locator('svg *').count(), shapes[index]));
      await workbench.screenshot(`95-walkthrough-${index + 1}`);
    }
    await done();
    const gateway = await suite.gateway({ delayMs: 0 });
    const open = async () => {
      await workbench.runCommand('Ask Model: Get Started');
      await steps().first().waitFor();
    };
    await workbench.run('workbench.action.closeAllEditors');
    await connect(workbench, gateway.baseUrl, gateway.createKey({ name: 'person' }).value);
    await workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first().waitFor();
    await open();
    await done(0);
    await step(1).getByRole('button', { name: 'Choose Default Model…' }).click();
    await workbench.pickTyped('gpt-5-mini');
    await page.locator('.statusbar-item', { hasText: 'gpt-5-mini' }).waitFor();
    await done(0, 1);
    await step(2).locator('.step-title').click();
    await step(2).getByRole('button', { name: 'Ask Model' }).click();
    // VS Code gives the focus back to the step a moment after its button was clicked, so the panel may not have it.
    await typeQuestion(await workbench.webview(), 'What is a tree?');
    await finishedFacts(await workbench.webview('What is a tree?')).waitFor();
    await open();
    await done(0, 1, 2);
  });
});
