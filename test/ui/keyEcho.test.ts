import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { keyForms } from '../gateway/faults/streams.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, connect, finishedFacts } from './support/connectedWorkbench.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';

/** Parts of a key, and of its encoded forms, that would disclose it. */
function tracesOf(key: string): string[] {
  const middles = keyForms(key).map((form) => form.slice(form.length / 4, (form.length * 3) / 4));
  return [key, key.slice(3, 19), key.slice(19, 35), key.slice(-16), ...middles];
}

describe('a gateway that repeats the key of the call', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let key: string;
  let workbench: Workbench;
  const folder = suite.folder('workspace');

  /** Checks that no document of the window contains a part of the key. */
  const sweepWindow = async () => {
    for (const frame of workbench.page.frames()) {
      const shown = await frame.content();
      for (const trace of tracesOf(key)) {
        assert.ok(!shown.includes(trace), `${trace} is in ${frame.url()}`);
      }
    }
  };

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    gateway.setFault('models-with-key@models');
    key = gateway.createKey({ name: 'person' }).value;
    writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n');
    workbench = await suite.workbench({ folder });
  });

  it('shows and stores models, a reply and its reasoning without the key', async () => {
    await connect(workbench, gateway.baseUrl, key);
    await workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first().waitFor();
    await workbench.screenshot('90-models-with-key');
    await sweepWindow();
    await workbench.start('askModel.chooseModel');
    await workbench.pickTyped('gpt-5-mini');
    gateway.setFault('key-in-reply@chat');
    const panel = await askInPanel(workbench, 'Who am I?');
    await finishedFacts(panel).waitFor();
    await panel.locator('details.reasoning summary').first().click();
    const reply = panel.locator('.reply').last();
    await reply.locator('.markdown', { hasText: 'Called with [key removed] and' }).first().waitFor();
    await reply.locator('.markdown', { hasText: 'local gateway plays it' }).first().waitFor();
    await workbench.screenshot('91-reply-with-key');
    await sweepWindow();
    await workbench.runCommand('Ask Model: Troubleshoot…');
    await workbench.quickPicks.filter({ hasText: 'Show Log' }).click();
    await sweepWindow();
    const { profileDir } = workbench.server;
    await until(() => assert.notDeepEqual(filesWith(profileDir, 'Called with [key removed] and'), []));
    assert.deepEqual(filesWith(profileDir, ...tracesOf(key)), []);
  });
});
