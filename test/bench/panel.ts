import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { closeBrowser, openPanel } from '../unit/webview/page/panelPage.ts';
import { snapshot, turn, update } from '../unit/webview/page/samples.ts';
import { atMost, type Bar, type Measured, median, rounded } from './figures.ts';
import { longReply, type ReplyKind, section } from './panel/longReplies.ts';
import { frameMs, type MainThread, mainThreadOf } from './panel/mainThread.ts';
import { amount, isSmokeRun } from './settings.ts';

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

type Streamed = MainThread & { readonly frames: number };
type Opened = MainThread & { readonly seenMs: number };

/**
 * Measures the page of the panel while replies stream in, a naive page that renders the whole text in each frame, and
 * the opening of long conversations. Times are processor time of the page's main thread, but for `seen`.
 */
export async function panel(): Promise<Measured> {
  const name = (kind: ReplyKind, size: number) => `${kind}-${size}`;
  const streams = new Map<string, Streamed[]>();
  const naive = new Map<string, MainThread[]>();
  const openings = new Map<string, Opened[]>();
  try {
    for (const [kind, size] of [
      ...sizes.flatMap((size) => kinds.map((kind) => [kind, size] as const)),
      ...single.map((kind) => [kind, amount(100, 5)] as const),
    ]) {
      const text = longReply(kind, size * 1_000);
      streams.set(name(kind, size), await repeated(single.includes(kind) ? 1 : panelRounds, () => streamed(text)));
      if (kinds.includes(kind) && size === sizes.at(-1)) {
        naive.set(`${name(kind, size)}, naive`, [await streamedNaively(text)]);
      }
    }
    for (const length of [300, 2_000]) {
      openings.set(`opening: 200 replies of ${length}`, await repeated(panelRounds, () => opened(length)));
    }
  } finally {
    await closeBrowser();
  }
  const bars = kinds.flatMap((kind): Bar[] => {
    const of = (size: number, figure: keyof MainThread) =>
      median((streams.get(name(kind, size)) ?? []).map((thread) => thread[figure]));
    const scripting = of(400, 'scriptingMs');
    return [
      ...sizes.map((size) => atMost(`longest task, ${name(kind, size)}`, of(size, 'longestMs'), frameMs)),
      atMost(`scripting, ${kind}-400`, scripting, 1_200),
      atMost(`scripting, ${kind}-400 over ${kind}-100`, scripting / of(100, 'scriptingMs'), 5, 'times'),
      atMost(`main thread in all, ${kind}-400`, of(400, 'allMs'), 10_000),
    ];
  });
  const seen = (rounds: readonly Opened[]) => median(rounds.map(({ seenMs }) => seenMs));
  const frames = Math.max(...[...streams.values()].flat().map((round) => round.frames));
  return {
    title: 'panel: replies at 2,000 tokens a second, highlighting on',
    rows: [
      ...[...streams, ...naive].map(([what, rounds]) => row(what, rounds)),
      ...[...openings].map(([what, rounds]) => ({ ...row(what, rounds), seen: Math.round(seen(rounds)) })),
    ],
    bars: [
      ...bars,
      atMost('frames from the arrival of the first text to its drawing, worst', frames, 1, 'frames'),
      ...[...openings].map(([what, rounds]) => atMost(what, seen(rounds), 300)),
    ],
  };
}

async function repeated<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < times) {
    results.push(await run());
  }
  return results;
}

function row(what: string, rounds: readonly MainThread[]): Measured['rows'][number] {
  const middle = (figure: keyof MainThread) => rounded(median(rounds.map((thread) => thread[figure])), 1);
  return {
    what,
    'longest task, ms': middle('longestMs'),
    'over 16': middle('overFrame'),
    scripting: middle('scriptingMs'),
    layout: middle('layoutMs'),
    'all, ms': middle('allMs'),
    seen: '',
  };
}

async function streamed(text: string): Promise<Streamed> {
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
async function streamedNaively(text: string): Promise<MainThread> {
  const files = [import.meta.resolve('./panel/naivePage.ts'), import.meta.resolve('../../src/webview/panel.css')];
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
async function opened(length: number): Promise<Opened> {
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
