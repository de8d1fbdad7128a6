import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Gateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { comparisonPanel, connect } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

const models = ['gpt-5-mini', 'qwen3-8b-long', 'deepseek-reasoner'];
const question = 'Which of these is right?';
const followUp = 'And why?';

describe('one question to several models', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const row = (text: string) => workbench.treeRows.filter({ hasText: text });
  const widget = () => workbench.page.locator('.quick-input-widget:visible');
  const title = (text: string | RegExp) => widget().locator('.quick-input-title', { hasText: text });
  const pickRow = (id: string) => workbench.quickPicks.and(workbench.page.locator(`[aria-label^="${id}"]`)).first();
  const column = (panel: FrameLocator, model: string) => panel.getByRole('group', { name: model, exact: true });
  const facts = (panel: FrameLocator, model: string) =>
    column(panel, model).locator('.facts', { hasText: / in ·|not reported/ });
  /** Checks or unchecks a model. */
  const check = async (id: string) => {
    await workbench.quickInput.fill(id);
    await pickRow(id).click();
    await workbench.quickInput.fill('');
  };
  const menu = (on: string, entry: string) => chooseInMenu(workbench, row(on).first(), entry);
  const bodies = () =>
    gateway
      .requests()
      .filter(({ method }) => method === 'POST')
      .map(({ body }): { model: string; messages: { role: string; content: string }[] } => JSON.parse(body));

  before(async () => {
    gateway = await suite.gateway({ delayMs: 150 });
    gateway.setFault('models-priced@models');
    const key = gateway.createKey({ name: 'person' }).value;
    writeFileSync(join(folder, 'area.ts'), 'export function area(r: number) {\n  return 3.14 * r * r;\n}\n');
    workbench = await suite.workbench({
      folder,
      // Wide enough for three columns beside an editor.
      viewport: { width: 2560, height: 1300 },
    });
    await connect(workbench, gateway.baseUrl, key);
    await row('gpt-5-mini').first().waitFor();
    gateway.setFault(undefined);
  });

  it('starts from a model’s row, says how many models can be compared and what that costs, streams the answers side by side, and stops a single one', async () => {
    const { page } = workbench;
    await workbench.openFile('area.ts');
    await workbench.selectLines(1, 2);
    await menu('gpt-5-mini', 'Compare Models');
    await title('Select 2–4 (1 Selected)').waitFor();
    await until(async () => assert.equal(await pickRow('gpt-5-mini').getAttribute('aria-checked'), 'true'));
    await page.keyboard.press('Enter');
    await title('Select 2–4 (1 Selected)').waitFor();
    for (const id of ['qwen3-8b-long', 'deepseek-reasoner', 'gpt-5.1', 'claude-sonnet-4-5']) {
      await check(id);
    }
    await title('Select 2–4 (5 Selected)').waitFor();
    await workbench.screenshot('80-compare-too-many');
    await workbench.quickInput.press('Enter');
    await title('Select 2–4 (5 Selected)').waitFor();
    await check('gpt-5.1');
    await check('claude-sonnet-4-5');
    await title(/Compare 3 Models \(3 Paid Calls\) · .*\$/).waitFor();
    await workbench.screenshot('81-compare-pick');
    await workbench.quickInput.press('Enter');
    const asking = await comparisonPanel(workbench);
    const message = await asking.locator('#compared').innerText();
    assert.match(message, /^Makes 3 paid calls: /);
    for (const id of models) {
      assert.ok(message.includes(id), message);
    }
    await asking.locator('.chip', { hasText: 'area.ts' }).waitFor();
    await asking.locator('textarea').fill(question);
    await asking.locator('.estimate', { hasText: '$' }).waitFor();
    await workbench.screenshot('82-compare-box');
    assert.equal(gateway.postCount(), 0);
    await pressEnter(asking.locator('textarea'));
    const panel = await workbench.webview(question);
    for (const model of models) {
      await column(panel, model).locator('.reply').waitFor();
    }
    await column(panel, 'qwen3-8b-long').locator('.markdown', { hasText: /\w/ }).waitFor();
    assert.equal(gateway.postCount(), 3);
    const tops = await panel.locator('.column').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    assert.deepEqual([tops.length, new Set(tops).size], [3, 1], 'in one row');
    await workbench.screenshot('83-compare-streaming');
    await panel.getByRole('button', { name: 'Stop qwen3-8b-long' }).click();
    await column(panel, 'qwen3-8b-long').locator('.trouble', { hasText: 'Stopped after' }).waitFor();
    gateway.setDelayMs(0);
    await facts(panel, 'gpt-5-mini').waitFor();
    await facts(panel, 'deepseek-reasoner').waitFor();
    await gateway.settled();
    assert.equal(gateway.postCount(), 3);
    assert.deepEqual(
      gateway
        .usageLog()
        .map(({ model, state }) => [model, state])
        .sort(),
      [
        ['deepseek-reasoner', 'ok'],
        ['gpt-5-mini', 'ok'],
        ['qwen3-8b-long', 'client_gone'],
      ],
    );
    assert.deepEqual(
      bodies()
        .map(({ model }) => model)
        .sort(),
      models.toSorted(),
    );
    assert.equal(new Set(bodies().map(({ messages }) => JSON.stringify(messages))).size, 1);
    await workbench.screenshot('84-compare-answered');
    await panel.getByRole('button', { name: 'Diff Two Answers' }).click();
    await workbench.pick('gpt-5-mini');
    await workbench.pick('deepseek-reasoner');
    await page.locator('.tab.active', { hasText: 'gpt-5-mini ↔ deepseek-reasoner' }).waitFor();
    await page.locator('.diff-editor, .monaco-diff-editor').locator('.view-line').first().waitFor();
    await workbench.screenshot('84-compare-diff');
  });

  it('requires the person to keep one answer before a follow-up, sends that to its model, and shows the answers side by side again without a call', async () => {
    const panel = await workbench.webview(question);
    await panel.locator('textarea').fill(followUp);
    await panel.locator('textarea').press('Enter');
    await panel.getByRole('alert').filter({ hasText: 'Keep one answer to continue' }).waitFor();
    await until(async () => assert.equal(await panel.locator('textarea').inputValue(), followUp));
    assert.equal(gateway.postCount(), 3);
    await workbench.screenshot('85-compare-due');
    await panel.getByRole('button', { name: 'Keep This Answer: deepseek-reasoner' }).click();
    await panel.getByRole('group', { name: /^Answer \d of 3/ }).waitFor();
    await until(async () => assert.equal(await panel.locator('.column').count(), 0));
    await panel.locator('.modelButton', { hasText: 'deepseek-reasoner' }).waitFor();
    await workbench.screenshot('86-compare-kept');
    await pressEnter(panel.locator('textarea:focus'));
    await panel.locator('.turn', { hasText: followUp }).locator('.facts', { hasText: / in ·/ }).waitFor();
    await gateway.settled();
    assert.deepEqual([gateway.postCount(), bodies().at(-1)?.model], [4, 'deepseek-reasoner']);
    const answer = await panel.locator('.turn').first().locator('.reply > .markdown').innerText();
    const messages = bodies().at(-1)?.messages;
    assert.deepEqual([messages?.length, messages?.[2]?.content], [3, followUp]);
    assert.ok(answer.includes((messages?.[1]?.content ?? '').split(/\s+/)[0] ?? '-'));
    await workbench.run('workbench.action.closeAllEditors');
    await workbench.start('askModel.openConversation');
    await workbench.pickTyped(question);
    const again = await workbench.webview(question);
    await again.getByRole('group', { name: /^Answer \d of 3/ }).waitFor();
    await again.getByRole('button', { name: 'Compare Side by Side' }).click();
    await column(again, 'deepseek-reasoner').getByText('Kept', { exact: true }).waitFor();
    await until(async () => assert.equal(await again.locator('.column').count(), 3));
    await again.locator('.question').first().scrollIntoViewIfNeeded();
    await workbench.screenshot('87-compare-again');
    await again.getByRole('button', { name: 'Show Only This Answer: deepseek-reasoner' }).click();
    await again.locator('.columns').waitFor({ state: 'detached' });
    assert.equal(gateway.postCount(), 4);
  });
});
