import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

const password = 'Tr0ubKybfPf6%38';
const key = `ghp_${'aB3dE6'.repeat(6)}`;

describe('secrets in what would be sent', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  const profileDir = suite.folder('profile');
  let connected: ConnectedWorkbench;

  const line = (view: FrameLocator) => view.locator('.secrets');
  const lastPost = () => {
    const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
    return request?.body ?? assert.fail('nothing was sent');
  };

  /** Opens a new conversation with the file included. */
  const newQuestion = async (...files: string[]) => {
    const { workbench } = connected;
    await workbench.runCommand('Ask Model: New Conversation');
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
    connected = await suite.connected({ folder, profileDir });
  });

  it('shows what was found and where, and sends nothing before the person chooses', async () => {
    const { workbench, gateway } = connected;
    const view = await newQuestion('.env.local');
    await line(view).filter({ hasText: '.env.local, line 3 looks like a password.' }).waitFor();
    await view.locator('textarea').fill('Why does the upload fail with 403?');
    assert.deepEqual(await line(view).getByRole('button').allInnerTexts(), [
      'Mask and Send',
      'Leave Out',
      'Send As Is',
      'Never for This File',
    ]);
    assert.equal(await view.getByRole('button', { name: 'Send', exact: true }).isVisible(), false);
    const chip = view.locator('.composer li.chip', { hasText: '.env.local' });
    assert.match((await chip.getAttribute('title')) ?? '', /Contains what looks like a secret/);
    await chip.getByRole('button', { name: '.env.local', description: 'Contains what looks like a secret' }).waitFor();
    for (const theme of ['highContrast', 'highContrastLight', 'light', 'dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`48-secret-${theme}`);
    }
    assert.equal(gateway.postCount(), 0);
  });

  it('sends a placeholder, and puts the value back into the answer', async () => {
    const { workbench, gateway } = connected;
    const view = await workbench.webview('New Conversation');
    await view.locator('textarea').fill(`Is the token ${key} the right one?`);
    await line(view).filter({ hasText: '2 places look like secrets.' }).waitFor();
    await line(view).getByRole('button', { name: 'Mask and Send' }).click();
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
    await until(() => assert.notDeepEqual(filesWith(profileDir, 'MASKED_GITHUB_KEY_'), [], 'the question is on disk'));
    for (const secret of [key, password]) {
      assert.deepEqual(filesWith(profileDir, secret), [], 'drafts, conversations and the log have no secret');
    }
  });

  it('never sends the key of the connection, and does not offer it', async () => {
    const { workbench, gateway } = connected;
    const own = /Bearer (.*)/.exec(gateway.requests().at(-1)?.headers.authorization ?? '')?.[1] ?? assert.fail();
    writeFileSync(join(folder, 'settings.py'), `GATEWAY_KEY = "${own}"\n`);
    const view = await newQuestion('settings.py');
    await line(view).filter({ hasText: 'settings.py, line 1 looks like the key of a connection.' }).waitFor();
    assert.deepEqual(await line(view).getByRole('button').allInnerTexts(), ['Mask and Send', 'Leave Out']);
    await view.locator('textarea').fill(`Why is ${own} rejected?`);
    await workbench.screenshot('48-secret-own-key');
    await line(view).getByRole('button', { name: 'Mask and Send' }).click();
    await finishedFacts(view).waitFor();
    assert.match(lastPost(), /GATEWAY_KEY = \\"REMOVED_CONNECTION_KEY\\"/);
    assert.match(lastPost(), /Why is REMOVED_CONNECTION_KEY rejected\?/);
    await view.locator('.reply blockquote', { hasText: 'Why is REMOVED_CONNECTION_KEY rejected?' }).waitFor();
    assert.deepEqual(filesWith(profileDir, own), []);
  });

  it('leaves out the context with the secret', async () => {
    const view = await newQuestion('plain.txt', '.env.local');
    await line(view).getByRole('button', { name: 'Leave Out' }).click();
    await line(view).waitFor({ state: 'hidden' });
    assert.equal(await view.locator('.composer li.chip').count(), 1);
    await view.locator('textarea').fill('What is in it?');
    await pressEnter(view.locator('textarea'));
    await finishedFacts(view).waitFor();
    assert.match(lastPost(), /Nothing to hide/);
    assert.doesNotMatch(lastPost(), /PASSWORD/);
  });

  it('sends the value as it is when the person wants that, and says that it is stored', async () => {
    const view = await newQuestion('.env.local');
    await view.locator('textarea').fill('Is this a good password?');
    await line(view).getByRole('button', { name: 'Send As Is' }).click();
    await finishedFacts(view).waitFor();
    assert.ok(lastPost().includes(password));
    await view
      .getByRole('alert')
      .filter({ hasText: 'Sent as they are, the values are also stored in the conversation.' })
      .waitFor();
  });

  it('looks for no secrets in a file when the person never wants that again', async () => {
    const view = await newQuestion('deploy.env');
    await line(view).getByRole('button', { name: 'Never for This File' }).click();
    await line(view).waitFor({ state: 'hidden' });
    await view.locator('textarea').fill('Why?');
    await pressEnter(view.locator('textarea'));
    await finishedFacts(view).waitFor();
    assert.ok(lastPost().includes(`API_KEY=${key}`));
    const again = await newQuestion('deploy.env');
    assert.equal(await line(again).isVisible(), false);
  });

  it('asks before it explains a selection with a secret, and sends it masked', async () => {
    const { workbench, gateway } = connected;
    const posts = gateway.postCount();
    await workbench.openFile('.env.local');
    await workbench.selectLines(3, 3);
    await workbench.runCommand('Explain Selection with Ask Model');
    const dialog = workbench.page.locator('.monaco-dialog-box', {
      hasText: '.env.local, line 3 looks like a password.',
    });
    await dialog.waitFor();
    await workbench.screenshot('48-secret-dialog');
    assert.equal(gateway.postCount(), posts);
    await dialog.getByRole('button', { name: 'Mask and Send' }).click();
    await until(() => assert.equal(gateway.postCount(), posts + 1));
    assert.match(lastPost(), /MASKED_PASSWORD_1/);
    assert.ok(!lastPost().includes(password));
  });
});
