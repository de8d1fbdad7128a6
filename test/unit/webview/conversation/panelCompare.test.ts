import assert from 'node:assert/strict';
import type { ColumnView, ComposerView, HostMessage, ShownReply } from '../../../../src/protocol/protocol.ts';
import { panelTest } from '../page/panelPage.ts';
import { conversation, reply, snapshot, turn, update } from '../page/samples.ts';

const wide = { width: 1_100 };
const due = 'Keep one answer to continue.';
const names = ['claude-sonnet-4.5', 'gpt-5.2', 'deepseek-v3.2', 'qwen3-8b-long'];

type Part = Partial<ShownReply> & Omit<Partial<ColumnView>, 'reply'>;

/** A question that was sent to several models; each part is a column. */
function compared(parts: readonly Part[], composer: Partial<ComposerView> = {}): HostMessage {
  const columns = parts.map(({ replies, isChosen, ...part }, index): ColumnView => {
    const made = reply({ id: `a.${index + 1}`, model: names[index] ?? 'm', ...part });
    return { reply: made, replies, isChosen };
  });
  return snapshot([{ ...turn({ id: 'a' }, { text: 'Which is right?' }), id: 't1', columns }], composer);
}

/** Three answers: one complete, one failed, one still running. */
function sample(): HostMessage {
  const first = conversation();
  const text = first.type === 'snapshot' ? (first.turns[0]?.reply.text ?? '') : '';
  const footer = ['1,204 in', '356 out', 'first token 0.6 s', '74 tok/s', 'cost unknown'];
  const trouble = {
    severity: 'error' as const,
    title: 'Rate limit reached',
    remedy: 'Wait a moment, then send again.',
    words: 'Rate limit reached for this key',
    facts: ['429', 'request 2026112010421177'],
    actions: [
      { action: 'sendAgain' as const, label: 'Send Again (May Be Charged Again)' },
      { action: 'copyReport' as const, label: 'Copy Report' },
    ],
  };
  return compared(
    [
      { text, footer, reasoning: 'Hm.', reasoningMs: 2_000, retries: ['sendAgain', 'askOther'] },
      { state: 'failed', trouble, retries: ['askOther'], echoedModel: 'gpt-5.2-2026-11-01' },
      { state: 'streaming', text: 'It rounds once per line and once for the total.' },
    ],
    { due, runningReply: 'a.3', draft: 'And for tax?' },
  );
}

panelTest('shows the answers side by side, each with its name, clock, Stop button and facts', wide, async (panel) => {
  await panel.begin(sample());
  const group = panel.page.getByRole('group', { name: 'Answers side by side' });
  const column = (name: string) => group.getByRole('group', { name, exact: true });
  const lefts = await Promise.all(names.slice(0, 3).map(async (name) => (await column(name).boundingBox())?.x ?? -1));
  assert.ok((lefts[0] ?? 0) < (lefts[1] ?? 0) && (lefts[1] ?? 0) < (lefts[2] ?? 0), `${lefts}`);
  await column('claude-sonnet-4.5').getByText('· cost unknown').waitFor();
  await column('gpt-5.2').getByText('answered as gpt-5.2-2026-11-01').waitFor();
  await column('gpt-5.2').getByText('Rate limit reached', { exact: true }).waitFor();
  await column('deepseek-v3.2')
    .getByText(/Answering… \d/)
    .waitFor();
  assert.equal(
    await column('gpt-5.2').getByRole('button', { name: 'Keep This Answer' }).count(),
    0,
    'there is no text',
  );
  assert.equal(await column('deepseek-v3.2').getByRole('button', { name: 'Keep This Answer' }).count(), 0, 'it runs');
  await panel.page.getByRole('button', { name: 'Stop deepseek-v3.2' }).press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'stop', replyId: 'a.3' }]);
  assert.equal(await panel.page.getByRole('button', { name: 'Stop deepseek-v3.2' }).isDisabled(), true);
});

panelTest('shows cost, tokens and time of each of four answers', wide, async (panel) => {
  const footer = ['≈ $0.0038', '1,204 in', '1,873 out', '16 s'];
  await panel.begin(compared(names.map(() => ({ text: 'One.', footer, retries: ['sendAgain', 'askOther'] as const }))));
  const isShown = await panel.page
    .locator('.column .fact')
    .evaluateAll((facts) =>
      facts.map(
        (fact) => fact.getBoundingClientRect().bottom <= (fact.parentElement?.getBoundingClientRect().bottom ?? 0),
      ),
    );
  assert.deepEqual(isShown, Array(16).fill(true));
});

panelTest(
  'stays at the top while answers grow side by side, and follows a single answer',
  { width: 1_100, height: 500 },
  async (panel) => {
    const first = conversation();
    const before = first.type === 'snapshot' ? first.turns : [];
    await panel.draw(first);
    const waiting = compared([{ state: 'waiting' }, { state: 'waiting' }]);
    const turns = waiting.type === 'snapshot' ? waiting.turns : [];
    await panel.send(...turns.map((each): HostMessage => ({ type: 'turn', turn: each })));
    const long = 'A line of an answer.\n\n'.repeat(100);
    await panel.draw({ type: 'delta', replyId: 'a.1', text: long, reasoning: '' });
    const top = await panel.page
      .locator('.sideBySide')
      .evaluate(
        (shown) =>
          shown.getBoundingClientRect().top - (shown.closest('.scroller')?.getBoundingClientRect().top ?? Number.NaN),
      );
    assert.ok(Math.abs(top) < 2, `${top}`);
    await panel.send(snapshot(before), { type: 'turn', turn: turn({ id: 'one', state: 'waiting' }) });
    await panel.draw({ type: 'delta', replyId: 'one', text: long, reasoning: '' });
    const left = await panel.page
      .locator('.scroller')
      .evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
    assert.ok(left <= 4, `${left}`);
  },
);

panelTest('shows text and state in the right column, and announces only starts and ends', wide, async (panel) => {
  await panel.send(snapshot([]));
  const waiting = compared([{ state: 'waiting' }, { state: 'waiting' }, { state: 'waiting' }]);
  if (waiting.type === 'snapshot' && waiting.turns[0]) {
    await panel.send({ type: 'turn', turn: waiting.turns[0] });
  }
  const status = panel.page.getByRole('status');
  assert.equal(await status.textContent(), '3 answers started');
  await panel.draw(
    { type: 'delta', replyId: 'a.2', text: 'Two', reasoning: '' },
    { type: 'delta', replyId: 'a.1', text: 'On', reasoning: '' },
    { type: 'delta', replyId: 'a.2', text: ' and more', reasoning: '' },
    { type: 'delta', replyId: 'a.1', text: 'e', reasoning: '' },
  );
  assert.equal(await status.textContent(), '3 answers started');
  const text = (index: number) => panel.page.locator('.column').nth(index).locator('.markdown').innerText();
  assert.deepEqual([await text(0), await text(1)], ['One', 'Two and more']);
  await panel.send(update({ id: 'a.2', model: 'gpt-5.2', text: 'Two and more' }));
  assert.equal(await status.textContent(), 'gpt-5.2: Answer complete');
  await panel.page.getByRole('button', { name: 'Keep This Answer: gpt-5.2' }).waitFor();
  assert.equal(await panel.page.getByRole('button', { name: /^Keep This Answer/ }).count(), 1);
  await panel.posted();
  await panel.send({
    type: 'composer',
    composer: { chips: [], tokens: 0, draft: '', due, runningReply: 'a.1', runningReplies: 2 },
  });
  const stop = panel.page.getByRole('button', { name: 'Stop All' });
  assert.equal(await stop.getAttribute('title'), 'Stop All 2 Answers (Escape)');
  await panel.page.keyboard.press('Escape');
  await panel.page.keyboard.press('Escape');
  assert.deepEqual(await panel.posted(), [{ type: 'stopAll' }], 'once');
});

panelTest('asks to keep one before anything is sent, and loses neither the text nor the focus', wide, async (panel) => {
  await panel.begin(compared([{ text: 'One' }, { text: 'Two' }], { due }));
  const { box } = panel;
  await panel.page.getByText(due).waitFor();
  assert.equal(await panel.boxDescription(), due);
  await box.fill('And then?');
  await box.press('Enter');
  await panel.page.getByRole('alert').getByText(due).waitFor();
  assert.equal(await panel.page.getByText(due).filter({ visible: true }).count(), 1, 'shown once');
  assert.equal(await panel.boxDescription(), '', 'and said once');
  assert.equal(await box.inputValue(), 'And then?');
  assert.equal(await box.evaluate((one) => one === document.activeElement), true);
  const send = panel.page.getByRole('button', { name: 'Send' });
  await send.press('Enter');
  assert.equal(await send.evaluate((one) => one === document.activeElement), true);
  assert.deepEqual(
    (await panel.posted()).filter(({ type }) => type !== 'draft'),
    [],
  );
  await panel.page.getByRole('button', { name: 'Keep This Answer: gpt-5.2' }).press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'keep', replyId: 'a.2' }]);
  const chosen = {
    ...turn({ id: 'a.2', model: 'gpt-5.2', text: 'Two' }, { text: 'Which is right?' }),
    id: 't1',
    canCompare: true as const,
    replies: { at: 2, of: 2, previous: 'a.1' },
  };
  await panel.stopTime();
  await panel.send(snapshot([chosen], { model: 'gpt-5.2' }), { type: 'focus' });
  assert.equal(await panel.page.getByText(due).filter({ visible: true }).count(), 0);
  assert.equal(await panel.page.locator('.column').count(), 0);
  await panel.page.getByRole('group', { name: 'Answer 2 of 2' }).waitFor();
  assert.equal(await box.evaluate((one) => one === document.activeElement), true);
  // Right after the focus moved here, Enter counts as a second press and sends nothing.
  await box.press('Enter');
  await box.press('!');
  await box.press('Enter');
  assert.deepEqual(
    (await panel.posted('send')).map((message) => 'text' in message && message.text),
    ['And then?!'],
  );
});

panelTest('asks one column again with one paid call, and switches back to its earlier answer', wide, async (panel) => {
  const retries = ['sendAgain', 'askOther'] as const;
  await panel.begin(
    compared([
      { text: 'One', retries },
      { text: 'Two', retries },
    ]),
  );
  const second = panel.page.locator('.column').nth(1);
  await second.getByRole('button', { name: 'Ask Again (New Paid Call)' }).dblclick({ force: true });
  const acts = await panel.posted('act');
  assert.deepEqual(
    acts.map(({ turnId, replyId, action }) => [turnId, replyId, action]),
    [['t1', 'a.2', 'sendAgain']],
  );
  const reason = 'There is no key.';
  await panel.send({ type: 'notSent', sendId: acts[0]?.sendId ?? '', reason });
  await second.getByRole('alert').getByText(reason).waitFor();
  const again = (at: number) =>
    compared([
      { text: 'One', retries },
      at === 2
        ? { id: 'b', text: 'Better', replies: { at: 2, of: 2, previous: 'a.2' } }
        : { text: 'Two', replies: { at: 1, of: 2, next: 'b' } },
    ]);
  await panel.send(again(2));
  await second.getByText('Better').waitFor();
  await second.getByRole('button', { name: 'Previous Answer' }).press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'chooseReply', replyId: 'a.2' }]);
  await panel.send(again(1));
  await second.getByText('Two').waitFor();
  const next = second.getByRole('button', { name: 'Next Answer' });
  assert.equal(await next.evaluate((one) => one === document.activeElement), true);
});

for (const [count, width, isWide] of [
  [4, 1_200, false],
  [4, 1_000, true],
  [3, 521, true],
  [2, 600, false],
  [2, 320, true],
] as const) {
  panelTest(
    `shows ${count} answers in ${width} px in one row that ${isWide ? 'scrolls' : 'fits'}`,
    { width },
    async (panel) => {
      const echoed = (at: number) => (at === 1 ? { echoedModel: `${names[1]}-with-a-date-2026-11-17` } : {});
      await panel.draw(compared(names.slice(0, count).map((_, at) => ({ text: 'x '.repeat(2_000), ...echoed(at) }))));
      const columns = await panel.page.locator('.column').evaluateAll((all) =>
        all.map((one) => {
          const { top, width } = one.getBoundingClientRect();
          const head = one.querySelector('.columnHead')?.getBoundingClientRect();
          return [top, width >= 240, head?.top, head?.height];
        }),
      );
      assert.equal(columns.length, count);
      assert.equal(new Set(columns.map(String)).size, 1);
      assert.equal(columns[0]?.[1], true);
      assert.equal(await panel.page.locator('.scroller').evaluate((one) => one.scrollWidth > one.clientWidth), isWide);
    },
  );
}

panelTest('keeps the question in sight while its long answer scrolls', { width: 521, height: 600 }, async (panel) => {
  await panel.draw(snapshot([turn({ text: 'line\n\n'.repeat(60) }, { text: 'Where is the limit?\nMore of it' })]));
  const above = (top: number) =>
    panel.page.evaluate(async (top) => {
      document.querySelector('.scroller')?.scrollTo(0, top);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const line = document.querySelector('.askedLine');
      return line === null
        ? undefined
        : [getComputedStyle(line, '::before').visibility, line.getBoundingClientRect().top];
    }, top);
  assert.equal((await above(0))?.[0], 'hidden');
  assert.deepEqual(await above(900), ['visible', 0]);
});
