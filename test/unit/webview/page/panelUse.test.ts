import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { conversation, news, reply, snapshot, turn } from './samples.ts';
import { turnWheel } from './turnWheel.ts';

after(closeBrowser);

const options = { skip: !hasBrowser };
const brokeOff = {
  severity: 'error',
  title: 'The reply broke off.',
  remedy: '',
  facts: [],
  actions: [{ action: 'sendAgain', label: 'Send again' }],
} as const;
const composer = { model: 'm', chips: [], tokens: 0, draft: '' };

test('says ready, keeps the conversation for the next start, and waits for the snapshot', options, async () => {
  const panel = await openPanel();
  assert.deepEqual(await panel.heard(), [{ type: 'ready' }]);
  assert.deepEqual(await panel.page.evaluate('acquireVsCodeApi().getState()'), { conversation: 'c1' });
  await panel.tell({ type: 'turn', turn: turn() }, { type: 'delta', replyId: 'r1', text: 'x', reasoning: '' });
  assert.equal(await panel.page.locator('.turn').count(), 0);
  await panel.tell(snapshot([]));
  await panel.page.getByText('Ask about your code').waitFor();
  await panel.close();
});

test('one Enter is one send, however often it is pressed', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  await panel.heard();
  const box = panel.page.getByLabel('Question', { exact: true });
  await box.fill('Why?');
  await box.press('Shift+Enter');
  await box.press('Enter');
  await box.press('Enter');
  assert.equal(await panel.page.getByRole('button', { name: 'Send', exact: true }).count(), 0);
  const sends = (await panel.heard()).filter((message) => message.type === 'send');
  assert.equal(sends.length, 1);
  const [send] = sends;
  assert.equal(send?.text, 'Why?\n');
  await panel.tell({ type: 'notSent', sendId: send?.sendId ?? '', reason: 'Choose a model first.' });
  assert.equal(await box.inputValue(), 'Why?\n');
  await panel.page.getByText('Choose a model first.').waitFor();
  await box.press('!');
  await box.press('Enter');
  const [again] = (await panel.heard()).filter((message) => message.type === 'send');
  assert.notEqual(again?.sendId, send?.sendId);
  await panel.tell({ type: 'sent', sendId: again?.sendId ?? '' });
  assert.equal(await box.inputValue(), '');
  await panel.tell({ type: 'composer', composer: { ...composer, runningReply: 'r1' } });
  await box.fill('Next');
  await box.press('Enter');
  assert.deepEqual(
    (await panel.heard()).filter((message) => message.type === 'send'),
    [],
  );
  await panel.close();
});

test('Enter of an input method chooses a word and sends nothing', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  const box = panel.page.getByLabel('Question', { exact: true });
  await box.fill('\u306B\u307B\u3093');
  await box.evaluate((target) => {
    const press = (init: KeyboardEventInit) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }));
    press({ isComposing: true });
    press({ keyCode: 229 });
  });
  assert.deepEqual(
    (await panel.heard()).filter((message) => message.type === 'send'),
    [],
  );
  await panel.close();
});

test('keeps what is typed and never overwrites it', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([], { draft: 'Kept' }));
  const box = panel.page.getByLabel('Question', { exact: true });
  assert.equal(await box.inputValue(), 'Kept');
  await panel.heard();
  await box.fill('Kept and more');
  // Time is what is tested: the page is gone as soon as another tab is in front.
  await panel.page.waitForTimeout(100);
  assert.deepEqual(await panel.heard(), [{ type: 'draft', text: 'Kept and more' }]);
  await panel.tell(snapshot([], { draft: 'Kept' }), {
    type: 'composer',
    composer: { ...composer, draft: 'other', tokens: 96 },
  });
  assert.equal(await box.inputValue(), 'Kept and more');
  await panel.page.getByText('≈ 100 tokens').waitFor();
  await box.fill('At once');
  await box.blur();
  assert.deepEqual(await panel.heard(), [{ type: 'draft', text: 'At once' }]);
  await panel.close();
});

test('Send is Stop while a reply runs; Escape stops as well, once', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ state: 'waiting' })], { runningReply: 'r1' }));
  await panel.page.getByText(/^Waiting for the first reply… \d+ s$/).waitFor();
  await panel.heard();
  await panel.page.getByLabel('Question', { exact: true }).press('Escape');
  await panel.page.getByLabel('Question', { exact: true }).press('Escape');
  await panel.page.getByRole('button', { name: 'Stop' }).click({ force: true });
  assert.deepEqual(await panel.heard(), [{ type: 'stop', replyId: 'r1' }]);
  await panel.tell(news({ state: 'stopped' }), { type: 'composer', composer });
  await panel.page.getByRole('button', { name: 'Send' }).waitFor();
  await panel.close();
});

test(
  'buttons of an error card ask for their action; sending again is locked until it is answered',
  options,
  async () => {
    const panel = await openPanel();
    await panel.tell(conversation());
    await panel.heard();
    const again = panel.page.getByRole('button', { name: 'Send Again' });
    await again.first().click();
    await again.last().click({ force: true });
    await panel.page.getByRole('button', { name: 'Copy Report' }).click();
    const acts = (await panel.heard()).filter((message) => message.type === 'act');
    assert.deepEqual(
      acts.map(({ turnId, action }) => [turnId, action]),
      [
        ['t-r2', 'sendAgain'],
        ['t-r3', 'copyReport'],
      ],
    );
    assert.equal(new Set(acts.map(({ sendId }) => sendId)).size, 2);
    assert.equal(await again.last().isDisabled(), true);
    await panel.tell({ type: 'notSent', sendId: acts[0]?.sendId ?? '', reason: 'A reply is still running.' });
    await panel.page.getByText('A reply is still running.').waitFor();
    assert.equal(await again.last().isDisabled(), false);
    await panel.close();
  },
);

test('asks for everything anew when a piece of a reply was missed', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ state: 'streaming' })]), {
    type: 'delta',
    replyId: 'r1',
    text: 'one',
    reasoning: '',
  });
  await panel.heard();
  await panel.tell(news({ state: 'streaming', text: 'one' }));
  assert.deepEqual(await panel.heard(), []);
  await panel.tell(news({ state: 'complete', text: 'one two' }));
  assert.deepEqual(await panel.heard(), [{ type: 'ready' }]);
  // The host takes its time; what is there was drawn as the whole of it meanwhile.
  await panel.settle();
  await panel.tell(snapshot([turn({ text: 'one two' })]));
  await panel.page.getByText('one two').waitFor();
  await panel.close();
});

test('reasoning is folded, with a clock while it lasts', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ state: 'waiting' })]), {
    type: 'delta',
    replyId: 'r1',
    text: '',
    reasoning: 'Let me *see*',
  });
  await panel.page.getByText(/^Thinking… \d+ s$/).click();
  await panel.page.locator('.reasoning em', { hasText: 'see' }).waitFor();
  await panel.tell(
    { type: 'delta', replyId: 'r1', text: 'Yes.', reasoning: '' },
    news({ state: 'complete', text: 'Yes.', reasoning: 'Let me *see*', reasoningMs: 6_400 }),
  );
  await panel.page.getByText('Thought for 6 s').waitFor();
  assert.deepEqual(
    (await panel.heard()).filter(({ type }) => type !== 'ready'),
    [],
  );
  await panel.close();
});

test('folded reasoning has its words there to be found, and is drawn when it unfolds', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ state: 'streaming', reasoning: 'Let me ' })]), {
    type: 'delta',
    replyId: 'r1',
    text: '',
    reasoning: '*see* <b>',
  });
  await panel.settle();
  const details = panel.page.locator('.reasoning');
  assert.equal(await details.locator('.folded').textContent(), 'Let me *see* <b>');
  await details.evaluate((one: HTMLDetailsElement) => {
    one.open = true;
  });
  await details.locator('em', { hasText: 'see' }).waitFor();
  assert.equal(await details.locator('.folded').count(), 0);
  await panel.close();
});

test('what a search selects is brought into sight, and stays there while text arrives', options, async () => {
  const panel = await openPanel({ height: 500 });
  const lines = 'Line\n\n'.repeat(300);
  const code = `\`\`\`js\n${'let a;\n'.repeat(2_000)}hippopotamus\n${'let a;\n'.repeat(2_000)}\`\`\`\n\n`;
  await panel.tell(snapshot([turn({ state: 'streaming', text: `${lines}giraffe\n\n${lines}${code}${lines}` })]));
  await panel.settle();
  const place = () => panel.page.evaluate(() => getSelection()?.getRangeAt(0).getBoundingClientRect().top ?? -1);
  for (const word of ['giraffe', 'hippopotamus']) {
    assert.equal(await panel.page.evaluate(`find('${word}', false, false, true)`), true);
    await panel.settle();
    await panel.tell({ type: 'delta', replyId: 'r1', text: lines, reasoning: '' });
    await panel.settle();
    assert.equal(await panel.page.evaluate('String(getSelection())'), word);
    const top = await place();
    assert.ok(top > 0 && top < 350, `${word} at ${top}`);
  }
  await panel.close();
});

test('tells a screen reader start and end, and not each word', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  const said = () => panel.page.getByRole('status').textContent();
  await panel.tell({ type: 'turn', turn: turn({ state: 'waiting' }) });
  assert.equal(await said(), 'Answer started');
  await panel.tell({ type: 'delta', replyId: 'r1', text: 'word', reasoning: '' });
  assert.equal(await said(), 'Answer started');
  await panel.tell(news({ text: 'word' }));
  assert.equal(await said(), 'Answer complete');
  await panel.tell({ type: 'turn', turn: { ...turn({ id: 'r2', state: 'streaming' }), id: 't2' } });
  const trouble = { severity: 'error' as const, title: 'No route', remedy: '', facts: [], actions: [] };
  await panel.tell(news({ id: 'r2', state: 'failed', trouble }));
  assert.equal(await said(), 'Failed: No route');
  await panel.close();
});

test('follows the end only while the person is there', options, async () => {
  const panel = await openPanel({ height: 500 });
  const lines = (from: number) => Array.from({ length: 60 }, (_, line) => `Line ${from + line}\n\n`).join('');
  const delta = (from: number) => ({ type: 'delta' as const, replyId: 'r1', text: lines(from), reasoning: '' });
  const place = () =>
    panel.page
      .locator('.scroller')
      .evaluate((box) => ({ top: box.scrollTop, left: box.scrollHeight - box.clientHeight - box.scrollTop }));
  const jump = panel.page.getByRole('button', { name: /jump to the newest text/i });
  await panel.tell(snapshot([turn({ state: 'streaming' })]), delta(0));
  await panel.settle();
  assert.ok((await place()).left < 5);
  assert.equal(await jump.isVisible(), false);
  await turnWheel(panel, -400);
  const before = await place();
  assert.ok(before.left > 100);
  await panel.tell(delta(60));
  await panel.settle();
  assert.ok(Math.abs((await place()).top - before.top) < 2);
  await jump.click();
  await panel.tell(delta(120));
  await panel.settle();
  assert.ok((await place()).left < 5);
  assert.equal(await jump.isVisible(), false);
  await panel.close();
});

test('tells who reads further up that text came, and takes them there without motion', options, async () => {
  const panel = await openPanel({ height: 500 });
  await panel.page.emulateMedia({ reducedMotion: 'reduce' });
  await panel.tell(snapshot([turn({ state: 'streaming', text: 'Line\n\n'.repeat(80) })]));
  await panel.settle();
  const scroller = panel.page.locator('.scroller');
  const jump = panel.page.locator('.jump');
  await panel.page.mouse.move(300, 200);
  await panel.page.mouse.wheel(0, -600);
  await jump.waitFor();
  assert.equal(await jump.textContent({ timeout: 1_000 }), 'New text');
  assert.equal(await jump.getByText('New text').isVisible(), false);
  assert.equal(await jump.getAttribute('aria-label'), 'Jump to the newest text');
  await panel.tell({ type: 'delta', replyId: 'r1', text: '', reasoning: 'Hm' });
  assert.equal(await jump.getByText('New text').isVisible(), false);
  await panel.tell({ type: 'delta', replyId: 'r1', text: 'More', reasoning: '' });
  await jump.getByText('New text').waitFor();
  assert.equal(await jump.getAttribute('aria-label'), 'New text: jump to the newest text');
  const box = panel.page.getByLabel('Question', { exact: true });
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
  await panel.tell({ type: 'delta', replyId: 'r1', text: '\n\nAnd more\n\n'.repeat(20), reasoning: '' });
  await panel.settle();
  assert.ok((await left()) < 5);
  await panel.page.keyboard.press('Home');
  await jump.waitFor();
  assert.equal(await jump.getByText('New text').isVisible(), false);
  await panel.close();
});

/** Sends text again and again from inside the page, as fast as a gateway would. */
async function pour(panel: PanelPage, text: string, everyMs: number, times: number): Promise<void> {
  await panel.page.evaluate(
    ([text, everyMs, times]) => {
      let piece = 0;
      const timer = setInterval(() => {
        const data = { type: 'delta', replyId: 'r1', text: text.replaceAll('#', String(piece++)), reasoning: '' };
        window.dispatchEvent(new MessageEvent('message', { data }));
        if (piece > times) {
          clearInterval(timer);
        }
      }, everyMs);
    },
    [text, everyMs, times] as const,
  );
}

test('a wheel turned while text pours in is not fought', options, async () => {
  const panel = await openPanel({ height: 500 });
  await panel.tell(snapshot([turn({ state: 'streaming', text: 'Line\n\n'.repeat(80) })]));
  await panel.settle();
  await pour(panel, 'Line #\n\n', 4, 400);
  await panel.page.getByText('Line 40', { exact: true }).waitFor();
  await panel.page.mouse.move(300, 200);
  await panel.page.mouse.wheel(0, -300);
  // Longer than one turn of the wheel scrolls; no state tells its end while text pours in.
  await panel.page.waitForTimeout(300);
  const top = () => panel.page.locator('.scroller').evaluate((box) => box.scrollTop);
  const before = await top();
  // Nothing may move while more text comes.
  await panel.page.waitForTimeout(500);
  assert.ok(Math.abs((await top()) - before) < 2, `${before} became ${await top()}`);
  assert.equal(await panel.page.getByRole('button', { name: /jump to the newest text/i }).isVisible(), true);
  await panel.close();
});

test('one notch of the wheel is enough, whenever it comes between pieces of fast text', options, async () => {
  for (const waitMs of [300, 330, 355, 380]) {
    const panel = await openPanel({ height: 500 });
    await panel.tell(snapshot([turn({ state: 'streaming', text: 'Line\n\n'.repeat(80) })]));
    await panel.settle();
    await pour(panel, 'Line #\n\n'.repeat(20), 100, 30);
    // So long after the pieces began, which come every 100 ms.
    await panel.page.waitForTimeout(waitMs);
    await panel.page.mouse.move(300, 200);
    await panel.page.mouse.wheel(0, -40);
    await panel.page.getByRole('button', { name: /jump to the newest text/i }).waitFor();
    const top = () => panel.page.locator('.scroller').evaluate((box) => box.scrollTop);
    const before = await top();
    // Nothing may move while three more pieces come.
    await panel.page.waitForTimeout(300);
    assert.ok(Math.abs((await top()) - before) < 2, `${before} became ${await top()}`);
    await panel.close();
  }
});

test('reports a bug of its own without any text of a reply, and goes on', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  await panel.heard();
  await panel.page.evaluate(() => setTimeout(() => JSON.parse('secret words'), 0));
  const [broken] = await panel.heardNext();
  assert.equal(broken?.type, 'broken');
  assert.match(broken.message, /SyntaxError/);
  assert.doesNotMatch(broken.message, /secret/);
  await panel.tell({
    type: 'turn',
    turn: { id: 't', question: { text: 'q', chips: [] }, reply: reply({ text: 'still here' }) },
  });
  await panel.page.getByText('still here').waitFor();
  assert.equal(panel.problems.splice(0).length, 1);
  await panel.close();
});

test('says that a reply has ended together with the last of its text', options, async () => {
  const panel = await openPanel();
  const { page } = panel;
  await panel.tell(snapshot([turn({ state: 'streaming', text: 'Begins.\n\n' })]));
  await page.getByText('Begins.').waitFor();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const conversation = document.querySelector('.conversation');
    if (conversation === null) {
      throw new Error('There is no conversation.');
    }
    const look = () => {
      const shows = (selector: string) => document.querySelector<HTMLElement>(selector)?.checkVisibility() === true;
      const isWhole = conversation.textContent.includes('the last words');
      const now = `${isWhole ? 'whole' : 'part'}:${shows('.facts') ? ' facts' : ''}${shows('.trouble') ? ' card' : ''}`;
      if (now !== seen.at(-1)) {
        seen.push(now);
      }
    };
    new MutationObserver(look).observe(conversation, { subtree: true, childList: true, attributes: true });
  });
  const text = `${'A *paragraph* of the reply.\n\n'.repeat(3_000)}And the last words`;
  await panel.tell(
    { type: 'delta', replyId: 'r1', text, reasoning: '' },
    news({ id: 'r1', state: 'incomplete', text: `Begins.\n\n${text}`, footer: ['8 in'], trouble: brokeOff }),
  );
  await page.locator('.facts').waitFor();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  assert.deepEqual(seen, ['part:', 'whole: facts card']);
  await panel.close();
});

test(
  'keeps what is to be known of a card that waits for a long text: no paid call now, and why one was refused',
  options,
  async () => {
    const panel = await openPanel();
    const { page } = panel;
    const again = page.getByRole('button', { name: 'Send again' });
    const cut = (text: string) => turn({ id: 'r0', state: 'incomplete', text, trouble: brokeOff });
    const long = 'A *paragraph* of the reply.\n\n'.repeat(3_000);
    await panel.tell(snapshot([cut(long), turn({ state: 'streaming' })], { runningReply: 'r1' }));
    await again.waitFor();
    assert.equal(await again.isDisabled(), true);
    await panel.tell(snapshot([cut(long)]));
    await panel.heard();
    await again.click();
    const [act] = (await panel.heard()).filter((message) => message.type === 'act');
    await panel.tell(snapshot([cut(`Another text. ${long}`)]), {
      type: 'notSent',
      sendId: act?.sendId ?? '',
      reason: 'Another window asks just now.',
    });
    await again.waitFor();
    assert.equal(await page.locator('.trouble .refusal').innerText(), 'Another window asks just now.');
    assert.equal(await again.isDisabled(), false);
    await panel.close();
  },
);

test('shortens the id of a request for the eye, and all of it is there to be copied', options, async () => {
  const panel = await openPanel();
  const requestId = '20261120104211770123456789-7f3c9b22e1';
  const footer = ['1,204 in', '356 out', 'first token 0.6 s', '74 tok/s', 'cost unknown'];
  await panel.tell(snapshot([turn({ id: 'r1', text: 'Once.', footer }), turn({ id: 'r2', footer, requestId })]));
  await panel.settle();
  const facts = panel.page.locator('.facts');
  const [without, withId] = await facts.evaluateAll((lines) => lines.map((line) => line.clientHeight));
  assert.equal(withId, without, 'one line');
  const copied = await facts.last().evaluate((line) => {
    getSelection()?.selectAllChildren(line);
    return String(getSelection());
  });
  assert.equal(copied, `${footer.join(' · ')} · request ${requestId}`);
  assert.equal(await facts.last().locator('.request').getAttribute('title'), requestId);
  await panel.close();
});

test('shows the words of a reply alone when drawing it fails', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  await panel.heard();
  await failOnEmphasis(panel.page);
  const other = turn({ id: 'r0', text: 'Drawn all the same' });
  await panel.tell(snapshot([other, turn({ state: 'streaming', text: 'Some *words*' })]));
  await panel.page.getByText('Some *words*').waitFor();
  await panel.page.getByText('Drawn all the same').waitFor({ timeout: 2_000 });
  await panel.tell({ type: 'delta', replyId: 'r1', text: ' and *more*', reasoning: '' });
  await panel.page.getByText('Some *words* and *more*').waitFor();
  const heard = await panel.heard();
  assert.deepEqual(
    heard.map(({ type }) => type),
    ['broken'],
  );
  assert.doesNotMatch(JSON.stringify(heard), /words/);
  panel.problems.splice(0);
  await panel.close();
});

test('goes on drawing what arrives after drawing failed in the middle of a reply', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ state: 'streaming', text: 'Some ' })]));
  await panel.settle();
  await failOnEmphasis(panel.page);
  await panel.tell({ type: 'delta', replyId: 'r1', text: '*words*', reasoning: '' });
  await panel.page.getByText('Some *words*').waitFor();
  await panel.tell({ type: 'delta', replyId: 'r1', text: ' and *more*', reasoning: '' });
  await panel.page.getByText('Some *words* and *more*').waitFor({ timeout: 2_000 });
  assert.deepEqual(panel.problems.splice(0), ['RangeError: *words*']);
  await panel.close();
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
