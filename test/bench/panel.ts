import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { closeBrowser, openPanel } from '../unit/webview/page/panelPage.ts';
import { snapshot, turn, update } from '../unit/webview/page/samples.ts';
import { amount, type Bench, isSmokeRun, median, rounded } from './bench.ts';
import { longReply, type ReplyKind, section } from './longReplies.ts';
import { frameMs, type MainThread, mainThreadOf } from './mainThread.ts';

/** Lengths of replies in thousands of characters. */
const sizes = isSmokeRun ? [5] : [25, 100, 400];
const kinds: readonly ReplyKind[] = ['mixed', 'code'];
/** Replies that are a single block; they have no limit. */
const single: readonly ReplyKind[] = ['list', 'table', 'paragraph'];
/** One task in ten thousand takes twice as long when other virtual machines use the host. */
const panelRounds = amount(3);
/** About 2,000 tokens a second. The extension host joins what arrives to thirty messages a second. */
const pace = { charactersPerSecond: 10_000, everyMs: 33 };
/** After the last change, the page highlights and settles. */
const quietMs = 1_500;
const window = { width: 1_000, height: 850, motion: true };

/** `frames`: until the start of a reply was drawn; `seenMs`: until the end of a conversation was. */
type Work = MainThread & { readonly frames?: number; readonly seenMs?: number };

/**
 * Measures the page of the panel while replies stream in, a naive page that renders the whole text in each frame, and
 * the opening of long conversations. Times are processor time of the page's main thread, but for `seen`.
 */
export async function panel(bench: Bench): Promise<void> {
  bench.title = 'panel: replies at 2,000 tokens a second, highlighting on';
  const measured = new Map<string, Work[]>();
  const middle = (what: string, figure: keyof Work) =>
    median((measured.get(what) ?? []).map((work) => work[figure] ?? Number.NaN));
  const measure = async (what: string, run: () => Promise<Work>, rounds = panelRounds) => {
    const works: Work[] = [];
    measured.set(what, works);
    while (works.length < rounds) {
      works.push(await run());
    }
    bench.rows.push({
      what,
      'longest task, ms': rounded(middle(what, 'longestMs'), 1),
      'over 16': middle(what, 'overFrame'),
      scripting: rounded(middle(what, 'scriptingMs'), 1),
      layout: rounded(middle(what, 'layoutMs'), 1),
      'all, ms': rounded(middle(what, 'allMs'), 1),
      seen: works[0]?.seenMs === undefined ? '' : Math.round(middle(what, 'seenMs')),
    });
  };
  for (const size of sizes) {
    for (const kind of kinds) {
      await measure(`${kind}-${size}`, () => streamed(longReply(kind, size * 1_000)));
    }
  }
  const singleSize = amount(100, 5);
  for (const kind of single) {
    await measure(`${kind}-${singleSize}`, () => streamed(longReply(kind, singleSize * 1_000)), 1);
  }
  const largest = sizes.at(-1) ?? 0;
  for (const kind of kinds) {
    await measure(`${kind}-${largest}, naive`, () => streamedNaively(longReply(kind, largest * 1_000)), 1);
  }
  for (const kind of kinds) {
    for (const size of sizes) {
      bench.atMost(`longest task, ${kind}-${size}`, middle(`${kind}-${size}`, 'longestMs'), frameMs);
    }
    const scripting = middle(`${kind}-400`, 'scriptingMs');
    bench.atMost(`scripting, ${kind}-400`, scripting, 1_200);
    const over = scripting / middle(`${kind}-100`, 'scriptingMs');
    bench.atMost(`scripting, ${kind}-400 over ${kind}-100`, over, 5, 'times');
    bench.atMost(`main thread in all, ${kind}-400`, middle(`${kind}-400`, 'allMs'), 10_000);
  }
  const frames = Math.max(...[...measured.values()].flat().map((work) => work.frames ?? 0));
  bench.atMost('frames from the arrival of the first text to its drawing, worst', frames, 1, 'frames');
  for (const length of [300, 2_000]) {
    const what = `opening: 200 replies of ${length}`;
    await measure(what, () => opened(length));
    bench.atMost(what, middle(what, 'seenMs'), 300);
  }
  await closeBrowser();
}

async function streamed(text: string): Promise<Work> {
  const panel = await openPanel(window);
  await panel.send(snapshot([turn({ id: 'r1', state: 'waiting' })]));
  await panel.settle();
  let frames = Number.NaN;
  const thread = await mainThreadOf(panel.page, async () => {
    frames = await panel.page.evaluate(stream, { text, ...pace });
    await panel.send(update({ id: 'r1', text }));
    await panel.page.waitForTimeout(quietMs);
  });
  await panel.close();
  return { ...thread, frames };
}

/** The naive page with the panel's own styles, in the same browser. */
async function streamedNaively(text: string): Promise<Work> {
  const files = [import.meta.resolve('./naivePage.ts'), import.meta.resolve('../../src/webview/panel.css')];
  const { outputFiles } = await build({
    entryPoints: files.map((file) => fileURLToPath(file)),
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
  });
  const { page, close } = await openPanel(window);
  await page.goto('about:blank');
  await page.setContent('<main id="app"><div class="scroller pinned"><div class="markdown reply"></div></div></main>');
  for (const { path, text: content } of outputFiles) {
    await (path.endsWith('.js') ? page.addScriptTag({ content }) : page.addStyleTag({ content }));
  }
  const thread = await mainThreadOf(page, async () => void (await page.evaluate(stream, { text, ...pace })));
  await close();
  return thread;
}

/** Runs in the page: posts a text as the host would. Resolves at its end with the frames until its start was drawn. */
function stream({ text, charactersPerSecond, everyMs }: { text: string } & typeof pace): Promise<number> {
  return new Promise((resolve) => {
    const beganAt = performance.now();
    let sent = 0;
    let frames = 0;
    const countFrames = () => {
      frames += 1;
      setTimeout(() => {
        if (!document.querySelector('.reply .markdown')?.textContent) {
          requestAnimationFrame(countFrames);
        }
      });
    };
    const timer = setInterval(() => {
      const end = Math.ceil(((performance.now() - beganAt) / 1_000) * charactersPerSecond);
      const data = { type: 'delta', replyId: 'r1', text: text.slice(sent, end), reasoning: '' };
      dispatchEvent(new MessageEvent('message', { data }));
      if (sent === 0) {
        requestAnimationFrame(countFrames);
      }
      sent = end;
      if (sent >= text.length) {
        clearInterval(timer);
        resolve(frames);
      }
    }, everyMs);
  });
}

/** Opens a conversation of 200 replies of this length, and measures until its end is seen and all of it is drawn. */
async function opened(length: number): Promise<Work> {
  const panel = await openPanel(window);
  const textOf = (seed: number) =>
    section(seed)
      .repeat(Math.ceil(length / 1_500))
      .slice(0, length);
  const turns = Array.from({ length: 200 }, (_, at) =>
    turn({ id: `r${at}`, text: `${textOf(at)}\n\n${at === 199 ? 'The last words.' : 'Done.'}` }),
  );
  let seenMs = Number.NaN;
  const thread = await mainThreadOf(panel.page, async () => {
    seenMs = await panel.page.evaluate((data) => {
      const beganAt = performance.now();
      dispatchEvent(new MessageEvent('message', { data }));
      return new Promise<number>((resolve) => {
        const check = () => {
          const last = [...document.querySelectorAll('.reply')].at(-1)?.getBoundingClientRect();
          const isAtEnd = document.body.textContent?.includes('The last words.') && (last?.bottom ?? 1e6) < innerHeight;
          isAtEnd ? resolve(performance.now() - beganAt) : requestAnimationFrame(check);
        };
        requestAnimationFrame(check);
      });
    }, snapshot(turns));
    await panel.page.waitForFunction(() => document.querySelectorAll('.turn').length === 200);
    await panel.page.waitForTimeout(quietMs);
  });
  await panel.close();
  return { ...thread, seenMs };
}
