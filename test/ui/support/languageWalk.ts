import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Gateway } from '../../gateway/gateway.ts';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { comparisonPanel, questionPanel, typeQuestion } from './connectedWorkbench.ts';
import { pressEnter } from './pressEnter.ts';

/** A part of the screen and the texts a person reads in it, those for screen readers and tooltips included. */
export type ScreenTexts = { readonly where: string; readonly texts: readonly string[] };

const { contributes } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  contributes: { commands: { command: string; title: string; category?: string }[] };
};

/** Where the panel shows what a person or a model wrote, and where settings have names of code. */
const written = '.markdown, .question, .words, .setting-item-description code';

/** All texts of a visible element: what is written, names, descriptions, placeholders and tooltips. */
function textsIn(element: Element, ignored: string): string[] {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const found: string[] = [];
  for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
    const owner = node instanceof Element ? node : node.parentElement;
    if (owner?.checkVisibility({ visibilityProperty: true }) !== true || owner.closest(`style, script, ${ignored}`)) {
      continue;
    }
    if (node instanceof Element) {
      const names = ['aria-label', 'title', 'placeholder', 'aria-description'];
      found.push(...names.map((name) => owner.getAttribute(name) ?? ''));
    } else {
      found.push(node.textContent ?? '');
    }
  }
  return found.map((text) => text.trim()).filter((text) => text !== '');
}

/**
 * Goes once through connecting, asking, an error, the usage, a comparison, the conversations, the settings and the walkthrough.
 *
 * @param manifest the texts of the manifest by their keys, as in `package.nls.json`.
 * @param name the beginning of the names of its screenshots.
 * @returns what was on the screen.
 */
export async function walkThrough(
  workbench: Workbench,
  gateway: Gateway,
  manifest: Readonly<Record<string, string>>,
  name: string,
): Promise<ScreenTexts[]> {
  const { page } = workbench;
  const recorded: ScreenTexts[] = [];
  const widget = page.locator('.quick-input-widget:visible');
  const sideBar = page.locator('.part.sidebar .split-view-view').filter({ has: page.locator('.pane') });
  const record = async (where: string, part: Locator) => {
    await part.first().waitFor();
    const texts = await Promise.all((await part.all()).map((each) => each.evaluate(textsIn, written)));
    recorded.push({ where, texts: texts.flat() });
    await workbench.screenshot(`${name}-${recorded.length}-${where.replaceAll(' ', '-')}`);
  };
  const recordPanel = (where: string, panel: FrameLocator) => record(where, panel.locator('body'));
  const command = async (id: string) => {
    const { title = '', category } = contributes.commands.find((each) => each.command === id) ?? {};
    const shown = manifest[title.replaceAll('%', '')];
    await workbench.runCommand(category === undefined ? `${shown}` : `${category}: ${shown}`);
  };
  /** Asks from the palette, and returns the panel. */
  const ask = async (question: string) => {
    await command('askModel.ask');
    await typeQuestion(await questionPanel(workbench), question);
    return workbench.webview(question);
  };
  const ended = async (panel: FrameLocator) => {
    await panel.locator('.reply').last().locator('.facts, .trouble').first().waitFor();
    await gateway.settled();
  };

  await workbench.sideBar('Ask Model');
  await record('welcome', sideBar);
  await command('askModel.connect');
  await record('address', widget);
  await workbench.answerQuickInput('https://user:name@gateway');
  await record('wrong address', widget);
  await workbench.answerQuickInput(gateway.baseUrl);
  await page.locator('.quick-input-widget:visible [type=password]').waitFor();
  await record('key', widget);
  await workbench.answerQuickInput(gateway.createKey({ name: 'person' }).value);
  await workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first().waitFor();
  await record('connected', page.locator('.statusbar-item', { hasText: '28 ' }));
  await command('askModel.chooseModel');
  await workbench.quickInput.fill('@foo');
  await record('models to choose', widget);
  await workbench.pickTyped('gpt-5-mini');
  await page.locator('.statusbar-item', { hasText: 'gpt-5-mini' }).waitFor();
  await record('status bar', page.locator('.statusbar-item', { hasText: 'gpt-5-mini' }));
  await record('models', sideBar);

  await command('askModel.ask');
  await recordPanel('question', await questionPanel(workbench));
  const panel = await ask('What is 1?');
  await ended(panel);
  await recordPanel('answer', panel);
  gateway.setFault('balance-empty@chat');
  await panel.locator('textarea').fill('What is 2?');
  await pressEnter(panel.locator('textarea'));
  await panel.locator('.trouble').waitFor();
  gateway.setFault(undefined);
  await recordPanel('error', panel);
  await command('askModel.showRequest');
  await record('request', page.locator('.editor-group-container.active .monaco-editor .view-lines'));
  await workbench.run('workbench.action.revertAndCloseActiveEditor');

  await command('askModel.showUsage');
  const usage = await workbench.webview();
  await usage.locator('table').first().waitFor();
  await recordPanel('usage', usage);
  await workbench.run('workbench.action.closeActiveEditor');

  await command('askModel.compare');
  await widget.waitFor();
  for (const id of ['deepseek-chat', 'gpt-5-mini']) {
    await workbench.quickInput.fill(id);
    await workbench.quickPicks
      .and(page.locator(`[aria-label^="${id}"]`))
      .first()
      .click();
    await workbench.quickInput.fill('');
  }
  await record('models to compare', widget);
  await workbench.quickInput.press('Enter');
  await record('comparison', (await comparisonPanel(workbench)).locator('.composer'));
  await typeQuestion(await comparisonPanel(workbench), 'What is 3?');
  const compared = await workbench.webview('What is 3?');
  await compared.locator('.column .facts').nth(1).waitFor();
  await recordPanel('columns', compared);

  await page.locator('.part.sidebar .pane-header').nth(1).click();
  await workbench.treeRows.filter({ hasText: 'What is 1?' }).waitFor();
  await record('conversations', sideBar);
  await workbench.treeRows.filter({ hasText: 'What is 1?' }).click({ button: 'right' });
  await record('menu', page.locator('.context-view .action-label'));
  await page.keyboard.press('Escape');
  await command('askModel.deleteData');
  await record('data to delete', widget);
  await workbench.quickPicks.nth(1).click();
  await record(
    'delete',
    page.locator('.monaco-dialog-box .dialog-message-text, .monaco-dialog-box .dialog-message-detail'),
  );
  await page.keyboard.press('Escape');
  await command('askModel.manageConnections');
  await record('connections', widget);
  await page.keyboard.press('Escape');
  await command('askModel.troubleshoot');
  await record('troubleshoot', widget);
  await workbench.quickPicks.first().click();
  const report = page.locator('.editor-group-container.active .monaco-editor .view-lines');
  await report.filter({ hasText: '28 ' }).waitFor();
  await record('check', report);
  await workbench.run('workbench.action.revertAndCloseActiveEditor');

  await workbench.run('workbench.action.openSettings2');
  await page.locator('.settings-editor .suggest-input-container').click();
  await page.keyboard.type('@ext:ask-model.ask-model');
  const described = page.locator('.setting-item-description');
  // Other settings are still shown for a moment, and by their parts.
  const keys = page.locator('.setting-item-contents[data-key]');
  await until(async () => {
    const shown = await keys.evaluateAll((all) => all.map((each) => each.getAttribute('data-key') ?? ''));
    assert.ok(shown.length > 0 && shown.every((key) => key.startsWith('askModel.')), shown.join());
  });
  await record('settings', described);
  await command('askModel.getStarted');
  const walkthrough = page.locator('.gettingStartedContainer .gettingStartedSlideDetails');
  await walkthrough.locator('.getting-started-step').nth(3).waitFor();
  await record('walkthrough', walkthrough.locator('.category-title, .category-description, .getting-started-step'));
  return recorded;
}
