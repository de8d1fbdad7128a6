import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../gateway/gateway.ts';
import { listenOnLoopback } from '../gateway/network/listenOnLoopback.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, chooseModel, connect, enterKey, finishedFacts, keyBox } from './support/connectedWorkbench.ts';
import { readSettings } from './support/editSettings.ts';
import { openForSuite } from './support/openForSuite.ts';

type Entry = { name: string; baseUrl: string; headers?: Record<string, string>; consoleUrl?: string };

describe('gateways whose list cannot simply be read', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let withoutList: Server;
  let wantsHeader: Server;
  let key: string;
  let workbench: Workbench;
  const lists: { url: string | undefined; team: string | string[] | undefined }[] = [];
  const folder = suite.folder('workspace');

  /** Something in front of the gateway, which answers a request for the list itself unless it hands it on. */
  const inFront = (answer: (incoming: IncomingMessage, response: ServerResponse) => boolean) =>
    createServer((incoming, response) => {
      if (incoming.method === 'GET') {
        lists.push({ url: incoming.url, team: incoming.headers['x-team'] });
        if (answer(incoming, response)) {
          return;
        }
      }
      const { method, url, headers } = incoming;
      const onward = request(new URL(url ?? '', gateway.baseUrl), { method, headers }, (answered) => {
        response.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(response);
      });
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    });
  const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const bar = (text: string | RegExp) => workbench.page.locator('.part.sidebar').filter({ hasText: text });
  const titled = (text: string) =>
    workbench.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: text });
  const row = (text: string) => workbench.quickPicks.filter({ hasText: text });
  const button = (icon: string) => workbench.page.locator(`.quick-input-widget:visible .action-label.codicon-${icon}`);
  const underBox = (text: string) =>
    workbench.page.locator('.quick-input-widget:visible .quick-input-message').filter({ hasText: text });
  const entries = () => (readSettings(workbench)['askModel.connections'] ?? []) as Entry[];

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'person' }).value;
    withoutList = inFront((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such route"}}');
      return true;
    });
    wantsHeader = inFront(({ headers }, response) => {
      if (headers['x-team'] === 'blue') {
        return false;
      }
      const [status, message] = lists.length === 1 ? [401, 'unauthorized'] : [400, 'The header x-team is missing'];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
      return true;
    });
    for (const server of [withoutList, wantsHeader]) {
      await listenOnLoopback(server, 0);
      suite.ends(() => server.close());
    }
    workbench = await suite.workbench({
      folder,
    });
  });

  it('offers to keep what could not be checked, and keeps nothing before that is picked', async () => {
    await connect(workbench, addressOf(withoutList), key);
    await row('Keep Without Checking').waitFor();
    await workbench.screenshot('unchecked-choice');
    assert.match(
      await workbench.quickPicks.first().innerText(),
      /Change the Address/,
      'one Enter too many keeps nothing',
    );
    assert.deepEqual(entries(), []);
    await row('Keep Without Checking').click();
    await bar('Not checked yet').waitFor();
    await workbench.screenshot('unchecked-kept');
    assert.deepEqual(
      entries().map(({ baseUrl }) => baseUrl),
      [`${addressOf(withoutList)}/v1`],
    );
  });

  it('answers a question of a model that is added by its id, and calls the connection unchecked no more', async () => {
    await workbench.treeRows
      .filter({ hasText: /Id…|ID…/ })
      .first()
      .click();
    await workbench.answerQuickInput('gpt-5-mini');
    await chooseModel(workbench, 'gpt-5-mini');
    const panel = await askInPanel(workbench, 'What is this?');
    await finishedFacts(panel).waitFor();
    await bar('answers questions, but gives no list of models').waitFor();
    await workbench.screenshot('unchecked-answered');
    assert.equal(gateway.postCount(), 1);
    assert.equal(await bar('Not checked yet').count(), 0);
  });

  it('replaces a key without a check alike, also in a window that is loaded again', async () => {
    const second = gateway.createKey({ name: 'second' }).value;
    await workbench.runCommand('Ask Model: Replace Key');
    await enterKey(workbench, second);
    await row('Keep Without Checking').waitFor();
    await until(async () => assert.match(await workbench.quickPicks.first().innerText(), /Change the Key/));
    await row('Keep Without Checking').click();
    await bar('Not checked yet').waitFor();
    await workbench.reload();
    await workbench.sideBar('Ask Model');
    await bar('Not checked yet').waitFor();
  });

  it('checks a key with a header that is typed while connecting', async () => {
    lists.length = 0;
    await connect(workbench, addressOf(wantsHeader), key);
    await underBox('The gateway rejected this key').waitFor();
    await workbench.screenshot('unchecked-rejected');
    await button('ellipsis').click();
    await row('Keep Without Checking').waitFor();
    await until(async () => assert.match(await workbench.quickPicks.first().innerText(), /Change the Key/));
    await button('quick-input-back').click();
    await keyBox(workbench).press('Enter');
    await row('Keep Without Checking').waitFor();
    await until(async () =>
      assert.match(await workbench.quickPicks.first().innerText(), /Extra Headers/, 'the gateway speaks of one'),
    );
    await row('Extra Headers').click();
    await row('Add a Header').click();
    await titled('Add a Header').waitFor();
    await workbench.answerQuickInput('X-Team: blue');
    await row('x-team').waitFor();
    await workbench.screenshot('unchecked-headers');
    await button('quick-input-back').click();
    await underBox('with one extra header').waitFor();
    await keyBox(workbench).press('Enter');
    await workbench.treeRows.filter({ hasText: 'Anthropic' }).first().waitFor();
    assert.equal(await bar('Not checked yet').count(), 0);
    assert.deepEqual(
      lists.slice(0, 3).map(({ team }) => team),
      [undefined, undefined, 'blue'],
    );
    assert.deepEqual(entries()[0]?.headers, { 'x-team': 'blue' });
    assert.equal(gateway.postCount(), 1);
  });

  it('asks for the address of a console that is not known, and opens it in the same step', async () => {
    await workbench.runCommand('Ask Model: Open Console in Browser');
    await titled('Console of').waitFor();
    await workbench.quickInput.fill('ftp://console.example');
    await underBox('not ftp').waitFor();
    await workbench.answerQuickInput('https://console.example/keys');
    const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'console.example/keys' });
    await dialog.waitFor();
    await workbench.screenshot('console-opened');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await until(async () => assert.equal(entries()[0]?.consoleUrl, 'https://console.example/keys'));
  });
});
