import { hugeTexts } from '../unit/webview/markdown/hugeTexts.ts';
import { closeBrowser, openPanel, type PanelPage } from '../unit/webview/page/panelPage.ts';
import { snapshot, turn, update } from '../unit/webview/page/samples.ts';
import { atMost, type Measured, rounded } from './figures.ts';
import { mainThreadOf } from './panel/mainThread.ts';
import { amount } from './settings.ts';

/** The limit for the processor time of one task of the page, in milliseconds. */
const longestTaskMs = 200;
/** The number of characters that a very fast gateway could send in one frame. */
const pieceLength = 40_000;
const shown = 5;

/** Measures how long the panel's page is blocked at most by broken and hostile texts of up to a megabyte. */
export async function freeze(): Promise<Measured> {
  const title = `freeze: ${Object.keys(hugeTexts).length} huge texts in the panel, in pieces and as one`;
  try {
    const results = [await longestTasks(pieceLength), await longestTasks(Number.POSITIVE_INFINITY)] as const;
    const rows = results.flatMap((tasks, index) =>
      tasks.slice(0, shown).map(({ name, ms }) => ({
        text: name,
        comes: index === 0 ? 'in pieces' : 'as one',
        'longest task, ms': rounded(ms),
      })),
    );
    const [pieces, one] = results;
    return {
      title,
      rows,
      bars: [
        atMost('longest task of a text in pieces', pieces[0]?.ms ?? Number.NaN, longestTaskMs),
        atMost('longest task of a text as one', one[0]?.ms ?? Number.NaN, longestTaskMs),
      ],
    };
  } finally {
    await closeBrowser();
  }
}

/** Returns the longest task for each text when it arrives in pieces of `size` characters; longest first. */
async function longestTasks(size: number): Promise<{ name: string; ms: number }[]> {
  const longest: { name: string; ms: number }[] = [];
  for (const [name, make] of Object.entries(hugeTexts).slice(0, amount(Number.POSITIVE_INFINITY, 2))) {
    // Use a new page and trace for each text, so that texts don't affect each other and no trace becomes too long.
    const panel = await openPanel({ motion: true });
    await panel.send(snapshot([turn({ id: 'r1', state: 'waiting' })]));
    await panel.settle();
    const { longestMs } = await mainThreadOf(panel.page, () => stream(panel, make(), size));
    await panel.close();
    longest.push({ name, ms: longestMs });
  }
  return longest.sort((a, b) => b.ms - a.ms);
}

async function stream(panel: PanelPage, text: string, size: number): Promise<void> {
  for (let at = 0; at < text.length; at += size) {
    await panel.send({ type: 'delta', replyId: 'r1', text: text.slice(at, at + size), reasoning: '' });
  }
  await panel.send(update({ id: 'r1', text }));
  await panel.settle();
  await panel.page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Copy Answer"]')?.click());
  const copied = (await panel.posted()).findLast((message) => message.type === 'copy');
  if (copied?.text !== text.trim()) {
    throw new Error('What is copied is not what came.');
  }
}
