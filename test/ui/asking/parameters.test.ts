import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

describe('the parameters of a question', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let connected: ConnectedWorkbench;
  let view: FrameLocator;

  const button = () => view.locator('.parametersButton');
  const problem = () => connected.workbench.page.locator('.quick-input-widget:visible .quick-input-message');
  /** The fields of the last request that parameters added. */
  const lastFields = (): Record<string, unknown> => {
    const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
    const { model, messages, stream, stream_options, ...fields } = JSON.parse(request?.body ?? '{}');
    assert.ok(model && messages && stream && stream_options);
    return fields;
  };
  const send = async (question: string) => {
    const { gateway } = connected;
    const posts = gateway.postCount();
    await view.locator('textarea').fill(question);
    await pressEnter(view.locator('textarea'));
    await until(() => assert.equal(gateway.postCount(), posts + 1));
    return lastFields();
  };
  const pickRow = async (row: string) => {
    await connected.workbench.quickPicks.filter({ hasText: row }).first().waitFor();
    await connected.workbench.pick(row);
  };

  /** Types into the input box for a parameter, once it is open. */
  const enter = async (title: string, text: string) => {
    const { workbench } = connected;
    await workbench.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: title }).waitFor();
    await workbench.page.locator('.quick-input-widget:visible .quick-input-list').waitFor({ state: 'hidden' });
    await workbench.answerQuickInput(text);
  };

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    const evil = [{ id: 'x', baseUrl: 'https://evil.example', parameters: { temperature: 2 } }];
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'askModel.connections': evil }));
    connected = await suite.connected({ folder, viewport: { width: 1280, height: 800 } });
    await connected.workbench.runCommand('Ask Model: New Conversation');
    view = await questionPanel(connected.workbench);
  });

  it('sends none unless one is set, and none of the workspace', async () => {
    assert.equal(await button().getAttribute('aria-label'), 'Parameters');
    assert.deepEqual(await send('What is 1 + 1?'), {});
    await finishedFacts(view).waitFor();
  });

  it('sets the effort of the conversation from the question box, and a temperature of the model', async () => {
    const { workbench } = connected;
    await button().click();
    await workbench.quickPicks.filter({ hasText: 'Reasoning Effort' }).waitFor();
    await workbench.screenshot('49-parameters');
    await pickRow('Reasoning Effort');
    await workbench.quickPicks.filter({ hasText: 'xhigh' }).waitFor();
    await workbench.screenshot('49-parameters-effort');
    await workbench.pick('minimal');
    await until(async () => assert.equal(await button().innerText(), 'effort: minimal'));
    assert.ok(await view.locator('textarea').evaluate((box) => box === document.activeElement));
    await button().click();
    await pickRow('Parameters of gpt-5-mini');
    await pickRow('Temperature');
    await enter('Temperature', '3');
    await problem().filter({ hasText: 'temperature must be a number from 0 to 2.' }).waitFor();
    await workbench.screenshot('49-parameters-refused');
    await enter('Temperature', '0.2');
    await until(async () => assert.equal(await button().innerText(), 'effort: minimal · temperature: 0.2'));
    assert.deepEqual(await send('And 2 + 2?'), { reasoning_effort: 'minimal', temperature: 0.2 });
    await finishedFacts(view).waitFor();
  });

  it('refuses fields that the extension sets where they are typed, and sends other JSON as it is', async () => {
    await button().click();
    await pickRow('Extra Body');
    for (const [typed, words] of [
      ['{"n": 2}', "n can't be set in extraBody, because Ask Model sets it."],
      ['{"temperature": 1}', 'Set the parameter temperature instead.'],
      ['[1]', 'extraBody must be a JSON object'],
    ] as const) {
      await enter('Extra Body', typed);
      await problem().filter({ hasText: words }).waitFor();
    }
    await enter('Extra Body', '{"top_p": 0.9}');
    await until(async () => assert.match(await button().innerText(), /top_p$/));
    const fields = await send('And 3 + 3?');
    assert.deepEqual(fields, { top_p: 0.9, reasoning_effort: 'minimal', temperature: 0.2 });
    await finishedFacts(view).waitFor();
  });

  it('offers to send again without a parameter that the gateway rejects, one call for each click', async () => {
    const { workbench, gateway } = connected;
    gateway.setFault('extra-parameters-rejected');
    try {
      await send('And 4 + 4?');
      for (const field of ['top_p', 'temperature', 'reasoning_effort']) {
        const card = view.locator('.trouble', { hasText: `gpt-5-mini doesn't accept ${field}` });
        await card.waitFor();
        assert.equal(field in lastFields(), true);
        await workbench.screenshot(`49-rejected-${field}`);
        const posts = gateway.postCount();
        await card.getByRole('button', { name: 'Send Again Without It' }).click();
        await until(() => assert.equal(gateway.postCount(), posts + 1));
        assert.equal(field in lastFields(), false, `${field} isn't sent any more`);
      }
      await finishedFacts(view).waitFor();
      assert.deepEqual(await send('And 5 + 5?'), {}, 'the next question is sent without them');
      await finishedFacts(view).waitFor();
    } finally {
      gateway.setFault(undefined);
    }
    assert.match((await button().getAttribute('title')) ?? '', /not sent, because it was rejected: .*top_p/);
    await button().click();
    await workbench.quickPicks.filter({ hasText: 'not sent, because it was rejected: top_p' }).waitFor();
    await workbench.screenshot('49-parameters-rejected');
    await pickRow('Parameters of gpt-5-mini');
    await pickRow('Send Rejected Parameters Again');
    await until(async () => assert.match(await button().innerText(), /^effort: minimal · temperature: 0\.2 · top_p$/));
  });

  it('restores the parameters with the conversation, and shows them in every theme', async () => {
    const { workbench } = connected;
    await workbench.reload();
    view = await workbench.webview();
    await until(async () => assert.match(await button().innerText(), /^effort: minimal · temperature: 0\.2 · top_p$/));
    for (const theme of ['dark', 'highContrast', 'highContrastLight'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`49-parameters-${theme}`);
    }
  });
});

describe('the parameters of a question in Chinese, in a narrow window', { timeout: 200_000 }, () => {
  const suite = openForSuite();

  it('shows them in Chinese', async () => {
    const gateway = await suite.gateway({ delayMs: 0 });
    const texts = JSON.parse(readFileSync(join(projectRoot, 'package.nls.zh-cn.json'), 'utf8'));
    const parameters = { reasoningEffort: 'high', temperature: 0.2, tokenLimit: 4_000, extraBody: { top_p: 0.9 } };
    const connection = { id: 'one', name: 'one', baseUrl: gateway.baseUrl, parameters };
    const workbench = await suite.workbench({
      folder: suite.folder('workspace'),
      language: 'zh-cn',
      theme: 'dark',
      viewport: { width: 420, height: 700 },
      settings: { 'askModel.connections': [connection] },
    });
    await workbench.runCommand(`Ask Model: ${texts['command.newConversation']}`);
    const view = await workbench.webview();
    await view.locator('.parametersButton', { hasText: '强度：high' }).waitFor();
    await workbench.screenshot('49-parameters-chinese');
    await workbench.runCommand(`Ask Model: ${texts['command.editParameters']}`);
    await workbench.quickPicks.filter({ hasText: '思考强度' }).waitFor();
    await workbench.screenshot('49-parameters-chinese-list');
  });
});
