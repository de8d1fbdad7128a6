import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator } from 'playwright-core';
import { TimedWords, timedPieces } from '../gateway/chat/timedWords.ts';
import { until } from '../until.ts';
import { extensionHosts } from '../vscode/extensionHosts.ts';
import { outFolder, projectRoot } from '../vscode/paths.ts';
import { whenReady } from '../vscode/whenReady.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, chooseModel, connect } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

/** How often the extension host is killed: a few times in every run of the suite, `ASK_MODEL_KILLS=50` for the whole. */
const kills = Number(process.env.ASK_MODEL_KILLS ?? 8);
/** The promise. */
const lossMs = 250;
/** Between a piece's arrival in the host and the frame that shows it nothing is lost; this is for the clocks of two processes. */
const toleranceMs = 20;
const seed = Number(process.env.ASK_MODEL_SEED ?? Date.now() % 1_000_000);

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomNumbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What the panel shows of the last reply: how many pieces of thought and of text, and since when. */
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
    lastReply(panel).locator('.trouble', { hasText: 'ended before the reply was complete' });

  /** Has the panel tell of every piece in the moment it is in its page. */
  async function watch(panel: FrameLocator): Promise<void> {
    shown = [];
    await panel.locator('body').evaluate((body) => {
      let [thoughts, words, replies] = [0, 0, body.querySelectorAll('.reply').length];
      new MutationObserver(() => {
        const all = body.querySelectorAll('.reply');
        // Those that were there before say nothing of this one.
        if (all.length <= replies && words + thoughts === 0) {
          return;
        }
        replies = all.length - 1;
        const text = all.item(all.length - 1).textContent ?? '';
        const last = (kind: string) => Number([...text.matchAll(new RegExp(`${kind}(\\d+)@`, 'g'))].at(-1)?.[1] ?? 0);
        const [t, w] = [last('t'), last('w')];
        if (t > thoughts || w > words) {
          [thoughts, words] = [t, w];
          (globalThis as unknown as { toldShown(shown: Shown): void }).toldShown({ t, w, at: Date.now() });
        }
      }).observe(body, { childList: true, characterData: true, subtree: true });
    });
  }

  /**
   * Kills the extension host, and the one that VS Code may have begun for a window that was reloaded in the same moment.
   *
   * @returns when it was done.
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
      // Installed, as a person has it: VS Code goes other ways with one under development.
      extensionDevelopmentPaths: ['', projectRoot],
    });
    const { page } = workbench;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.exposeFunction('toldShown', (each: Shown) => void shown.push(each));
    await connect(workbench, base, 'sk-Loopback0123456789key');
    await chooseModel(workbench, 'timed-words');
  });

  it(`keeps all but the last 250 ms of what was shown, ${kills} times`, async (context) => {
    server.pace = { firstMs: 0, paceMs: 1, thoughts: 0, words: 3 };
    const title = 'What is kept?';
    let panel = await askInPanel(workbench, title);
    await lastReply(panel).locator('.facts').waitFor();
    // VS Code writes down which editors are open when its window is reloaded in good order.
    await workbench.reload();
    panel = await workbench.webview(title);
    server.pace = { firstMs: 120, paceMs: 20, thoughts: 12, words: 40 };
    const rows: {
      round: number;
      when: string;
      afterMs: number;
      state: string;
      shown: number;
      kept: number;
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
      // At any moment of a reply: nothing that could be waited for comes before it.
      await delay(random() * { 'at once': 50, thinking: 200, answering: 750, 'at the end': 80 }[when]);
      const killedAt = kill();
      const before = shown.filter(({ at }) => at <= killedAt);
      await reload();
      panel = await workbench.webview(title);
      await panel.locator('.turn').first().waitFor({ timeout: 10_000 });
      const backMs = Date.now() - killedAt;
      const turn = panel.locator('.turn', { hasText: question });
      let state = 'unsent';
      let [kept, lostMs] = [0, 0];
      if ((await turn.count()) > 0) {
        const said = (await turn.locator('.reply').textContent()) ?? '';
        const isComplete = (await turn.locator('.facts').count()) > 0 && (await turn.locator('.trouble').count()) === 0;
        state = isComplete ? 'complete' : 'interrupted';
        if (!isComplete) {
          await card(panel).filter({ hasText: 'may have charged' }).waitFor();
          await card(panel).getByRole('button', { name: 'Send again (may be charged again)' }).waitFor();
        }
        const [thoughts, words] = [timedPieces(said, 't'), timedPieces(said, 'w')];
        for (const pieces of [thoughts, words]) {
          assert.deepEqual(
            pieces.map(({ number }) => number),
            Array.from(pieces, (_, index) => index + 1),
          );
        }
        assert.ok(!isComplete || words.length === 40);
        kept = thoughts.length + words.length;
        const firstLost = before.find(({ t, w }) => t > thoughts.length || w > words.length);
        lostMs = firstLost ? killedAt - firstLost.at : 0;
      } else {
        assert.equal(when, 'at once');
        assert.equal(before.length, 0, 'nothing of it was on screen');
        assert.ok(server.posts.length === posts, 'nothing was sent that is not kept');
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
        kept,
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

  it('says in a panel that VS Code left behind that nothing more will arrive, and shows it whole elsewhere', async () => {
    server.pace = { firstMs: 0, paceMs: 20, thoughts: 0, words: 400 };
    const title = 'What is left behind?';
    const panel = await askInPanel(workbench, title);
    await lastReply(panel).locator('.markdown', { hasText: 'w20@' }).waitFor();
    kill();
    await panel.locator('.gone', { hasText: 'nothing more arrives here' }).waitFor({ timeout: 30_000 });
    await workbench.screenshot('81-left-behind');
    const before = timedPieces((await lastReply(panel).textContent()) ?? '', 'w').length;
    // VS Code has started its extensions anew by now; the one left behind is of no use to them.
    await workbench.runCommand('View: Close Editor');
    await workbench.runCommand('Ask Model: Open Conversation');
    await workbench.pick(title);
    const again = await workbench.webview(title);
    await card(again).waitFor();
    const kept = timedPieces((await lastReply(again).textContent()) ?? '', 'w').length;
    assert.ok(kept >= before - 250 / 20 - 1, `${kept} of ${before} pieces`);
    assert.equal(await workbench.page.locator('.tab', { hasText: title }).count(), 1);
  });

  it('brings three panels back after a reload, in their order, one of them in the middle of its reply', async () => {
    const { page } = workbench;
    await workbench.runCommand('View: Close All Editors');
    const posts = server.posts.length;
    server.pace = { firstMs: 0, paceMs: 1, thoughts: 0, words: 150 };
    const titles = ['First of three?', 'Second of three?', 'Third of three?'] as const;
    for (const title of titles) {
      const panel = await askInPanel(workbench, title);
      await lastReply(panel).locator('.facts').waitFor();
    }
    const first = await workbench.webview(titles[0]);
    await box(first).fill('Half a question');
    // More than arrives until the window is reloaded, also on a busy machine.
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
    const kept = timedPieces((await lastReply(thirdAgain).textContent()) ?? '', 'w');
    assert.ok(kept.length >= 30);
    assert.deepEqual(
      kept.map(({ number }) => number),
      Array.from(kept, (_, index) => index + 1),
    );
    const end = await thirdAgain
      .locator('.scroller')
      .evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight);
    assert.ok(end < 2, 'its end is in sight');
    await workbench.screenshot('82-three-panels');
    // A frame may be replaced once more after a reload, and is asked for anew then.
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
