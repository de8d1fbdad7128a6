import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { PageCommand } from '../../../../src/protocol/protocol.ts';
import { hasBrowser, openPanel, type PanelPage, panelTest } from './panelPage.ts';
import { conversation, everyChip, reply, snapshot, turn, update } from './samples.ts';
import { turnWheel } from './turnWheel.ts';

const options = { skip: !hasBrowser };
const brokeOff = {
  severity: 'error',
  title: 'The reply broke off.',
  remedy: '',
  facts: [],
  actions: [{ action: 'sendAgain', label: 'Send Again' }],
} as const;
const low = { height: 500 };
const composer = { model: 'm', chips: [], tokens: 0, draft: '' };

panelTest('posts ready, and waits for the snapshot', async (panel) => {
  assert.deepEqual(await panel.posted(), [{ type: 'ready' }]);
  await panel.send({ type: 'turn', turn: turn() }, { type: 'delta', replyId: 'r1', text: 'x', reasoning: '' });
  assert.equal(await panel.page.locator('.turn').count(), 0);
  await panel.send(snapshot([]));
  await panel.page.getByText('Ask about your code').waitFor();
});

panelTest('shows what the conversation cost and what is left in one place, by model in the hover', async (panel) => {
  await panel.send(snapshot([]));
  const calls = panel.page.locator('.totals');
  assert.equal(await calls.isVisible(), false);
  const hint = 'a: 1 call, 200 tokens\nb\u202e: 1 call';
  const balance = { text: '$3.20 left', title: '$3.20 left · As of now' };
  await panel.send({ type: 'composer', composer: { ...composer, balance, calls: { text: '2 calls, $0.04', hint } } });
  assert.equal(await calls.textContent(), '2 calls, $0.04\u00a0· $3.20 left');
  const title = 'a: 1 call, 200 tokens\nb\\u{202e}: 1 call\n$3.20 left · As of now';
  assert.equal(await calls.getAttribute('title'), title);
  await panel.send({ type: 'composer', composer });
  assert.equal(await calls.isVisible(), false);
});

panelTest('sends a question once, however often Enter is pressed', async (panel) => {
  await panel.begin(snapshot([]));
  const { box } = panel;
  await box.fill('Why?');
  await box.press('Shift+Enter');
  await box.press('Enter');
  await box.press('Enter');
  assert.equal(await panel.page.getByRole('button', { name: 'Send', exact: true }).count(), 0);
  const sends = await panel.posted('send');
  assert.equal(sends.length, 1);
  const [send] = sends;
  assert.equal(send?.text, 'Why?\n');
  await panel.send({ type: 'notSent', sendId: send?.sendId ?? '', reason: 'Choose a model first.' });
  assert.equal(await box.inputValue(), 'Why?\n');
  await panel.page.getByText('Choose a model first.').waitFor();
  await box.press('!');
  await box.press('Enter');
  const [again] = await panel.posted('send');
  assert.notEqual(again?.sendId, send?.sendId);
  await panel.send({ type: 'sent', sendId: again?.sendId ?? '' });
  assert.equal(await box.inputValue(), '');
  await panel.send({ type: 'composer', composer: { ...composer, runningReply: 'r1' } });
  await box.fill('Next');
  await box.press('Enter');
  assert.deepEqual(await panel.posted('send'), []);
});

panelTest('saves what is typed and never overwrites it', async (panel) => {
  await panel.send(snapshot([], { draft: 'Kept' }));
  const { box } = panel;
  assert.equal(await box.inputValue(), 'Kept');
  await panel.posted();
  await box.fill('Kept and more');
  // This tests the delay: the page is discarded as soon as another tab is in front.
  await panel.page.waitForTimeout(100);
  assert.deepEqual(await panel.posted(), [{ type: 'draft', text: 'Kept and more' }]);
  await panel.send(snapshot([], { draft: 'Kept' }), {
    type: 'composer',
    composer: { ...composer, draft: 'other', tokens: 97 },
  });
  assert.equal(await box.inputValue(), 'Kept and more');
  await panel.page.getByText('≈ 100 tokens').waitFor();
  await box.fill('At once');
  await box.blur();
  assert.deepEqual(await panel.posted(), [{ type: 'draft', text: 'At once' }]);
});

panelTest('posts the action of an error card, and disables sending again until it is answered', async (panel) => {
  await panel.begin(conversation());
  const again = panel.page.getByRole('button', { name: 'Send Again' });
  await again.first().click();
  await again.last().click({ force: true });
  await panel.page.getByRole('button', { name: 'Copy Report' }).click();
  const acts = await panel.posted('act');
  assert.deepEqual(
    acts.map(({ turnId, action }) => [turnId, action]),
    [
      ['t-r2', 'sendAgain'],
      ['t-r3', 'copyReport'],
    ],
  );
  assert.equal(new Set(acts.map(({ sendId }) => sendId)).size, 2);
  assert.equal(await again.last().isDisabled(), true);
  await panel.send({ type: 'notSent', sendId: acts[0]?.sendId ?? '', reason: 'A reply is still running.' });
  await panel.page.getByText('A reply is still running.').waitFor();
  assert.equal(await again.last().isDisabled(), false);
});

panelTest('requests a new snapshot when part of a reply is missing', async (panel) => {
  await panel.begin(snapshot([turn({ state: 'streaming' })]), {
    type: 'delta',
    replyId: 'r1',
    text: 'one',
    reasoning: '',
  });
  await panel.send(update({ state: 'streaming', text: 'one' }));
  assert.deepEqual(await panel.posted(), []);
  await panel.send(update({ state: 'complete', text: 'one two' }));
  assert.deepEqual(await panel.posted(), [{ type: 'ready' }]);
  // Before the host answers, the received part was already drawn as the whole reply.
  await panel.settle();
  await panel.send(snapshot([turn({ text: 'one two' })]));
  await panel.page.getByText('one two').waitFor();
});

panelTest('folds reasoning, and shows a clock while it is running', async (panel) => {
  await panel.send(snapshot([turn({ state: 'waiting' })]), {
    type: 'delta',
    replyId: 'r1',
    text: '',
    reasoning: 'Let me *see* it',
  });
  await panel.page.getByText(/^Thinking… \d+ s$/).click();
  await panel.page.locator('.reasoning em', { hasText: 'see' }).waitFor();
  await panel.send({ type: 'delta', replyId: 'r1', text: 'Yes.', reasoning: '' });
  await panel.page.getByText(/^Thought for (?:a moment|\d+ s)$/).waitFor();
  await panel.send(update({ state: 'complete', text: 'Yes.', reasoning: 'Let me *see* it', reasoningMs: 6_400 }));
  await panel.page.getByText('Thought for 6 s').waitFor();
  assert.deepEqual(
    (await panel.posted()).filter(({ type }) => type !== 'ready'),
    [],
  );
});

panelTest('has the plain text of folded reasoning for search, and renders it when it unfolds', async (panel) => {
  await panel.draw(snapshot([turn({ state: 'streaming', reasoning: 'Let me ' })]), {
    type: 'delta',
    replyId: 'r1',
    text: '',
    reasoning: '*see* <b>',
  });
  const details = panel.page.locator('.reasoning');
  assert.equal(await details.locator('.folded').textContent(), 'Let me *see* <b>');
  await details.evaluate((one: HTMLDetailsElement) => {
    one.open = true;
  });
  await details.locator('em', { hasText: 'see' }).waitFor();
  assert.equal(await details.locator('.folded').count(), 0);
});

panelTest('scrolls to text that a search selects, and stays there while text arrives', low, async (panel) => {
  const lines = 'Line\n\n'.repeat(300);
  const code = `\`\`\`js\n${'let a;\n'.repeat(2_000)}hippopotamus\n${'let a;\n'.repeat(2_000)}\`\`\`\n\n`;
  await panel.draw(snapshot([turn({ state: 'streaming', text: `${lines}giraffe\n\n${lines}${code}${lines}` })]));
  const place = () => panel.page.evaluate(() => getSelection()?.getRangeAt(0).getBoundingClientRect().top ?? -1);
  for (const word of ['giraffe', 'hippopotamus']) {
    assert.equal(await panel.page.evaluate(`find('${word}', false, false, true)`), true);
    await panel.settle();
    await panel.draw({ type: 'delta', replyId: 'r1', text: lines, reasoning: '' });
    assert.equal(await panel.page.evaluate('String(getSelection())'), word);
    const top = await place();
    assert.ok(top > 0 && top < 350, `${word} at ${top}`);
  }
});

test('leaves at least half of a low panel to the answers, with Send in view', options, async () => {
  for (const [width, height] of [
    [320, 250],
    [700, 560],
  ] as const) {
    const panel = await openPanel({ width, height });
    await panel.send(snapshot([turn({ text: 'Line\n\n'.repeat(60) })], { chips: everyChip }));
    await panel.box.fill('line\n'.repeat(30));
    await panel.settle();
    const box = await panel.page.locator('.scroller').boundingBox();
    assert.ok(box && box.height >= height / 2, `${box?.height} of ${height}`);
    await panel.page.getByRole('button', { name: 'Send', exact: true }).click();
    assert.ok((await panel.posted()).some(({ type }) => type === 'send'));
    await panel.close();
  }
});

panelTest('scrolls to a question that is sent, or asked again, while one reads elsewhere', low, async (panel) => {
  const long = 'Line\n\n'.repeat(300);
  await panel.draw(snapshot([turn({ id: 'r0', text: long }, { text: 'The first one?' }), turn({ text: long })]));
  const isInView = async (question: string) => {
    await panel.settle();
    const place = await panel.page.getByText(question).boundingBox();
    assert.ok(place && place.y > 0 && place.y < 400, JSON.stringify(place));
  };
  const again = turn({ id: 'r3', state: 'waiting' }, { text: 'The first one?' });
  await panel.send({ type: 'turn', turn: { ...again, id: 't-r0' } });
  await isInView('The first one?');
  await panel.send({ type: 'turn', turn: turn({ id: 'r2', state: 'waiting' }, { text: 'And this one?' }) });
  await isInView('And this one?');
});

panelTest('scrolls to a question that is sent after a key that has nothing more to scroll', low, async (panel) => {
  const { page } = panel;
  await panel.draw(snapshot([turn({ id: 'r0', text: 'Line\n\n'.repeat(20) })]));
  await page.locator('.scroller').focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.scroller')?.scrollTop === 0);
  await panel.settle();
  await page.keyboard.press('ArrowUp');
  await panel.send({ type: 'turn', turn: turn({ id: 'r1', state: 'waiting' }, { text: 'And this one?' }) });
  await panel.settle();
  const place = await page.getByText('And this one?').boundingBox();
  assert.ok(place && place.y > 0 && place.y < 400, JSON.stringify(place));
});

panelTest('announces the start and end of an answer to a screen reader, but not its text', async (panel) => {
  await panel.send(snapshot([]));
  const said = () => panel.page.getByRole('status').textContent();
  await panel.send({ type: 'turn', turn: turn({ state: 'waiting' }) });
  assert.equal(await said(), 'Answer started');
  await panel.send({ type: 'delta', replyId: 'r1', text: 'word', reasoning: '' });
  assert.equal(await said(), 'Answer started');
  await panel.send(update({ text: 'word' }));
  assert.equal(await said(), 'Answer complete');
  await panel.send({ type: 'turn', turn: { ...turn({ id: 'r2', state: 'streaming' }), id: 't2' } });
  const trouble = { severity: 'error' as const, title: 'No route', remedy: '', facts: [], actions: [] };
  await panel.send(update({ id: 'r2', state: 'failed', trouble }));
  assert.equal(await said(), 'Answer failed: No route');
});

panelTest('follows the end only while the person is at the end', low, async (panel) => {
  const lines = (from: number) => Array.from({ length: 60 }, (_, line) => `Line ${from + line}\n\n`).join('');
  const delta = (from: number) => ({ type: 'delta' as const, replyId: 'r1', text: lines(from), reasoning: '' });
  const place = () =>
    panel.page
      .locator('.scroller')
      .evaluate((box) => ({ top: box.scrollTop, left: box.scrollHeight - box.clientHeight - box.scrollTop }));
  const jump = panel.page.getByRole('button', { name: /scroll to end/i });
  await panel.draw(snapshot([turn({ state: 'streaming' })]), delta(0));
  assert.ok((await place()).left < 5);
  assert.equal(await jump.isVisible(), false);
  await turnWheel(panel, -400);
  const before = await place();
  assert.ok(before.left > 100);
  await panel.draw(delta(60));
  assert.ok(Math.abs((await place()).top - before.top) < 2);
  await jump.click();
  await panel.draw(delta(120));
  assert.ok((await place()).left < 5);
  assert.equal(await jump.isVisible(), false);
});

for (const motion of [true, false]) {
  const title = motion ? 'turns an icon while it waits' : 'has no animation when reduced motion is preferred';
  panelTest(title, { motion }, async (panel) => {
    await panel.send(snapshot([turn({ state: 'waiting' })]));
    assert.equal(await panel.page.evaluate(() => document.getAnimations().length), motion ? 1 : 0);
  });
}

panelTest('shows “New text” to a person who reads further up, and jumps to it without motion', low, async (panel) => {
  await panel.draw(snapshot([turn({ state: 'streaming', text: 'Line\n\n'.repeat(80) })]));
  const scroller = panel.page.locator('.scroller');
  const jump = panel.page.locator('.jump');
  await panel.page.mouse.move(300, 200);
  await panel.page.mouse.wheel(0, -600);
  await jump.waitFor();
  assert.equal(await jump.textContent({ timeout: 1_000 }), 'New text');
  assert.equal(await jump.getByText('New text').isVisible(), false);
  assert.equal(await jump.getAttribute('aria-label'), 'Scroll to End');
  await panel.send({ type: 'delta', replyId: 'r1', text: '', reasoning: 'Hm' });
  assert.equal(await jump.getByText('New text').isVisible(), false);
  await panel.send({ type: 'delta', replyId: 'r1', text: 'More', reasoning: '' });
  await jump.getByText('New text').waitFor();
  assert.equal(await jump.getAttribute('aria-label'), 'New Text: Scroll to End');
  const { box } = panel;
  await box.focus();
  for (let step = 0; step < 4 && !(await jump.evaluate((one) => one === document.activeElement)); step++) {
    await panel.page.keyboard.press('Shift+Tab');
  }
  await panel.page.keyboard.press('Enter');
  const left = () => scroller.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
  assert.ok((await left()) < 5);
  assert.equal(await panel.page.evaluate(() => document.getAnimations().length), 0);
  assert.equal(await jump.isVisible(), false);
  assert.equal(await scroller.evaluate((one) => one === document.activeElement), true);
  await panel.draw({ type: 'delta', replyId: 'r1', text: '\n\nAnd more\n\n'.repeat(20), reasoning: '' });
  assert.ok((await left()) < 5);
  await panel.page.keyboard.press('Home');
  await jump.waitFor();
  assert.equal(await jump.getByText('New text').isVisible(), false);
});

/** Sends text repeatedly from inside the page, as fast as a gateway would. @returns a promise of the end. */
function pour(panel: PanelPage, text: string, everyMs: number, times: number): Promise<void> {
  return panel.page.evaluate(
    ([text, everyMs, times]) =>
      new Promise<void>((resolve) => {
        let piece = 0;
        const timer = setInterval(() => {
          const data = { type: 'delta', replyId: 'r1', text: text.replaceAll('#', String(piece++)), reasoning: '' };
          window.dispatchEvent(new MessageEvent('message', { data }));
          if (piece > times) {
            clearInterval(timer);
            resolve();
          }
        }, everyMs);
      }),
    [text, everyMs, times] as const,
  );
}

test('stops following after one notch of the wheel, at any time between fast deltas', options, async () => {
  for (const waitMs of [330, 380]) {
    const panel = await openPanel(low);
    const { page } = panel;
    await panel.draw(snapshot([turn({ state: 'streaming', text: 'Line\n\n'.repeat(80) })]));
    const poured = pour(panel, 'Line #\n\n'.repeat(20), 100, 10);
    // The time since the first delta; deltas come every 100 ms.
    await page.waitForTimeout(waitMs);
    await page.mouse.move(300, 200);
    await page.mouse.wheel(0, -40);
    const jump = page.getByRole('button', { name: /scroll to end/i });
    await jump.waitFor();
    const scroller = page.locator('.scroller');
    await scroller.evaluate((box) => {
      const tops = [box.scrollTop];
      Object.assign(window, { tops });
      box.addEventListener('scroll', () => tops.push(box.scrollTop));
    });
    await poured;
    await panel.settle();
    // The browser animates the notch, so it may still scroll up, but never down again.
    const tops = await page.evaluate(() => (window as unknown as { tops: number[] }).tops);
    assert.deepEqual(
      tops.filter((top, index) => top > (tops[index - 1] ?? top) + 1),
      [],
      `It scrolled back: ${tops.join(', ')}`,
    );
    assert.equal(await jump.isVisible(), true);
    await panel.close();
  }
});

panelTest('stops following while text is selected by dragging (Kilo-Org/kilocode#14164)', low, async (panel) => {
  const { page } = panel;
  const text = Array.from({ length: 60 }, (_, at) => `Line ${at} of it`).join('\n\n');
  await panel.begin(snapshot([turn({ state: 'streaming', text })]));
  const { x = 0, y = 0 } = (await page.getByText('Line 58 of it').boundingBox()) ?? {};
  await page.mouse.move(x + 1, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + 300, y + 8, { steps: 3 });
  await panel.draw({ type: 'delta', replyId: 'r1', text: '\n\nMore'.repeat(20), reasoning: '' });
  await page.mouse.move(x + 301, y + 8);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => String(getSelection())), 'Line 58 of it');
  await page.getByRole('button', { name: 'New Text: Scroll to End' }).click();
  await panel.draw({ type: 'delta', replyId: 'r1', text: '\n\nMore'.repeat(20), reasoning: '' });
  assert.equal(
    await page.locator('.scroller').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
    0,
  );
});

panelTest('follows the end after text at the end, or in the box, was selected', low, async (panel) => {
  const { page } = panel;
  const text = Array.from({ length: 60 }, (_, at) => `Line ${at} of it`).join('\n\n');
  await panel.begin(snapshot([turn({ state: 'streaming', text })]));
  await panel.box.fill('first line\nsecond line');
  await panel.settle();
  for (const [from, up] of [
    [page.getByText('Line 58 of it'), 0],
    [panel.box, 200],
  ] as const) {
    const { x = 0, y = 0 } = (await from.boundingBox()) ?? {};
    await page.mouse.move(x + 40, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 10, y + 8 - up, { steps: 3 });
    if (up === 0) {
      await page.mouse.up();
    }
    await panel.draw({ type: 'delta', replyId: 'r1', text: '\n\nMore'.repeat(20), reasoning: '' });
    await page.mouse.up();
    assert.equal(
      await page.locator('.scroller').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
      0,
    );
  }
});

panelTest('does not follow the end between a notch of the wheel and the scrolling by it', low, async (panel) => {
  await panel.draw(snapshot([turn({ state: 'streaming', text: 'Line\n\n'.repeat(80) })]));
  const scroller = panel.page.locator('.scroller');
  // Where a line is seen: the browser changes the position by itself when text off screen turns out to be smaller.
  const seenAt = () =>
    panel.page
      .locator('.markdown p')
      .nth(79)
      .evaluate((line) => Math.round(line.getBoundingClientRect().top));
  const before = await seenAt();
  await scroller.evaluate((box) => {
    // The event without its scrolling, which a busy browser does later.
    box.dispatchEvent(new WheelEvent('wheel', { deltaY: -40, bubbles: true }));
    const text = 'More\n\n'.repeat(20);
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'delta', replyId: 'r1', text, reasoning: '' } }));
  });
  await panel.page.getByText('More').last().waitFor();
  assert.equal(await seenAt(), before);
  await scroller.evaluate((box) => box.scrollBy(0, -40));
  await panel.draw({ type: 'delta', replyId: 'r1', text: 'The end\n\n', reasoning: '' });
  assert.equal(await seenAt(), before + 40);
});

panelTest('reports an uncaught error without any text of a reply, and continues', async (panel) => {
  await panel.begin(snapshot([]));
  await panel.page.evaluate(() => setTimeout(() => JSON.parse('secret words'), 0));
  const [broken] = await panel.nextPosted();
  assert.equal(broken?.type, 'broken');
  assert.match(broken.message, /SyntaxError/);
  assert.doesNotMatch(broken.message, /secret/);
  await panel.send({
    type: 'turn',
    turn: { id: 't', question: { text: 'q', chips: [] }, reply: reply({ text: 'still here' }) },
  });
  await panel.page.getByText('still here').waitFor();
  assert.equal(panel.problems.splice(0).length, 1);
});

panelTest('shows the end of a reply together with the last of its text', async (panel) => {
  const { page } = panel;
  await panel.send(snapshot([turn({ state: 'streaming', text: 'Begins.\n\n' })]));
  await page.getByText('Begins.').waitFor();
  await page.evaluate(() => {
    const states: string[] = [];
    Object.assign(window, { states });
    const conversation = document.querySelector('.conversation');
    if (conversation === null) {
      throw new Error('There is no conversation.');
    }
    const record = () => {
      const shows = (selector: string) => document.querySelector<HTMLElement>(selector)?.checkVisibility() === true;
      const isWhole = conversation.textContent.includes('the last words');
      const now = `${isWhole ? 'whole' : 'part'}:${shows('.facts') ? ' facts' : ''}${shows('.trouble') ? ' card' : ''}`;
      if (now !== states.at(-1)) {
        states.push(now);
      }
    };
    new MutationObserver(record).observe(conversation, { subtree: true, childList: true, attributes: true });
  });
  const text = `${'A *paragraph* of the reply.\n\n'.repeat(3_000)}And the last words`;
  await panel.send(
    { type: 'delta', replyId: 'r1', text, reasoning: '' },
    update({ id: 'r1', state: 'incomplete', text: `Begins.\n\n${text}`, footer: ['8 in'], trouble: brokeOff }),
  );
  await page.locator('.facts').waitFor();
  const states = await page.evaluate(() => (window as unknown as { states: string[] }).states);
  assert.deepEqual(states, ['part:', 'whole: facts card']);
});

const longFigures = {
  en: ['≈ $1,234.56', '1,204,310 in', '128,356 out', '1,126 s', "vendor's list price"],
  zh: ['≈ US$1,234.56', '输入 1,204,310', '输出 128,356', '1,126 秒', '厂商标价'],
};
for (const width of [320, 450, 900]) {
  panelTest(`shows whole facts below an answer in one line, cost first, at ${width} px`, { width }, async (panel) => {
    const details = ['a', 'b'];
    const retries = ['sendAgain', 'askOther'] as const;
    const turns = Object.entries(longFigures).map(([id, footer]) => turn({ id, text: '1', footer, details, retries }));
    await panel.draw(snapshot(turns));
    const lines = await panel.page.locator('.reply footer').evaluateAll((footers) =>
      footers.map((footer) => {
        const line = footer.querySelector('.facts') ?? footer;
        const { bottom, right } = line.getBoundingClientRect();
        const seen = [...line.children].filter((fact) => fact.getBoundingClientRect().top < bottom);
        const isWhole = seen.every((fact) => fact.getBoundingClientRect().right <= right + 1);
        return [footer.clientHeight, isWhole, seen.map(({ textContent }) => textContent).join('')] as const;
      }),
    );
    for (const [at, [height, isWhole, text]] of lines.entries()) {
      const all = Object.values(longFigures)[at] ?? [];
      assert.ok(height < 40 && isWhole, `${height} px: ${text}`);
      const fewest = { 320: 1, 450: 2, 900: 5 }[width] ?? 0;
      assert.ok(all.join(' · ').startsWith(text) && text.startsWith(all.slice(0, fewest).join(' · ')), text);
    }
  });
}

panelTest('shows all facts of an answer in the hover of its line or by a key, and copies them', async (panel) => {
  const { page } = panel;
  const details = [
    'claude-sonnet-4.5',
    'cost $0.000042 (reported)',
    '8 in',
    'request 20261120104211770123456789-7f3c9b22e1',
  ];
  await panel.begin(snapshot([turn({ text: 'Once.', footer: ['under $0.001', '8 in'], details })]));
  assert.equal(await page.locator('.facts').getAttribute('title'), details.join('\n'));
  const copy = page.getByRole('button', { name: 'Copy Details' });
  assert.equal(await copy.isVisible(), false);
  await page.locator('textarea').focus();
  for (let presses = 0; presses < 20 && !(await page.locator('.facts:focus').count()); presses++) {
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.figures p').innerText(), details.join('\n'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'copy', text: details.join('\n') }]);
});

panelTest('shows the plain text of a reply when rendering it fails', async (panel) => {
  await panel.send(snapshot([]));
  // The page renders a sample once it is idle, which would fail as well.
  await panel.settle();
  await panel.posted();
  await failOnEmphasis(panel.page);
  const other = turn({ id: 'r0', text: 'Drawn all the same' });
  await panel.send(snapshot([other, turn({ state: 'streaming', text: 'Some *words* here' })]));
  await panel.page.getByText('Some *words* here').waitFor();
  await panel.page.getByText('Drawn all the same').waitFor({ timeout: 2_000 });
  await panel.send({ type: 'delta', replyId: 'r1', text: ' and *more*', reasoning: '' });
  await panel.page.getByText('Some *words* here and *more*').waitFor();
  const posted = await panel.posted();
  assert.deepEqual(
    posted.map(({ type }) => type),
    ['broken'],
  );
  assert.doesNotMatch(JSON.stringify(posted), /words/);
  panel.problems.splice(0);
});

panelTest('steps through answers and code blocks, and copies what the context menu was opened on', async (panel) => {
  const { page } = panel;
  const code = '```ts\nlet a;\n```';
  const texts = [`One\n\n${code}`, 'Two', `Three\n\n${code.replace('a', 'b')}\n\n${code.replace('a', 'c')}`];
  await panel.draw(snapshot(texts.map((text, at) => turn({ id: `r${at}`, model: `m${at}`, text }))));
  await page.getByLabel('Question', { exact: true }).focus();
  const focused: (string | null)[] = [];
  const run = async (...commands: PageCommand[]) => {
    for (const command of commands) {
      await panel.send({ type: 'command', command });
      focused.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null));
    }
  };
  await run('nextAnswer', 'previousAnswer', 'previousAnswer', 'previousAnswer', 'previousAnswer', 'nextAnswer');
  const answers = [2, 1, 0, 0, 1].map((at) => `Answer from m${at}`);
  assert.deepEqual(focused.splice(0), ['Question', ...answers]);
  await run('nextCodeBlock', 'nextCodeBlock', 'nextCodeBlock', 'previousCodeBlock');
  assert.deepEqual(new Set(focused), new Set(['Code, TypeScript']));
  assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /let b;/);
  await page.keyboard.press('Tab');
  assert.match(
    (await page.evaluate(() => document.activeElement?.closest('.codeBlock')?.textContent)) ?? '',
    /let b;/,
    'Tab comes to the buttons of the block that was reached',
  );
  await panel.posted();
  await page.getByText('let c;').click({ button: 'right' });
  const contextAt = (text: string) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((at) => at.closest<HTMLElement>('[data-vscode-context]')?.dataset.vscodeContext);
  assert.deepEqual(
    [await contextAt('let c;'), await contextAt('Three')],
    ['{"webviewSection":"code"}', '{"webviewSection":"answer","replyId":"r2"}'],
  );
  await run('copyCode', 'copyAnswer');
  assert.deepEqual(await panel.posted(), [
    { type: 'copy', text: 'let c;' },
    { type: 'copy', text: texts[2] },
  ]);
});

function failOnEmphasis(page: Page): Promise<void> {
  return page.evaluate(() => {
    const original = document.createElement.bind(document);
    document.createElement = ((name: string) => {
      if (name === 'em') {
        throw new RangeError('*words*');
      }
      return original(name);
    }) as typeof document.createElement;
  });
}
