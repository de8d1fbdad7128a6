import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { connect } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { readSettings } from './support/readSettings.ts';

const caller = 'ask-model.ask-model-caller';
const allowed = 'askModel.languageModels.allowedExtensions';

describe('another extension that asks models with the person’s key', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  /** The text of the other extension's notification. */
  const callerMessage = () =>
    workbench.notifications
      .filter({ hasText: /answered: /i })
      .first()
      .innerText();
  const ask = () => workbench.run('askModelCaller.ask');
  const settingsPath = () => join(workbench.server.profileDir, 'user', 'User', 'settings.json');

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    workbench = await suite.workbench({ folder });
    await connect(workbench, gateway.baseUrl, gateway.createKey({ name: 'person' }).value);
    await workbench.treeRows.filter({ hasText: 'OpenAI' }).first().waitFor();
  });

  it('asks for consent once, even if settings of an earlier version allow the extension, and again after it was revoked', async () => {
    await ask();
    await dialog().waitFor();
    const words = await dialog().innerText();
    assert.match(
      words,
      /Allow Ask Model: the other extension of the tests \(ask-model\.ask-model-caller\) to ask models/,
    );
    assert.match(words, /a paid call to 127\.0\.0\.1/);
    await workbench.screenshot('language-models-consent-light');
    assert.equal(gateway.postCount(), 0);
    await dialog().locator('.monaco-button', { hasText: 'Cancel' }).click();
    await until(async () =>
      assert.match(await callerMessage(), /Not answered: .* isn't allowed to ask models with your key\./),
    );
    await workbench.run('notifications.clearAll');
    await ask();
    await until(async () => assert.match(await callerMessage(), /Not answered: .* isn't allowed to ask models/));
    assert.equal(await dialog().count(), 0);
    assert.equal(gateway.postCount(), 0);
    writeFileSync(settingsPath(), JSON.stringify({ ...readSettings(workbench), [allowed]: [caller] }));
    await workbench.reload();
    await until(() => assert.equal(readSettings(workbench)[allowed], undefined, 'the former setting is removed'));
    await ask();
    await dialog().locator('.monaco-button', { hasText: 'Allow' }).click();
    await until(async () => assert.match(await callerMessage(), /^Answered: /));
    assert.equal(gateway.postCount(), 1);
    await workbench.run('notifications.clearAll');
    await ask();
    await until(async () => assert.match(await callerMessage(), /^Answered: /));
    assert.equal(gateway.postCount(), 2);
    assert.equal(await dialog().count(), 0);
    await workbench.start('askModel.revokeExtension');
    await workbench.pick('the other extension of the tests');
    await ask();
    await dialog().locator('.monaco-button', { hasText: 'Cancel' }).click();
    assert.equal(gateway.postCount(), 2);
  });
});
