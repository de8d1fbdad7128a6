import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hugeTexts } from './hugeTexts.ts';
import { mainThreadTasks } from './mainThreadTasks.ts';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { news, snapshot, turn } from './samples.ts';

after(closeBrowser);

/** Milliseconds of processor time that one task may take. */
const longestTaskMs = 200;
/** What a very fast gateway could send in one frame. */
const pieceLength = 40_000;

for (const [how, size] of [
  ['in pieces', pieceLength],
  ['as one piece', Number.POSITIVE_INFINITY],
] as const) {
  test(`no text makes the page stand still when it comes ${how}`, {
    skip: !hasBrowser,
    timeout: 400_000,
  }, async (t) => {
    const panel = await openPanel();
    const devtools = await panel.page.context().newCDPSession(panel.page);
    // Some cases can be looked at alone.
    const only = process.env.ASK_MODEL_HUGE ?? '';
    const cases = Object.entries(hugeTexts).filter(([name]) => new RegExp(only).test(name));
    const tasks = await mainThreadTasks(panel.page, async (mark) => {
      for (const [index, [name, make]] of cases.entries()) {
        const text = make();
        const id = `r${index}`;
        await panel.tell(snapshot([turn({ id, state: 'waiting' })]));
        // What the case before left behind is not this one's work.
        await devtools.send('HeapProfiler.collectGarbage');
        await mark(name);
        for (let at = 0; at < text.length; at += size) {
          await panel.tell({ type: 'delta', replyId: id, text: text.slice(at, at + size), reasoning: '' });
        }
        await panel.tell(news({ id, text }));
        await panel.settle();
        await mark('');
        await panel.page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Copy Answer"]')?.click());
        const copied = (await panel.heard()).findLast((message) => message.type === 'copy');
        assert.ok(copied?.text === text, `${name}: what is copied is not what came`);
      }
    });
    const longest = new Map<string, number>();
    for (const { name, ms } of tasks) longest.set(name, Math.max(ms, longest.get(name) ?? 0));
    assert.equal(longest.size, cases.length);
    const byTime = [...longest].sort(([, a], [, b]) => b - a).map(([name, ms]) => `${name}: ${Math.round(ms)} ms`);
    t.diagnostic(byTime.slice(0, 8).join(', '));
    assert.deepEqual(
      byTime.filter((_, at) => ([...longest.values()].sort((a, b) => b - a)[at] ?? 0) > longestTaskMs),
      [],
    );
    assert.deepEqual(panel.problems, []);
    await panel.close();
  });
}
