import { hugeTexts } from '../unit/webview/markdown/hugeTexts.ts';
import { closeBrowser, hasBrowser, openPanel, type PanelPage } from '../unit/webview/page/panelPage.ts';
import { news, snapshot, turn } from '../unit/webview/page/samples.ts';
import { type Measured, rounded } from './figures.ts';
import { pageTasks } from './panel/pageTasks.ts';

/** Milliseconds of processor time that one task of the page may take. */
const longestTaskMs = 200;
/** What a very fast gateway could send in one frame. */
const pieceLength = 40_000;
const shown = 5;

/** Broken and hostile texts of up to a megabyte in the panel: the longest that its page stands still for any of them. */
export async function freeze(): Promise<Measured> {
  const title = `freeze: ${Object.keys(hugeTexts).length} huge texts in the panel, in pieces and as one`;
  if (!hasBrowser) {
    return { title: `${title}: there is no browser`, rows: [], bars: [] };
  }
  try {
    const ways = [await longestTasks(pieceLength), await longestTasks(Number.POSITIVE_INFINITY)] as const;
    const rows = ways.flatMap((tasks, index) =>
      tasks.slice(0, shown).map(({ name, ms }) => ({
        text: name,
        comes: index === 0 ? 'in pieces' : 'as one',
        'longest task, ms': rounded(ms),
      })),
    );
    const limit = { limit: longestTaskMs, mustBe: 'at most', unit: 'ms' } as const;
    const [pieces, one] = ways;
    return {
      title,
      rows,
      bars: [
        { name: 'longest task of a text in pieces', value: pieces[0]?.ms ?? Number.NaN, ...limit },
        { name: 'longest task of a text as one', value: one[0]?.ms ?? Number.NaN, ...limit },
      ],
    };
  } finally {
    await closeBrowser();
  }
}

/** For each text the longest task while it comes in pieces of this size, the longest of all first. */
async function longestTasks(size: number): Promise<{ name: string; ms: number }[]> {
  const longest: { name: string; ms: number }[] = [];
  for (const [name, make] of Object.entries(hugeTexts)) {
    // A page and a trace for each: what one text left behind is not the next one's work, and no trace grows too long.
    const panel = await openPanel();
    const tasks = await pageTasks(panel.page, (mark) => stream(panel, make(), size, () => mark(name)));
    await panel.close();
    longest.push({ name, ms: Math.max(0, ...tasks.map(({ ms }) => ms)) });
  }
  return longest.sort((a, b) => b.ms - a.ms);
}

async function stream(panel: PanelPage, text: string, size: number, begin: () => Promise<void>): Promise<void> {
  const id = 'r1';
  await panel.tell(snapshot([turn({ id, state: 'waiting' })]));
  await panel.settle();
  await begin();
  for (let at = 0; at < text.length; at += size) {
    await panel.tell({ type: 'delta', replyId: id, text: text.slice(at, at + size), reasoning: '' });
  }
  await panel.tell(news({ id, text }));
  await panel.settle();
  await panel.page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Copy Answer"]')?.click());
  const copied = (await panel.heard()).findLast((message) => message.type === 'copy');
  if (copied?.text !== text) {
    throw new Error('What is copied is not what came.');
  }
}
