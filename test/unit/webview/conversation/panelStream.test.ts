import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byCases } from '../../propertyRuns.ts';
import { anyMarkdown, cutText, piecesOf } from '../markdown/anyMarkdown.ts';
import { hasBrowser, openPanel, type PanelPage } from '../page/panelPage.ts';
import { snapshot, turn, update } from '../page/samples.ts';

/** Texts in each of the two tests; every run has others. */
const textCount = byCases(6, 16, 40);
const steps = 20;

/** Random texts, each with its pieces spread over the steps. The seed of an earlier run repeats that run. */
function randomTexts(seed: number): { readonly text: string; readonly pieces: readonly string[][] }[] {
  return fc.sample(cutText(anyMarkdown), { numRuns: textCount, seed }).map((cut) => {
    const pieces: string[][] = Array.from({ length: steps }, () => []);
    const all = piecesOf(cut);
    for (const [at, piece] of all.entries()) {
      pieces[Math.floor((at * steps) / all.length)]?.push(piece);
    }
    return { text: cut.text, pieces };
  });
}

/** Opens all reasoning, waits until everything is drawn, and returns its HTML. */
async function drawnHtml(panel: PanelPage): Promise<{ readonly text: string[]; readonly reasoning: string[] }> {
  // A long conversation is built a few turns per frame.
  await panel.page.waitForFunction((all) => document.querySelectorAll('.turn').length === all, textCount);
  await openReasoning(panel);
  await panel.settle();
  return panel.page.evaluate(() => {
    const html = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.innerHTML);
    return { text: html('.reply > .markdown'), reasoning: html('.reasoning .markdown') };
  });
}

const openReasoning = (panel: PanelPage) =>
  panel.page.locator('details.reasoning').evaluateAll((all) => {
    for (const one of all) {
      (one as HTMLDetailsElement).open = true;
    }
  });

function assertSame(
  texts: readonly { readonly text: string }[],
  streamed: readonly string[],
  whole: readonly string[],
): void {
  assert.equal(whole.length, texts.length);
  const different = texts.flatMap(({ text }, at) =>
    streamed[at] === whole[at] ? [] : [{ text, streamed: streamed[at], whole: whole[at] }],
  );
  const [shortest] = different.toSorted((a, b) => a.text.length - b.text.length);
  assert.equal(different.length, 0, `${different.length} differ: ${JSON.stringify(shortest, undefined, 1)}`);
}

/** A panel that has drawn a formula before, so that none has to wait for Temml. */
async function openWithTemml(): Promise<PanelPage> {
  const panel = await openPanel();
  await panel.send(snapshot([turn({ text: '$x_1$' })]));
  await panel.page.locator('math').waitFor();
  return panel;
}

for (const isHidden of [false, true]) {
  const how = isHidden ? ', also if the panel is hidden in between' : '';
  test(`renders Markdown cut anywhere the same as the whole text at once${how}`, {
    skip: !hasBrowser,
    timeout: 120_000,
  }, async (t) => {
    const seed = Number(process.env.ASK_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`ASK_MODEL_SEED=${seed}`);
    const texts = randomTexts(seed);
    let panel = await openWithTemml();
    const id = (index: number) => `s${index}`;
    await panel.send(snapshot(texts.map((_, index) => turn({ id: id(index), state: 'waiting' }))));
    for (let step = 0; step < steps; step++) {
      await panel.send(
        ...texts.flatMap(({ pieces }, index) =>
          (pieces[step] ?? []).map((piece) => ({
            type: 'delta' as const,
            replyId: id(index),
            text: piece,
            reasoning: piece,
          })),
        ),
      );
      if (step % 4 === 0) {
        await openReasoning(panel);
      }
      // Some frames are drawn between pieces, some are not; the painter decides which texts it draws in a frame.
      if (step % 3 !== 0) {
        await panel.page.waitForTimeout(step % 3 === 1 ? 20 : 45);
      }
      if (step === 9) {
        const soFar = texts.map(({ pieces }, index) => {
          const text = pieces
            .slice(0, step + 1)
            .flat()
            .join('');
          return turn({ id: id(index), state: 'streaming', text, reasoning: text });
        });
        if (isHidden) {
          await panel.close();
          panel = await openWithTemml();
        }
        await panel.send(snapshot(soFar));
      }
    }
    await panel.send(...texts.map(({ text }, index) => update({ id: id(index), text, reasoning: text })));
    const streamed = await drawnHtml(panel);
    await panel.send(snapshot());
    await panel.send(snapshot(texts.map(({ text }, index) => turn({ id: `w${index}`, text, reasoning: text }))));
    const whole = await drawnHtml(panel);
    assertSame(texts, streamed.text, whole.text);
    assertSame(texts, streamed.reasoning, whole.reasoning);
    assertSame(texts, whole.reasoning, whole.text);
    assert.deepEqual(
      (await panel.posted()).filter(({ type }) => !['draft', 'findPlaces', 'findFiles'].includes(type)),
      [{ type: 'ready' }],
    );
    assert.deepEqual(panel.problems, []);
    await panel.close();
  });
}
