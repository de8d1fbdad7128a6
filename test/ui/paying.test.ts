import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, type ConnectedWorkbench, questionPanel, typeQuestion } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

const keys = [
  { key: 'f8', command: 'askModel.ask' },
  { key: 'f9', command: 'askModel.explainSelection' },
];
const lines = Array.from({ length: 30 }, (_, line) => `export const value${line} = ${line};`);

describe('preventing unintended paid calls', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let gateway: Gateway;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const profileDir = suite.folder('profile');
  const panels = () =>
    workbench.page.locator('.tab[data-resource-name^="webview-panel"], .tab', { hasText: 'Explain this' });
  const tabs = () => workbench.page.locator('.tab');
  const list = () => workbench.page.locator('.quick-input-widget:visible');
  /** Holds a key for the time of `repeats` repeats, at the rate of a real keyboard, without waiting for the page. */
  const hold = async (key: string, repeats: number) => {
    const { keyboard } = workbench.page;
    const pressed: Promise<void>[] = [];
    for (let repeat = 0; repeat <= repeats; repeat++) {
      pressed.push(keyboard.down(key));
      await delay(30);
    }
    await Promise.all(pressed);
    await keyboard.up(key);
  };

  before(async () => {
    writeFileSync(join(folder, 'values.ts'), `${lines.join('\n')}\n`);
    mkdirSync(join(profileDir, 'user', 'User'), { recursive: true });
    writeFileSync(join(profileDir, 'user', 'User', 'keybindings.json'), JSON.stringify(keys));
    connected = await suite.connected({ folder, profileDir });
    ({ gateway, workbench } = connected);
  });

  afterEach(() => {
    gateway.setFault(undefined);
    gateway.setDelayMs(0);
  });

  it('asks for confirmation before a command sends a fourth question without a key or click in between, with the number and the host', async () => {
    await workbench.openFile('values.ts');
    await workbench.runCommand('Caller: Explain Twenty Lines');
    const { host } = new URL(gateway.baseUrl);
    await list()
      .filter({ hasText: `Send another question to ${host}?` })
      .waitFor();
    await workbench.screenshot('141-fourth-question');
    await until(async () => assert.equal(gateway.postCount(), 3));
    // Questions that arrive while the list is open share the next one.
    await workbench.page.locator('.statusbar-item', { hasText: 'All lines were called' }).waitFor();
    await list().getByRole('option', { name: 'Send', exact: true }).click();
    await list()
      .filter({ hasText: `Send 16 more questions to ${host}?` })
      .waitFor();
    await workbench.screenshot('142-more-questions');
    await until(async () => assert.equal(gateway.postCount(), 3 + 1));
    await workbench.page.keyboard.press('Escape');
    await list().waitFor({ state: 'hidden' });
    // Nothing was sent, and the first of the questions is in the box of a panel.
    const panel = await workbench.webview();
    const box = panel.getByLabel('Question', { exact: true });
    await until(async () => assert.equal(await box.inputValue(), 'Explain this code.'));
    assert.equal(await panel.locator('.composer li.chip').count(), 1);
    await workbench.screenshot('143-declined');
    await until(async () => assert.equal(await workbench.page.locator('.tab').count(), 1 + 4 + 1));
    await gateway.settled();
    assert.equal(gateway.postCount(), 3 + 1);
  });

  it('sends nothing when Escape follows Enter at once, and returns the text to the box', async () => {
    const panel = await workbench.webview();
    const box = panel.getByLabel('Question', { exact: true });
    await box.fill('Sent by mistake');
    const posts = gateway.postCount();
    await box.evaluate((target) => {
      for (const key of ['Enter', 'Escape']) {
        target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
    });
    await panel.getByText('Nothing was sent.').waitFor();
    await until(async () => assert.equal(await box.inputValue(), 'Sent by mistake'));
    assert.equal(await panel.locator('.turn').count(), 0);
    await gateway.settled();
    assert.equal(gateway.postCount(), posts);
  });

  it('can stop a question while the extension host is busy, with a Stop button that appears at once', async () => {
    const panel = await workbench.webview();
    const box = panel.getByLabel('Question', { exact: true });
    const posts = gateway.postCount();
    await workbench.runCommand('Caller: Be Busy for Eight Seconds');
    await pressEnter(box);
    await panel.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await workbench.screenshot('144-stop-at-once');
    await box.press('Escape');
    await panel.getByText('Nothing was sent.').waitFor();
    await until(async () => assert.equal(await box.inputValue(), 'Sent by mistake'));
    await gateway.settled();
    assert.equal(gateway.postCount(), posts);
    await workbench.screenshot('145-stopped-in-time');
  });

  it('refuses Enter while an answer arrives, and keeps the text', async () => {
    const panel = await workbench.webview();
    const box = panel.getByLabel('Question', { exact: true });
    const posts = gateway.postCount();
    gateway.setDelayMs(150);
    await pressEnter(box);
    await panel.locator('.reply .markdown', { hasText: /\w/ }).waitFor();
    await box.fill('And then?');
    await box.press('Enter');
    await panel.getByText("An answer is still arriving. Stop it or wait until it's complete.").waitFor();
    await workbench.screenshot('146-still-arriving');
    assert.equal(await box.inputValue(), 'And then?');
    await box.press('Escape');
    await panel.locator('.trouble', { hasText: 'Stopped after' }).waitFor();
    assert.equal(await box.inputValue(), 'And then?');
    await gateway.settled();
    assert.equal(gateway.postCount(), posts + 1);
    assert.equal(gateway.usageLog().at(-1)?.state, 'client_gone');
  });

  it('stops the running reply, even when an earlier question was sent again', async () => {
    gateway.setFault('balance-empty@chat');
    const panel = await askInPanel(workbench, 'First of two?');
    await panel.locator('.trouble').waitFor();
    gateway.setFault(undefined);
    await typeQuestion(panel, 'Second of two?');
    await panel.locator('.turn', { hasText: 'Second of two?' }).locator('.facts', { hasText: / in ·/ }).waitFor();
    gateway.setDelayMs(150);
    const first = panel.locator('.turn').first();
    await first.getByRole('button', { name: /^Send Again/ }).click();
    await first.locator('.markdown', { hasText: /\w/ }).waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await first.locator('.trouble', { hasText: 'Stopped after' }).waitFor();
    await gateway.settled();
    assert.equal(gateway.usageLog().at(-1)?.state, 'client_gone');
  });

  it('explains a selection once, in one panel, even if the key is held down', async () => {
    await workbench.openFile('values.ts');
    await workbench.selectLines(1, 2);
    const [posts, before] = [gateway.postCount(), await panels().count()];
    await hold('F9', 100);
    await until(async () => assert.equal(gateway.usageLog().length, posts + 1));
    await gateway.settled();
    assert.equal(gateway.postCount(), posts + 1);
    await until(async () => assert.equal(await panels().count(), before + 1));
    await workbench.screenshot('140-held-key');
  });

  it('keeps the text in the question box when its command runs again', async () => {
    const posts = gateway.postCount();
    const line = workbench.page.locator('.editor-group-container .view-line', { hasText: 'value20' });
    await line.click();
    await hold('F8', 10);
    const before = await tabs().count();
    await (await questionPanel(workbench)).locator('textarea').fill('Half a question');
    await line.click();
    await hold('F8', 20);
    assert.equal(await (await questionPanel(workbench)).locator('textarea').inputValue(), 'Half a question');
    assert.equal(await tabs().count(), before);
    assert.equal(gateway.postCount(), posts);
  });
});
