import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator } from 'playwright-core';
import { readLine } from '../../src/core/usage/ledgerLine.ts';
import { TimedWords, timedPieces } from '../gateway/timedWords.ts';
import { randomNumbers } from '../randomNumbers.ts';
import { until } from '../until.ts';
import { extensionHosts } from '../vscode/extensionHosts.ts';
import { outFolder, projectRoot } from '../vscode/paths.ts';
import { whenReady } from '../vscode/whenReady.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, chooseModel, connect } from './support/connectedWorkbench.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

/** How many times the extension host is killed: once, and often in `npm run test:long`. */
const kills = Number(process.env.ASK_MODEL_KILLS ?? 1);
/** The last text before a crash that may be lost. */
const lossMs = 250;
/** Allows for the difference between the clocks of two processes. */
const toleranceMs = 20;
const seed = Number(process.env.ASK_MODEL_SEED ?? Date.now() % 1_000_000);

/** How many pieces of reasoning and of text the panel shows of the last reply, and since when. */
type Shown = { readonly t: number; readonly w: number; readonly at: number };

describe('when the extension host is killed', {
  skip: process.platform !== 'linux',
  timeout: 200_000 + kills * 12_000,
}, () => {
  const suite = openForSuite();
  const server = new TimedWords();
  suite.ends(() => server.close());
  const random = randomNumbers(seed);
  const folder = suite.folder('workspace');
  let workbench: Workbench;
  let shown: Shown[] = [];

  const lastReply = (panel: FrameLocator) => panel.locator('.reply').last();
  const box = (panel: FrameLocator) => panel.locator('textarea');
  const card = (panel: FrameLocator) =>
    lastReply(panel).locator('.trouble', { hasText: 'stopped before the answer was complete' });

  /** Makes the panel report every piece as soon as it is in its page. */
  async function watch(panel: FrameLocator): Promise<void> {
    shown = [];
    await panel.locator('body').evaluate((body) => {
      let [thoughts, words, replies] = [0, 0, body.querySelectorAll('.reply').length];
      new MutationObserver(() => {
        const all = body.querySelectorAll('.reply');
        // Ignore the replies that were there before.
        if (all.length <= replies && words + thoughts === 0) {
          return;
        }
        replies = all.length - 1;
        const text = all.item(all.length - 1).textContent ?? '';
        const last = (kind: string) => Number([...text.matchAll(new RegExp(`${kind}(\\d+)@`, 'g'))].at(-1)?.[1] ?? 0);
        const [t, w] = [last('t'), last('w')];
        if (t > thoughts || w > words) {
          [thoughts, words] = [t, w];
          (globalThis as unknown as { reportShown(shown: Shown): void }).reportShown({ t, w, at: Date.now() });
        }
      }).observe(body, { childList: true, characterData: true, subtree: true });
    });
  }

  /**
   * Kills the extension host, and the one that VS Code may have started for a window that was just reloaded.
   *
   * @returns the time of the kill.
   */
  function kill(): number {
    const hosts = extensionHosts(workbench.server.pid);
    assert.ok(hosts.length > 0, 'there is an extension host');
    for (const host of hosts) {
      process.kill(host, 'SIGKILL');
    }
    return Date.now();
  }

  async function reload(): Promise<void> {
    await workbench.page.reload();
    await whenReady(workbench.page);
  }

  before(async () => {
    const base = await server.listen();
    mkdirSync(outFolder, { recursive: true });
    workbench = await suite.workbench({
      folder,
      // Install the extension, because VS Code treats one under development differently.
      extensionDevelopmentPaths: ['', projectRoot],
    });
    const { page } = workbench;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.exposeFunction('reportShown', (each: Shown) => void shown.push(each));
    await connect(workbench, base, 'sk-Loopback0123456789key');
    await chooseModel(workbench, 'timed-words');
  });

  it('keeps all text shown except that of the last 250 ms', async (context) => {
    server.pace = { firstMs: 0, paceMs: 1, thoughts: 0, words: 3 };
    const title = 'What is kept?';
    let panel = await askInPanel(workbench, title);
    await lastReply(panel).locator('.facts').waitFor();
    // VS Code saves which editors are open when its window is reloaded normally.
    await workbench.reload();
    panel = await workbench.webview(title);
    server.pace = { firstMs: 120, paceMs: 20, thoughts: 12, words: 40 };
    const rows: {
      round: number;
      when: string;
      afterMs: number;
      state: string;
      shown: number;
      stored: number;
      lostMs: number;
      backMs: number;
    }[] = [];
    const began = Date.now();
    for (let round = 1; round <= kills; round++) {
      const question = `Question ${round} of ${kills}?`;
      const posts = server.posts.length;
      await until(async () => assert.equal(await panel.getByRole('button', { name: 'Send', exact: true }).count(), 1));
      await watch(panel);
      await box(panel).fill(question);
      await pressEnter(box(panel));
      const sentAt = Date.now();
      const untilShown = (isThere: (last: Shown) => boolean) => until(() => shown.some(isThere), 10_000);
      const when = (['at once', 'thinking', 'answering', 'answering', 'at the end'] as const)[round % 5] ?? 'answering';
      if (when === 'thinking') {
        await untilShown(({ t }) => t > 0);
      }
      if (when === 'answering') {
        await untilShown(({ w }) => w > 0);
      }
      if (when === 'at the end') {
        await untilShown(({ w }) => w >= 38);
      }
      // Kill at a random time of the reply, so there is no event to wait for.
      await delay(random() * { 'at once': 50, thinking: 200, answering: 750, 'at the end': 80 }[when]);
      const killedAt = kill();
      const before = shown.filter(({ at }) => at <= killedAt);
      await reload();
      panel = await workbench.webview(title);
      await panel.locator('.turn').first().waitFor({ timeout: 10_000 });
      const backMs = Date.now() - killedAt;
      const turn = panel.locator('.turn', { hasText: question });
      let state = 'unsent';
      let [stored, lostMs] = [0, 0];
      if ((await turn.count()) > 0) {
        const text = (await turn.locator('.reply').textContent()) ?? '';
        const isComplete = (await turn.locator('.facts').count()) > 0 && (await turn.locator('.trouble').count()) === 0;
        state = isComplete ? 'complete' : 'interrupted';
        if (!isComplete) {
          await card(panel).filter({ hasText: 'may have charged' }).waitFor();
          await card(panel).getByRole('button', { name: 'Send Again (May Be Charged Again)' }).waitFor();
        }
        const [thoughts, words] = [timedPieces(text, 't'), timedPieces(text, 'w')];
        for (const pieces of [thoughts, words]) {
          assert.deepEqual(
            pieces.map(({ number }) => number),
            Array.from(pieces, (_, index) => index + 1),
          );
        }
        assert.ok(!isComplete || words.length === 40);
        stored = thoughts.length + words.length;
        const firstLost = before.find(({ t, w }) => t > thoughts.length || w > words.length);
        lostMs = firstLost ? killedAt - firstLost.at : 0;
      } else {
        assert.equal(when, 'at once');
        assert.equal(before.length, 0, 'none of the reply was shown');
        assert.ok(server.posts.length === posts, 'a question that is not stored was not sent');
        state = (await box(panel).inputValue()) === question ? 'unsent, in the box' : 'unsent';
        await box(panel).fill('');
      }
      const last = before.at(-1);
      rows.push({
        round,
        when,
        afterMs: killedAt - sentAt,
        state,
        shown: (last?.t ?? 0) + (last?.w ?? 0),
        stored,
        lostMs,
        backMs,
      });
      if (round === 3) {
        await workbench.screenshot('80-killed');
      }
    }
    const worst = Math.max(...rows.map(({ lostMs }) => lostMs));
    const count = (of: string) => rows.filter(({ state }) => state === of).length;
    context.diagnostic(
      `seed ${seed}: ${kills} kills in ${Math.round((Date.now() - began) / 1_000)} s, at most ${worst} ms lost; ${count('interrupted')} interrupted, ${count('complete')} complete, ${count('unsent, in the box')} in the box, ${count('unsent')} not taken yet`,
    );
    writeFileSync(join(outFolder, 'killed.json'), `${JSON.stringify({ seed, worst, rows }, null, 1)}\n`);
    assert.ok(
      rows.every(({ lostMs }) => lostMs <= lossMs + toleranceMs),
      JSON.stringify(rows.filter(({ lostMs }) => lostMs > lossMs)),
    );
    assert.ok(count('interrupted') >= kills / 2);
    const questions = server.posts.map((body) => JSON.parse(body).messages.at(-1).content);
    assert.equal(new Set(questions).size, questions.length, 'no question was sent twice');
    assert.ok(questions.length <= kills + 1);
  });

  it('has a line before each request of these in the record of paid calls, and no end for those that were killed', () => {
    const { profileDir } = workbench.server;
    const [name = ''] = filesWith(profileDir, '"v":1,"type":"start"');
    const lines = readFileSync(join(profileDir, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => readLine(line) ?? assert.fail(line));
    const starts = lines.filter((line) => line.type === 'start');
    const ends = lines.filter((line) => line.type === 'end');
    assert.equal(new Set(starts.map(({ id }) => id)).size, starts.length);
    assert.equal(new Set(ends.map(({ id }) => id)).size, ends.length);
    const requests = server.posts.length;
    const unended = starts.length - ends.length;
    const about = JSON.stringify({ requests, lines });
    assert.ok(starts.length >= requests, about);
    // A call that was killed before its request has a line too.
    assert.ok(starts.length - requests <= unended, about);
    assert.ok(ends.length >= 1 && unended >= kills / 2, about);
    assert.ok(
      ends.every(({ state }) => state === 'complete'),
      about,
    );
  });

  it('says in a panel without an extension host that no more text will arrive, and shows the reply in a new panel', async () => {
    server.pace = { firstMs: 0, paceMs: 20, thoughts: 0, words: 400 };
    const title = 'What is left behind?';
    const panel = await askInPanel(workbench, title);
    await lastReply(panel).locator('.markdown', { hasText: 'w20@' }).waitFor();
    kill();
    await panel.locator('.gone', { hasText: 'nothing more will arrive here' }).waitFor({ timeout: 30_000 });
    await workbench.screenshot('81-left-behind');
    const before = timedPieces((await lastReply(panel).textContent()) ?? '', 'w').length;
    // VS Code has restarted the extension host by now, but the old panel stays disconnected.
    await workbench.run('workbench.action.closeActiveEditor');
    await workbench.start('askModel.openConversation');
    await workbench.pick(title);
    const again = await workbench.webview(title);
    await card(again).waitFor();
    const stored = timedPieces((await lastReply(again).textContent()) ?? '', 'w').length;
    assert.ok(stored >= before - 250 / 20 - 1, `${stored} of ${before} pieces`);
    assert.equal(await workbench.page.locator('.tab', { hasText: title }).count(), 1);
  });

  it('restores three panels in order after a reload, one of them in the middle of a reply', async () => {
    const { page } = workbench;
    await workbench.run('workbench.action.closeAllEditors');
    const posts = server.posts.length;
    server.pace = { firstMs: 0, paceMs: 1, thoughts: 0, words: 150 };
    const titles = ['First of three?', 'Second of three?', 'Third of three?'] as const;
    for (const title of titles) {
      const panel = await askInPanel(workbench, title);
      await lastReply(panel).locator('.facts').waitFor();
    }
    const first = await workbench.webview(titles[0]);
    await box(first).fill('Half a question');
    // More words than can arrive before the window is reloaded, even on a busy machine.
    server.pace = { firstMs: 0, paceMs: 20, thoughts: 0, words: 2_000 };
    const third = await workbench.webview(titles[2]);
    await box(third).fill('And more?');
    await pressEnter(box(third));
    await third.locator('.turn', { hasText: 'And more?' }).locator('.markdown', { hasText: 'w30@' }).waitFor();
    const tabs = await page.locator('.tab').allTextContents();
    assert.equal(tabs.length, 3);
    await workbench.reload();
    assert.deepEqual(await page.locator('.tab').allTextContents(), tabs);
    const thirdAgain = await workbench.webview(titles[2]);
    await card(thirdAgain).waitFor();
    const stored = timedPieces((await lastReply(thirdAgain).textContent()) ?? '', 'w');
    assert.ok(stored.length >= 30);
    assert.deepEqual(
      stored.map(({ number }) => number),
      Array.from(stored, (_, index) => index + 1),
    );
    const end = await thirdAgain
      .locator('.scroller')
      .evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight);
    assert.ok(end < 2, 'the end of the reply is visible');
    await workbench.screenshot('82-three-panels');
    // VS Code may replace a frame once more after a reload, so get the frame again on each attempt.
    await until(async () => {
      const text = await lastReply(await workbench.webview(titles[1])).textContent({ timeout: 3_000 });
      assert.equal(timedPieces(text ?? '', 'w').length, 150);
    });
    await until(async () => {
      const typed = await box(await workbench.webview(titles[0])).inputValue({ timeout: 3_000 });
      assert.equal(typed, 'Half a question');
    });
    assert.equal(server.posts.length, posts + 4);
  });
});
