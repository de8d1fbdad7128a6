import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { hugeTexts } from './hugeTexts.ts';
import { mainThreadTasks } from './mainThreadTasks.ts';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { news, snapshot, turn } from './samples.ts';

after(closeBrowser);

/** Milliseconds of processor time that one task may take. */
const longestTaskMs = 200;
/** Frames are not waited for; what a fast gateway sends in one is about this. */
const pieceLength = 40_000;

for (const asOnePiece of [false, true]) {
  test(`no text makes the page stand still when it comes ${asOnePiece ? 'as one piece' : 'in pieces'}`, {
    skip: !hasBrowser,
    timeout: 400_000,
  }, async () => {
    const panel = await openPanel();
    const only = process.env.ASK_MODEL_HUGE;
    const names = Object.keys(hugeTexts).filter((name) => only === undefined || name.includes(only));
    const tasks = await mainThreadTasks(panel.page, async (mark) => {
      for (const [index, name] of names.entries()) {
        const text = hugeTexts[name]?.() ?? '';
        const id = `r${index}`;
        await panel.tell(snapshot([turn({ id, state: 'waiting' })]));
        await mark(name);
        const size = asOnePiece ? text.length : pieceLength;
        for (let at = 0; at < text.length; at += size) {
          await panel.tell({ type: 'delta', replyId: id, text: text.slice(at, at + size), reasoning: '' });
        }
        await panel.tell(news({ id, text }));
        const t0 = performance.now();
        await panel.settle();
        appendFileSync('/tmp/freeze.log', `${asOnePiece} ${name} ${Math.round(performance.now() - t0)}\n`);
        await mark('');
        const shown = await panel.page.evaluate(() => {
          document.querySelector<HTMLElement>('[aria-label="Copy Answer"]')?.click();
          return document.querySelector('.reply > .markdown')?.textContent?.length;
        });
        const copied = (await panel.heard()).findLast((message) => message.type === 'copy');
        assert.ok(copied?.text === text, `${name}: what is copied is not what came`);
        if (only) console.log(name, text.length, shown);
      }
    });
    const slow = tasks.filter(({ ms }) => ms > 50).sort((a, b) => b.ms - a.ms);
    const best = new Map<string, number>();
    for (const { name, ms } of slow) if (!best.has(name)) best.set(name, ms);
    console.log([...best].map(([n, ms]) => `${n}: ${ms.toFixed(0)}`).join('\n'));
    assert.deepEqual(
      slow.filter(({ ms }) => ms > longestTaskMs),
      [],
    );
    await panel.close();
  });
}
