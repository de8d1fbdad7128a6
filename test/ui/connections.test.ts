import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../gateway/gateway.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { connect, enterKey } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { readSettings } from './support/readSettings.ts';

type Entry = { name: string; baseUrl: string; headers?: Record<string, string> };

describe('managing connections', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let here: Gateway;
  let keys: { all: string; few: string };
  let workbench: Workbench;
  const folder = suite.folder('workspace');

  const host = (gateway: Gateway) => new URL(gateway.baseUrl).host;
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const underBox = (text: string | RegExp) =>
    workbench.page.locator('.quick-input-widget:visible .quick-input-message').filter({ hasText: text });
  const boxTitled = (text: string) =>
    workbench.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: text });
  const row = (text: string) => workbench.quickPicks.filter({ hasText: text });
  const message = (text: string) => workbench.page.locator('.part.sidebar .message', { hasText: text });
  const enter = async (text: string) => workbench.answerQuickInput(text);
  const settings = () => readSettings(workbench)['askModel.connections'] as Entry[];
  /** Picks a row of *Edit Connection* for the connection in use. */
  const edit = async (text: string) => {
    await workbench.start('askModel.editConnection');
    await boxTitled('Edit').waitFor();
    // The last rows are below the others.
    await workbench.quickInput.fill(text);
    await row(text).first().click();
  };

  before(async () => {
    here = await suite.gateway({ delayMs: 0 });
    keys = {
      all: here.createKey({ name: 'all' }).value,
      few: here.createKey({ name: 'few', groups: ['default'] }).value,
    };
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n');
    // Settings of a hostile workspace, which is trusted. They must have no effect.
    const hostile = {
      'askModel.connections': [{ id: 'hostile', baseUrl: `${here.foreign.origin}/v1` }],
      'askModel.network.transport': 'host',
      'http.proxy': here.foreign.origin,
    };
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(hostile));
    workbench = await suite.workbench({ folder });
    await connect(workbench, here.baseUrl, keys.all);
    await workbench.treeRows.filter({ hasText: 'gpt-5.1' }).first().waitFor();
    await workbench.start('askModel.connect');
    await enter(here.baseUrl);
    await row('Add Another Connection').click();
    await enterKey(workbench, keys.few);
    await message(`${host(here)} 2`).waitFor();
    assert.deepEqual(
      settings().map(({ name }) => name),
      [`${host(here)} 2`, host(here)],
    );
  });

  it('replaces a key, removes a key and removes a connection, and says what each does', async () => {
    const [used, other] = settings();
    await edit('Replace Key…');
    await enterKey(workbench, 'sk-wrong-key-of-someone');
    await underBox('The gateway rejected this key').waitFor();
    await enterKey(workbench, keys.all);
    await edit('Remove Key');
    await dialog().filter({ hasText: 'deleted from secret storage' }).waitFor();
    await workbench.screenshot('41-remove-key');
    await dialog().getByRole('button', { name: 'Remove Key' }).click();
    await workbench.page.locator('.part.sidebar', { hasText: 'No key is stored for this connection' }).waitFor();
    await workbench.screenshot('42-no-key');
    await edit('Remove Connection and Key');
    await dialog()
      .filter({ hasText: `questions will be sent to ${other?.name}` })
      .waitFor();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await message(`${other?.name} · `).waitFor();
    assert.ok(!settings().some(({ name }) => name === used?.name));
  });
});
