import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

/** Lines of very different lengths, so that no stretch has the estimated height. */
const lines = Array.from({ length: 1_200 }, (_, at) => `const x${at} = '${'y'.repeat(at % 9 === 0 ? 300 : 10)}';\n`);
const paragraphs = Array.from({ length: 480 }, (_, at) => `${'Some words. '.repeat(3 + (at % 9))}\n\n`);

for (const { what, pieces, step, height } of [
  { what: 'code', pieces: ['```ts\n', ...lines], step: 30, height: 900 },
  { what: 'text', pieces: paragraphs, step: 8, height: 400 },
]) {
  panelTest(
    `skips layout of ${what} far off screen, never lays it out again, and keeps its height`,
    { width: 420, height },
    async (panel) => {
      await panel.send(snapshot([turn({ id: 'r1', state: 'streaming' })]));
      await panel.page.evaluate(() => {
        const changes: boolean[] = [];
        Object.assign(window, { changes });
        const listener = (event: Event) => changes.push((event as ContentVisibilityAutoStateChangeEvent).skipped);
        document.addEventListener('contentvisibilityautostatechange', listener, { capture: true });
      });
      for (let at = 0; at < pieces.length; at += step) {
        const text = pieces.slice(at, at + step).join('');
        await panel.send({ type: 'delta', replyId: 'r1', text, reasoning: '' });
        await panel.page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
      }
      await panel.settle();
      const { changes, skipped, shown } = await panel.page.evaluate(() => {
        const size = () => {
          const { height = 0 } = document.querySelector('.reply .markdown')?.getBoundingClientRect() ?? {};
          return { height, width: document.querySelector('pre')?.scrollWidth };
        };
        const skipped = size();
        document.styleSheets[0]?.insertRule('.skippable { content-visibility: visible !important; }');
        return { changes: (window as unknown as { changes: boolean[] }).changes, skipped, shown: size() };
      });
      assert.ok(changes.length > 2, `${changes.length} parts were skipped`);
      assert.ok(!changes.includes(false), 'no skipped part is laid out again');
      assert.ok(skipped.height > 10_000);
      assert.deepEqual(skipped, shown);
    },
  );
}
