import { hugeTexts } from '../unit/webview/markdown/hugeTexts.ts';
import { closeBrowser, openPanel, type PanelPage } from '../unit/webview/page/panelPage.ts';
import { snapshot, turn, update } from '../unit/webview/page/samples.ts';
import { amount, type Bench, rounded } from './bench.ts';
import { mainThreadOf } from './mainThread.ts';

/** The limit for the processor time of one task of the page, in milliseconds. */
const longestTaskMs = 200;
/** The number of characters that a very fast gateway could send in one frame. */
const pieceLength = 40_000;
const shown = 5;

/** Measures how long the panel's page is blocked at most by broken and hostile texts of up to a megabyte. */
export async function freeze(bench: Bench): Promise<void> {
  const all = Object.entries(hugeTexts);
  bench.title = `freeze: ${all.length} huge texts in the panel, in pieces and as one`;
  for (const [comes, length] of Object.entries({ 'in pieces': pieceLength, 'as one': Number.POSITIVE_INFINITY })) {
    const rows: { text: string; comes: string; 'longest task, ms': number }[] = [];
    for (const [text, make] of all.slice(0, amount(all.length, 2))) {
      // Use a new page and trace for each text, so that texts don't affect each other and no trace becomes too long.
      const panel = await openPanel({ motion: true });
      await panel.send(snapshot([turn({ id: 'r1', state: 'waiting' })]));
      await panel.settle();
      const { longestMs } = await mainThreadOf(panel.page, () => stream(panel, make(), length));
      await panel.close();
      rows.push({ text, comes, 'longest task, ms': rounded(longestMs) });
    }
    rows.sort((a, b) => b['longest task, ms'] - a['longest task, ms']);
    bench.rows.push(...rows.slice(0, shown));
    bench.atMost(`longest task of a text ${comes}`, rows[0]?.['longest task, ms'] ?? Number.NaN, longestTaskMs);
  }
  await closeBrowser();
}

async function stream(panel: PanelPage, text: string, length: number): Promise<void> {
  for (let at = 0; at < text.length; at += length) {
    await panel.send({ type: 'delta', replyId: 'r1', text: text.slice(at, at + length), reasoning: '' });
  }
  await panel.send(update({ id: 'r1', text }));
  await panel.settle();
  await panel.page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Copy Answer"]')?.click());
  const copied = (await panel.posted()).findLast((message) => message.type === 'copy');
  if (copied?.text !== text.trim()) {
    throw new Error('What is copied is not what came.');
  }
}
