import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../gateway/gateway.ts';
import { listenOnLoopback } from '../gateway/network/listenOnLoopback.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, chooseModel, connect, finishedFacts, keyBox } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { readSettings } from './support/readSettings.ts';

type Entry = { name: string; baseUrl: string; headers?: Record<string, string>; consoleUrl?: string };

describe('gateways whose model list can’t be read', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let withoutList: Server;
  let requiresHeader: Server;
  let key: string;
  let workbench: Workbench;
  const lists: { url: string | undefined; team: string | string[] | undefined }[] = [];
  const folder = suite.folder('workspace');

  /** Creates a proxy in front of the gateway. `answer` may answer requests for the list; the others are forwarded. */
  const proxyWith = (answer: (incoming: IncomingMessage, response: ServerResponse) => boolean) =>
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
    withoutList = proxyWith((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such route"}}');
      return true;
    });
    requiresHeader = proxyWith(({ headers }, response) => {
      if (headers['x-team'] === 'blue') {
        return false;
      }
      const [status, message] = lists.length <= 2 ? [401, 'unauthorized'] : [400, 'The header x-team is missing'];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
      return true;
    });
    for (const server of [withoutList, requiresHeader]) {
      await listenOnLoopback(server, 0);
      suite.ends(() => server.close());
    }
    workbench = await suite.workbench({
      folder,
    });
  });

  it('keeps a connection that could not be checked only when the person wants that, and asks a model that was added by its ID', async () => {
    await connect(workbench, addressOf(withoutList), key);
    await row('Save Without Checking').waitFor();
    await workbench.screenshot('unchecked-choice');
    assert.match(await workbench.quickPicks.first().innerText(), /Change Address/, 'an extra Enter stores nothing');
    assert.deepEqual(entries(), []);
    await row('Save Without Checking').click();
    await bar('If the gateway has no model list').waitFor();
    await workbench.screenshot('unchecked-kept');
    assert.deepEqual(
      entries().map(({ baseUrl }) => baseUrl),
      [`${addressOf(withoutList)}/v1`],
    );
    await workbench.treeRows
      .filter({ hasText: /Id…|ID…/ })
      .first()
      .click();
    await workbench.answerQuickInput('gpt-5-mini');
    await chooseModel(workbench, 'gpt-5-mini');
    const panel = await askInPanel(workbench, 'What is this?');
    await finishedFacts(panel).waitFor();
    await workbench.screenshot('unchecked-answered');
    assert.equal(gateway.postCount(), 1);
  });

  it('checks a key with a header that was added while connecting', async () => {
    lists.length = 0;
    const posts = gateway.postCount();
    await connect(workbench, addressOf(requiresHeader), key);
    await underBox('The gateway rejected this key').waitFor();
    await workbench.screenshot('unchecked-rejected');
    await keyBox(workbench).press('Enter');
    await row('Save Without Checking').waitFor();
    await until(async () => assert.match(await workbench.quickPicks.first().innerText(), /Change Key/));
    await button('quick-input-back').click();
    await keyBox(workbench).press('Enter');
    await row('Save Without Checking').waitFor();
    await until(async () =>
      assert.match(
        await workbench.quickPicks.first().innerText(),
        /Extra Headers/,
        'the gateway’s message mentions a header',
      ),
    );
    await row('Extra Headers').click();
    await titled('Extra Headers').waitFor();
    await workbench.screenshot('unchecked-headers');
    await workbench.answerQuickInput('{"X-Team": "blue"}');
    await keyBox(workbench).waitFor();
    await keyBox(workbench).press('Enter');
    await workbench.treeRows.filter({ hasText: 'Anthropic' }).first().waitFor();
    assert.equal(await bar('If the gateway has no model list').count(), 0);
    assert.deepEqual(
      lists.slice(0, 4).map(({ team }) => team),
      [undefined, undefined, undefined, 'blue'],
    );
    assert.deepEqual(entries()[0]?.headers, { 'x-team': 'blue' });
    assert.equal(gateway.postCount(), posts);
  });
});
