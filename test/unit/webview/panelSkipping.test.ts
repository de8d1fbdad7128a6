import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { snapshot, turn } from './samples.ts';

const options = { skip: hasBrowser ? false : 'no browser on this machine' };

after(closeBrowser);

/** Lines of very different lengths, so that no stretch has the height that is guessed for one. */
const lines = Array.from({ length: 1_200 }, (_, at) => `const x${at} = '${'y'.repeat(at % 9 === 0 ? 300 : 10)}';\n`);
const paragraphs = Array.from({ length: 1_200 }, (_, at) => `${'Some words. '.repeat(3 + (at % 9))}\n\n`);

for (const { what, pieces } of [
  { what: 'code', pieces: ['```ts\n', ...lines] },
  { what: 'text', pieces: paragraphs },
]) {
  test(
    `leaves ${what} out of layout once it is far away, never lays it out anew, and keeps its height`,
    options,
    async () => {
      const panel = await openPanel({ width: 420 });
      await panel.tell(snapshot([turn({ id: 'r1', state: 'streaming' })]));
      await panel.page.evaluate(() => {
        const told: boolean[] = [];
        Object.assign(window, { told });
        const listener = (event: Event) => told.push((event as ContentVisibilityAutoStateChangeEvent).skipped);
        document.addEventListener('contentvisibilityautostatechange', listener, { capture: true });
      });
      for (let at = 0; at < pieces.length; at += 20) {
        const text = pieces.slice(at, at + 20).join('');
        await panel.tell({ type: 'delta', replyId: 'r1', text, reasoning: '' });
        await panel.page.evaluate(
          () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))),
        );
      }
      await panel.settle();
      const { told, skipped, shown } = await panel.page.evaluate(async () => {
        const height = () => document.querySelector('.reply .markdown')?.getBoundingClientRect().height;
        const skipped = height();
        document.styleSheets[0]?.insertRule('.skippable { content-visibility: visible !important; }');
        const shown = height();
        return { told: (window as unknown as { told: boolean[] }).told, skipped, shown };
      });
      assert.ok(told.length > 2, `${told.length} parts were left out`);
      assert.ok(!told.includes(false), 'nothing that was left out was laid out again');
      assert.equal(skipped, shown);
      await panel.close();
    },
  );
}
