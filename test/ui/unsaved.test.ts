import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { TimedWords, timedPieces } from '../gateway/timedWords.ts';
import { until } from '../until.ts';
import { extensionHosts } from '../vscode/extensionHosts.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { answerFileDialog } from './support/answerFileDialog.ts';
import { askInPanel, chooseModel, connect } from './support/connectedWorkbench.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';

const words = 600;

describe('when the disk is full while an answer arrives', {
  skip: process.platform !== 'linux',
  timeout: 300_000,
}, () => {
  const suite = openForSuite();
  const server = new TimedWords();
  suite.ends(() => server.close());
  const folder = suite.folder('workspace');
  const files = suite.folder('exported');
  let workbench: Workbench;

  const notification = (text: string) => workbench.notifications.filter({ hasText: text });
  const press = (text: string, name: string) => notification(text).first().getByRole('button', { name }).click();
  const lastReply = (panel: FrameLocator) => panel.locator('.reply').last();
  const shownPieces = async (panel: FrameLocator) =>
    timedPieces((await lastReply(panel).textContent()) ?? '', 'w').length;
  const closePanel = async (title: string) => {
    await workbench.webview(title);
    await workbench.run('workbench.action.closeActiveEditor');
    await workbench.page.locator('.tab', { hasText: title }).waitFor({ state: 'detached' });
  };
  const dismiss = async () => workbench.run('notifications.clearAll');

  /** Returns the file of the only conversation with this title. */
  const fileOf = (title: string) => {
    const { profileDir } = workbench.server;
    const [found, ...others] = filesWith(profileDir, title).filter((path) => path.endsWith('.jsonl'));
    assert.ok(found && others.length === 0);
    return join(profileDir, found);
  };
  const storedPieces = (path: string) => timedPieces(readFileSync(path, 'utf8'), 'w').length;

  /** Limits the size of the extension host's files: a write beyond it fails after a part, as on a full disk. */
  const limitFiles = (bytes: number) => {
    const [host, ...others] = extensionHosts(workbench.server.pid);
    assert.ok(host !== undefined && others.length === 0);
    execFileSync('prlimit', ['--pid', String(host), `--fsize=${bytes}:unlimited`]);
  };
  /** Replaces the file with `/dev/full`, which refuses every write. */
  const fill = (path: string) => {
    renameSync(path, `${path}.aside`);
    symlinkSync('/dev/full', path);
  };
  const makeRoom = (path: string) => {
    rmSync(path);
    renameSync(`${path}.aside`, path);
  };

  /** Asks, and makes the disk full after the first pieces of the reply. */
  async function askUntilFull(
    question: string,
    fillDisk: (path: string) => void,
    message = "can't be saved",
  ): Promise<FrameLocator> {
    const panel = await askInPanel(workbench, question);
    await lastReply(panel).locator('.markdown', { hasText: 'w20@' }).waitFor();
    fillDisk(fileOf(question));
    // It hides by itself.
    await notification(message).waitFor();
    await lastReply(panel).locator('.facts').waitFor({ timeout: 60_000 });
    return panel;
  }

  before(async () => {
    const base = await server.listen();
    workbench = await suite.workbench({ folder });
    await connect(workbench, base, 'sk-Loopback0123456789key');
    await chooseModel(workbench, 'timed-words');
    server.pace = { firstMs: 0, paceMs: 10, thoughts: 0, words };
  });

  it('keeps the reply of a closed panel, offers to show or save it, and stores it when there is space again', async () => {
    const title = 'What is a full disk?';
    let path = '';
    const fillIt = (file: string) => {
      path = file;
      fill(file);
    };
    const panel = await askUntilFull(title, fillIt, 'The disk is full.');
    await workbench.screenshot('85-full-disk');
    await until(async () => assert.equal(await shownPieces(panel), words));
    assert.ok(storedPieces(`${path}.aside`) < words);
    await dismiss();
    await closePanel(title);
    await notification("can't be saved").waitFor();
    await workbench.screenshot('86-full-disk-closed');
    await press("can't be saved", 'Show Conversation');
    await until(async () => assert.equal(await shownPieces(await workbench.webview(title)), words));
    await closePanel(title);
    await press("can't be saved", 'Save As…');
    const target = join(files, 'saved.md');
    await answerFileDialog(workbench, 'Save', target);
    await notification('Exported to').waitFor();
    const saved = readFileSync(target, 'utf8');
    assert.deepEqual([saved.includes(title), timedPieces(saved, 'w').length], [true, words]);
    assert.ok(storedPieces(`${path}.aside`) < words);
    makeRoom(path);
    await until(async () => assert.equal(storedPieces(path), words), 10_000);
    await notification('is now saved').waitFor();
    await dismiss();
    await workbench.start('askModel.openConversation');
    await workbench.pick(title);
    const again = await workbench.webview(title);
    await lastReply(again).locator('.facts').waitFor();
    await until(async () => assert.equal(await shownPieces(again), words));
    assert.equal(await again.locator('.trouble').count(), 0);
    assert.equal(server.posts.length, 1);
  });

  it('shows after a reload what could be saved of a reply', async () => {
    const title = 'What is lost with a window?';
    await askUntilFull(title, (file) => limitFiles(statSync(file).size));
    // An export that fails too must not be reported as saved.
    await press("can't be saved", 'Save As…');
    await answerFileDialog(workbench, 'Save', join(files, 'part.md'));
    await notification("wasn't saved to the file").waitFor();
    await dismiss();
    const stored = storedPieces(fileOf(title));
    await workbench.reload();
    const panel = await workbench.webview(title);
    await lastReply(panel).locator('.trouble', { hasText: 'The part that was saved is shown.' }).waitFor();
    await workbench.screenshot('87-lost');
    await until(async () => assert.equal(await shownPieces(panel), stored));
    assert.equal(server.posts.length, 2);
  });
});
