import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel, typeQuestion } from '../support/connectedWorkbench.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';

const password = 'Tr0ubKybfPf6%38';
const key = `ghp_${'aB3dE6'.repeat(6)}`;

describe('secrets in what would be sent', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let connected: ConnectedWorkbench;

  const review = (view: FrameLocator) => view.getByRole('alertdialog');
  const lastPost = () => {
    const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
    return request?.body ?? assert.fail('nothing was sent');
  };

  /** Opens a new conversation with the file included. */
  const newQuestion = async (...files: string[]) => {
    const { workbench } = connected;
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    for (const file of files) {
      await view.locator('textarea').pressSequentially(`#${file}`);
      await view.getByRole('option').filter({ hasText: file }).first().waitFor();
      await view.locator('textarea').press('Tab');
      await view.locator('.composer li.chip', { hasText: file }).waitFor();
    }
    return view;
  };

  before(async () => {
    writeFileSync(join(folder, '.env.local'), `PORT=3000\nHOST=db\nDB_PASSWORD=${password}\nDEBUG=1\n`);
    writeFileSync(join(folder, 'deploy.env'), `API_KEY=${key}\n`);
    writeFileSync(join(folder, 'plain.txt'), 'Nothing to hide.\n');
    connected = await suite.connected({ folder });
  });

  it('shows what was found and where, sends a placeholder when the person chooses that, and puts the value back into the answer', async () => {
    const { workbench, gateway } = connected;
    const view = await newQuestion('.env.local');
    const chip = view.locator('.composer li.chip', { hasText: '.env.local' });
    assert.match((await chip.getAttribute('title')) ?? '', /Contains what looks like a secret/);
    await chip.getByRole('button', { name: '.env.local', description: 'Contains what looks like a secret' }).waitFor();
    await typeQuestion(view, 'Why does the upload fail with 403?');
    await review(view).filter({ hasText: '.env.local, line 3 looks like a password.' }).waitFor();
    assert.deepEqual(await review(view).getByRole('button').allInnerTexts(), [
      'Mask and Send',
      'Send As Is',
      'Choose What to Send…',
      'Never for This File',
      'Cancel',
    ]);
    await workbench.screenshot('48-secret');
    await workbench.page.keyboard.press('Escape');
    await view.locator('.refusal', { hasText: 'Nothing was sent.' }).waitFor();
    await view.locator('textarea:focus').waitFor();
    assert.equal(gateway.postCount(), 0);
    await typeQuestion(view, `Is the token ${key} the right one?`);
    await review(view).filter({ hasText: '2 places look like secrets.' }).waitFor();
    await view.locator('.review:focus').waitFor();
    const { keyboard } = workbench.page;
    for (const _ of ['Mask and Send', 'Send As Is', 'Choose What to Send…']) {
      await keyboard.press('Tab');
    }
    await keyboard.press('Enter');
    await workbench.page.locator('.quick-input-title', { hasText: 'Choose What to Send' }).waitFor();
    await workbench.screenshot('48-secret-choose');
    await workbench.page.locator('.quick-input-widget:visible input:focus').first().waitFor();
    await keyboard.press('Enter');
    // What is left in is asked about.
    await view.locator('.review:focus').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await finishedFacts(view).waitFor();
    assert.equal(gateway.postCount(), 1);
    assert.match(lastPost(), /DB_PASSWORD=MASKED_PASSWORD_1/);
    assert.match(lastPost(), /Is the token MASKED_GITHUB_KEY_\d+_\w+ the right one\?/);
    // The gateway's answer quotes the question.
    await view.locator('.reply blockquote', { hasText: `Is the token ${key} the right one?` }).waitFor();
    await view.locator('.question', { hasText: 'Is the token MASKED_GITHUB_KEY_' }).waitFor();
    await workbench.screenshot('48-secret-answered');
    assert.ok(!JSON.stringify(gateway.requests()).includes(key));
    assert.ok(!JSON.stringify(gateway.requests()).includes(password));
    const { profileDir } = workbench.server;
    await until(() => assert.notDeepEqual(filesWith(profileDir, 'MASKED_GITHUB_KEY_'), [], 'the question is on disk'));
    assert.deepEqual(filesWith(profileDir, key, password), [], 'drafts, conversations and the log have no secret');
  });
});
