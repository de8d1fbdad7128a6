import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { markSkippable } from '../../../../src/webview/page/skippable.ts';
import { closeBrowser, hasBrowser, openPanel } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const options = { skip: hasBrowser ? false : 'no browser on this machine' };

after(closeBrowser);

/** The part of an element that `markSkippable` needs. */
class Part {
  isSkippable = false;
  readonly classList = {
    toggle: (name: string, force: boolean) => {
      assert.equal(name, 'skippable');
      this.isSkippable = force;
    },
  };
}

/** Changes of the number of parts: one more, or some fewer. */
const changesOfLength = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: -40, max: -1 }) }),
  { maxLength: 200, size: 'max' },
);

test('marks exactly the parts before the end as skippable, however many are added and removed', () => {
  fc.assert(
    fc.property(changesOfLength, fc.integer({ min: 0, max: 6 }), (changes, laidOut) => {
      const parts: Part[] = [];
      for (const change of changes) {
        if (change > 0) {
          parts.push(new Part());
        } else {
          parts.splice(Math.max(0, parts.length + change));
        }
        const end = parts.length - laidOut;
        markSkippable(parts, end);
        assert.deepEqual(
          parts.map(({ isSkippable }) => isSkippable),
          parts.map((_, index) => index < end),
        );
      }
    }),
  );
});

/** Lines of very different lengths, so that no stretch has the estimated height. */
const lines = Array.from({ length: 1_200 }, (_, at) => `const x${at} = '${'y'.repeat(at % 9 === 0 ? 300 : 10)}';\n`);
const paragraphs = Array.from({ length: 1_200 }, (_, at) => `${'Some words. '.repeat(3 + (at % 9))}\n\n`);

for (const { what, pieces, height } of [
  { what: 'code', pieces: ['```ts\n', ...lines], height: 900 },
  { what: 'text', pieces: paragraphs, height: 400 },
]) {
  test(`skips layout of ${what} far off screen, never lays it out again, and keeps its height`, options, async () => {
    const panel = await openPanel({ width: 420, height });
    await panel.send(snapshot([turn({ id: 'r1', state: 'streaming' })]));
    await panel.page.evaluate(() => {
      const changes: boolean[] = [];
      Object.assign(window, { changes });
      const listener = (event: Event) => changes.push((event as ContentVisibilityAutoStateChangeEvent).skipped);
      document.addEventListener('contentvisibilityautostatechange', listener, { capture: true });
    });
    for (let at = 0; at < pieces.length; at += 8) {
      const text = pieces.slice(at, at + 8).join('');
      await panel.send({ type: 'delta', replyId: 'r1', text, reasoning: '' });
      await panel.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
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
    await panel.close();
  });
}
