import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChipView, HostMessage } from '../../../../src/protocol/protocol.ts';
import { withoutTranslated } from '../../../pseudoLocale.ts';
import { isQuick } from '../../propertyRuns.ts';
import { layoutDefects, shownTexts } from './panelLayout.ts';
import { hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { leadTo, type PanelState, panelStates } from './panelStates.ts';
import { foreignTexts, pseudoMessage, pseudoPanel } from './pseudoPanel.ts';
import { everyChip, reply, snapshot, turn, update } from './samples.ts';

const live = (part: Parameters<typeof turn>[0]) => turn({ id: 'live', state: 'streaming', text: 'So', ...part });
const ends = (part: Parameters<typeof turn>[0]) => [
  snapshot([live({})], { runningReply: 'live' }),
  update({ id: 'live', text: 'So', ...part }),
];
const trouble = {
  severity: 'error' as const,
  title: 'The answer was cut off',
  remedy: 'Try again.',
  facts: [],
  actions: [],
};

const hourMs = 3_600_000;
/** Noon, so that half an hour later is the same day and 23 hours later is tomorrow. */
const stoppedAt = new Date(2026, 10, 20, 12).getTime();

/** Nothing at all, names of programming languages, and what a state has the host say in English. */
const notTranslated = [
  '',
  'TypeScript',
  'Chart',
  'TypeScript · src/cart/discount.ts',
  'JSON',
  'Shell',
  'There is no key for this connection.',
];

/** More states, for texts that the others don't show. */
const moreStates: Readonly<Record<string, PanelState>> = {
  'code of no language': [snapshot([turn({ text: '```\nx\n```\n\n```console\n$ ls\n```\n' })])],
  'an answer that is too long to be formatted': [snapshot([turn({ text: '- a\n'.repeat(2_000) })])],
  'notes, a footnote, sources and a change that is open': [
    snapshot([
      turn({
        text: [
          ...['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'].map((kind) => `> [!${kind}]\n> 1`),
          '2[^1]\n\n[^1]: 3',
          '```json\n{}\n```',
        ].join('\n\n'),
        sources: [{ url: '4' }],
      }),
    ]),
    { type: 'openChanges', blocks: [{ replyId: 'r1', block: 0 }] },
  ],
  'reasoning of unknown length': [snapshot([turn({ reasoning: 'Hm.', text: 'So.' })])],
  'short reasoning': [snapshot([turn({ reasoning: 'Hm.', reasoningMs: 90, text: 'So.' })])],
  'a column of several answers': [
    snapshot([
      {
        ...turn({ id: 'c' }),
        columns: [
          { reply: reply({ id: 'c1', text: 'So.' }), replies: { at: 2, of: 3, previous: 'p', next: 'n' } },
          { reply: reply({ id: 'c2', model: 'other', text: 'So.' }), isChosen: true },
        ],
      },
    ]),
  ],
  'an answer that has started': [snapshot([turn({})]), { type: 'turn', turn: live({}) }],
  'answers that have started': [
    snapshot([]),
    {
      type: 'turn',
      turn: { ...live({}), columns: ['a', 'b'].map((id) => ({ reply: reply({ id, state: 'waiting' }) })) },
    },
  ],
  'an answer of several that has ended': [
    snapshot([{ ...turn({}), columns: ['a', 'b'].map((id) => ({ reply: reply({ id, state: 'waiting' }) })) }]),
    update({ id: 'a' }),
  ],
  'an answer that was stopped': ends({ state: 'stopped' }),
  'an answer that is incomplete': ends({ state: 'incomplete' }),
  'an answer that is incomplete for a reason': ends({ state: 'incomplete', trouble }),
  'an answer that failed': ends({ state: 'failed' }),
  'an answer that failed for a reason': ends({ state: 'failed', trouble }),
  'an answer that was copied': [
    snapshot([turn({ text: 'So.' })]),
    async ({ page }) => page.locator('footer .iconButton').first().click(),
  ],
  'new text below': [
    snapshot([live({ text: 'Text.\n\n'.repeat(90) })], { runningReply: 'live', host: 'gateway.example' }),
    async (panel) => {
      const { page } = panel;
      await page.locator('.scroller').evaluate((box) => {
        box.scrollTop = 0;
      });
      await page.locator('.jump').waitFor();
      await panel.send({ type: 'delta', replyId: 'live', text: 'More.', reasoning: '' });
      await page.locator('.jump.hasNewText').waitFor();
    },
  ],
  'a question while an answer is running': [
    snapshot([live({})], { runningReply: 'live' }),
    async ({ page }) => {
      await page.locator('textarea').fill('And?');
      await page.locator('textarea').press('Enter');
      await page.locator('.refusal').waitFor();
    },
  ],
  'a pasted picture': [
    snapshot([turn({ text: 'So.' })]),
    async ({ page }) => {
      await page.locator('textarea').evaluate((box) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([], 'a.png'));
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
      });
      await page.locator('.refusal').waitFor();
    },
  ],
  'a long question': [snapshot([turn({ text: 'So.' }, { text: 'And?\n'.repeat(60) })])],
  'much context in a long question that is edited': [
    snapshot([turn({ text: 'So.' })], {
      chips: Array.from({ length: 20 }, (_, index) => ({ ...everyChip[index % 5], id: `${index}` }) as ChipView),
      draft: 'And?\n'.repeat(40),
      editing: 't-r1',
      due: 'Keep one answer to continue.',
    }),
  ],
};

/** States that a panel reaches only while the clock is stopped. */
const timedStates: Readonly<Record<string, PanelState>> = {
  'nearly nothing': [snapshot([], { tokens: 1 })],
  'a wait of hours': [failed(2 * hourMs)],
  'a wait until tomorrow': [failed(23 * hourMs)],
  'a wait that is over': [failed(hourMs / 2), ({ page }) => page.clock.runFor(hourMs / 2)],
  'a host that is gone': [snapshot([live({})], { runningReply: 'live' }), ({ page }) => page.clock.runFor(30_000)],
};

/** An answer whose gateway asks to wait, from the time at which the clock stands. */
function failed(waitMs: number): HostMessage {
  return snapshot([turn({ state: 'failed', trouble: { ...trouble, waitUntil: stoppedAt + waitMs } })]);
}

type Findings = Record<string, string[]>;

/** Shows states, and adds what is wrong in each to `findings`. Returns all texts that were shown. */
async function visit(
  panel: PanelPage,
  states: Readonly<Record<string, PanelState>>,
  findings: Findings,
): Promise<string[]> {
  const all = [...(await shownTexts(panel.page))];
  for (const [name, state] of Object.entries(states)) {
    const pseudo = state.map((step) => (typeof step === 'function' ? step : pseudoMessage(step)));
    await leadTo(panel, pseudo);
    const texts = await shownTexts(panel.page);
    const foreign = new Set([
      ...notTranslated,
      ...pseudo.flatMap((step) => (typeof step === 'function' ? [] : foreignTexts(step))),
    ]);
    const english = texts.filter((text) =>
      withoutTranslated(text)
        .split('\n')
        .some((line) => !foreign.has(line.replaceAll(/^[\s·]+|[\s·]+$/g, ''))),
    );
    const found = [...english.map((text) => `not translated: ${text}`), ...(await layoutDefects(panel.page))];
    if (found.length > 0) {
      findings[name] = found;
    }
    all.push(...texts);
  }
  return all;
}

describe('the panel in a language with long words, in any theme', { skip: !hasBrowser || isQuick }, () => {
  const pseudo = pseudoPanel();
  // The formats are English too.
  const localization = { language: 'en', texts: pseudo };

  it('shows every text and name in that language, and cuts off and covers nothing at a width of 320 pixels and at a zoom of 200 %', async () => {
    const findings: Findings = {};
    // As low as a panel is at a zoom of 200 %.
    const panel = await openPanel({ width: 320, height: 450, localization });
    const texts = await visit(panel, { ...panelStates, ...moreStates }, findings);
    await panel.close();
    const timed = await openPanel({ width: 320, localization });
    await timed.stopTime(stoppedAt);
    texts.push(...(await visit(timed, timedStates, findings)));
    await timed.close();
    assert.deepEqual(findings, {});
    const missing = Object.entries(pseudo).filter(([, text]) => {
      const shown = new RegExp(text.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{\d\}/g, '.*'), 's');
      return !texts.some((each) => shown.test(each));
    });
    assert.deepEqual(
      missing.map(([key]) => key),
      [],
      'texts that no state shows',
    );
  });
});
