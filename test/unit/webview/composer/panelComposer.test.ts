import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trouble } from '../../../../src/core/chat/conversation/trouble.ts';
import { hasBrowser, openPanel, type PanelPage, panelTest } from '../page/panelPage.ts';
import { everyChip, snapshot, turn } from '../page/samples.ts';

const options = { skip: !hasBrowser };

const sends = async (panel: PanelPage) => await panel.posted('send');

panelTest('shows a chip for each kind of context, with its icon and a full tooltip', async (panel) => {
  await panel.send(snapshot([turn({}, { chips: everyChip })], { chips: everyChip }));
  for (const list of [panel.page.locator('.question .chip'), panel.page.locator('.composer li.chip')]) {
    const shown = await list.evaluateAll((chips) =>
      chips.map((chip) => [chip.querySelector('.icon')?.classList[1], chip.textContent, chip.getAttribute('title')]),
    );
    assert.deepEqual(shown, [
      ['selection', 'discount.ts 12–34 · 310 tok', 'discount.ts 12–34 · 310 tok'],
      ['symbol', 'applyDiscount 120', 'applyDiscount · discount.ts 12–34'],
      ['file', 'src/cart/cart.ts 804', 'src/cart/cart.ts 804'],
      ['warning', '2 problems 48', '2 problems · discount.ts 12–34'],
      ['file', 'HEAD 9', 'HEAD 9'],
    ]);
  }
  await panel.posted();
  await panel.page.getByRole('button', { name: 'Remove 2 problems' }).click();
  await panel.page.getByRole('button', { name: 'Add Context…' }).click();
  assert.deepEqual(await panel.posted(), [{ type: 'removeChip', id: 'k4' }, { type: 'addContext' }]);
  await panel.page.locator('.composer').getByRole('button', { name: 'applyDiscount 120' }).click();
  await panel.page.locator('.question').getByRole('button', { name: 'HEAD 9' }).press('Enter');
  assert.deepEqual(await panel.posted(), [
    { type: 'openChip', id: 'k2' },
    { type: 'openChip', id: 'k5' },
  ]);
});

panelTest('shows the request of the draft and of an answer without sending anything', async (panel) => {
  await panel.send(snapshot([turn({ id: 'r1', text: 'Because.' })]));
  await panel.box.fill('Why not?');
  await panel.posted();
  await panel.page.getByRole('button', { name: 'Show Request' }).click();
  await panel.page.getByRole('button', { name: 'Show Sent Request' }).click();
  const posted = (await panel.posted()).filter(({ type }) => type !== 'draft');
  assert.deepEqual(posted, [
    { type: 'showRequest', text: 'Why not?' },
    { type: 'showSent', replyId: 'r1' },
  ]);
  await panel.send({ type: 'composer', composer: { chips: [], tokens: 0, draft: 'Why?', editing: 't-r1' } });
  await panel.page.getByRole('button', { name: 'Show Request' }).press('Enter');
  assert.deepEqual(
    (await panel.posted()).filter(({ type }) => type !== 'draft'),
    [{ type: 'showRequest', text: 'Why?', editing: 't-r1' }],
  );
  assert.equal(await panel.box.inputValue(), 'Why?');
});

panelTest(
  'grows the question box with its text up to a part of the panel, then scrolls it, and shrinks it again',
  { height: 800 },
  async (panel) => {
    await panel.send(snapshot([]));
    const height = async () => (await panel.box.boundingBox())?.height ?? 0;
    const one = await height();
    await panel.box.press('a');
    await panel.box.press('Shift+Enter');
    await panel.box.press('b');
    assert.equal(await panel.box.inputValue(), 'a\nb');
    assert.ok((await height()) >= one + 15, 'one line more');
    await panel.box.fill('line\n'.repeat(200));
    const maxHeight = await height();
    assert.ok(maxHeight > 10 * 15 && maxHeight <= 0.4 * 800 + 1, `${maxHeight} px`);
    assert.ok(await panel.box.evaluate((area) => area.scrollHeight > area.clientHeight + 100));
    await panel.page.getByRole('button', { name: 'Send' }).click({ trial: true });
    await panel.box.fill('');
    assert.equal(await height(), one);
    assert.deepEqual(await sends(panel), []);
  },
);

test('sends a question of before the first update at once, and once', options, async () => {
  const panel = await openPanel();
  await panel.box.fill('Why?');
  await panel.box.press('Enter');
  await panel.box.press('Enter');
  assert.deepEqual(await sentTexts(panel), ['Why?']);
  await panel.send(snapshot([]));
  await panel.box.press('Enter');
  assert.deepEqual(await sends(panel), []);
  assert.equal(await panel.box.inputValue(), 'Why?');
  await panel.close();
});

const found = ({ page }: PanelPage) => page.getByRole('listbox', { name: 'Add Context' });
const finds = async (panel: PanelPage) =>
  (await panel.posted()).flatMap((message) => (message.type === 'findContext' ? [message] : []));
const rows = [
  { id: 'selection', kind: 'selection', label: 'Selection', detail: 'src/cart.ts · lines 3–9', size: '≈ 310 tokens' },
  { id: 'symbol:amountOf', kind: 'symbol', label: 'amountOf', detail: 'function · src/cart.ts', size: '≈ 120 tokens' },
  { id: 'file:cart.ts', kind: 'file', label: 'cart.ts', detail: 'src' },
] as const;

/** Types a name, and answers it with all rows. @returns the number of the request. */
async function openList(panel: PanelPage): Promise<number> {
  await panel.box.pressSequentially('#c');
  const request = (await finds(panel)).at(-1)?.request ?? 0;
  await panel.send({ type: 'found', request, rows });
  return request;
}

const addedIds = async (panel: PanelPage) => (await panel.posted('addFound')).map(({ id }) => id);

test('opens a list after # or @, and includes the selected row instead of the typed name', options, async () => {
  for (const sign of ['#', '@']) {
    const panel = await openPanel();
    await panel.send(snapshot([]));
    await panel.box.pressSequentially(`Why is ${sign}ca`);
    const asked = await finds(panel);
    assert.deepEqual(
      asked.map(({ query }) => query),
      ['', 'c', 'ca'],
    );
    const request = asked.at(-1)?.request ?? 0;
    await panel.send({ type: 'found', request: request - 1, rows: [] });
    assert.equal(await found(panel).isVisible(), false);
    await panel.send({ type: 'found', request, rows });
    assert.deepEqual(await found(panel).getByRole('option').allInnerTexts(), [
      'Selection\nsrc/cart.ts · lines 3–9\n· ≈ 310 tokens',
      'amountOf\nfunction · src/cart.ts\n· ≈ 120 tokens',
      'cart.ts\nsrc',
    ]);
    await panel.box.press('ArrowDown');
    await panel.box.press('ArrowDown');
    assert.equal(await found(panel).getByRole('option', { selected: true }).locator('.label').innerText(), 'amountOf');
    await panel.box.press('Enter');
    const posted = (await panel.posted()).filter(({ type }) => type !== 'draft');
    assert.deepEqual(posted, [{ type: 'addFound', id: 'symbol:amountOf' }]);
    assert.equal(await panel.box.inputValue(), 'Why is ');
    assert.equal(await found(panel).isVisible(), false);
    await panel.box.press('ControlOrMeta+z');
    assert.equal(await panel.box.inputValue(), `Why is ${sign}ca`);
    await panel.close();
  }
});

panelTest('includes a row by Tab or a click, and shows why a row could not be included', async (panel) => {
  await panel.send(snapshot([]));
  await openList(panel);
  await panel.box.press('Tab');
  assert.deepEqual(await addedIds(panel), ['selection']);
  await openList(panel);
  await found(panel).getByRole('option').nth(2).click();
  assert.deepEqual(await addedIds(panel), ['file:cart.ts']);
  assert.equal(await panel.box.evaluate((area) => area === document.activeElement), true);
  await panel.send({ type: 'notAdded', reason: 'cart.ts no longer exists.' });
  await panel.page.getByRole('alert').filter({ hasText: 'cart.ts no longer exists.' }).waitFor();
});

panelTest('Escape closes the list without stopping an answer, and Enter sends the text as it is', async (panel) => {
  await panel.send(snapshot([turn({ state: 'streaming' })], { runningReply: 'r1' }));
  await openList(panel);
  await panel.box.press('Escape');
  assert.equal(await found(panel).isVisible(), false);
  assert.ok((await panel.posted()).every(({ type }) => type !== 'stop'));
  await panel.send(snapshot([turn({ id: 'r1', text: 'Because.' })]));
  await panel.box.pressSequentially('a');
  assert.deepEqual(await finds(panel), [], 'the list stays closed for this name');
  await panel.box.press('Enter');
  assert.deepEqual(await sentTexts(panel), ['#ca']);
});

const sentTexts = async (panel: PanelPage) => (await panel.posted('send')).map(({ text }) => text);

test('Enter sends a name after # or @ unless a row was chosen (element-web#9876, postage#112)', options, async () => {
  for (const [text, isAnswered] of [
    ['Where do we use #todo', true],
    ['What is the opposite of #define', false],
    ['Why is it #fff', true],
    ['Explain @media', false],
  ] as const) {
    const panel = await openPanel();
    await panel.send(snapshot([]));
    await panel.box.pressSequentially(text);
    const request = (await finds(panel)).at(-1)?.request ?? 0;
    if (isAnswered) {
      await panel.send({ type: 'found', request, rows });
      assert.equal(await found(panel).getByRole('option', { selected: true }).count(), 0);
      assert.equal(await panel.box.getAttribute('aria-activedescendant'), null);
    }
    await panel.box.press('Enter');
    await panel.send({ type: 'found', request, rows });
    assert.equal(await found(panel).isVisible(), false);
    const posted = await panel.posted();
    assert.deepEqual(
      posted.flatMap((each) => (each.type === 'send' ? [each.text] : each.type === 'addFound' ? [each.id] : [])),
      [text],
    );
    await panel.close();
  }
});

panelTest('includes the row that an arrow key has selected, which assistive technology hears of', async (panel) => {
  await panel.send(snapshot([]));
  await openList(panel);
  await panel.box.press('ArrowDown');
  const selected = found(panel).getByRole('option', { selected: true });
  assert.equal(await panel.box.getAttribute('aria-activedescendant'), await selected.getAttribute('id'));
  await panel.box.press('Enter');
  assert.deepEqual(await addedIds(panel), ['selection']);
  await openList(panel);
  await panel.box.press('PageDown');
  await panel.box.press('Enter');
  assert.deepEqual(await addedIds(panel), ['file:cart.ts']);
  await openList(panel);
  await panel.box.press('ArrowDown');
  await panel.box.press('a');
  await panel.box.press('Enter');
  assert.deepEqual(await sentTexts(panel), ['#ca'], 'further letters mean another name');
});

panelTest('includes the first row when Tab comes before the answer of the host', async (panel) => {
  await panel.send(snapshot([]));
  await openList(panel);
  await panel.box.press('a');
  const request = (await finds(panel)).at(-1)?.request ?? 0;
  await panel.box.press('Tab');
  await panel.send({ type: 'found', request, rows });
  assert.deepEqual(await addedIds(panel), ['selection']);
});

panelTest('opens no list for pasted text, or when the cursor moves into a name (element-web#9876)', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.evaluate((area: HTMLTextAreaElement) => {
    area.value = '@media and #define';
    area.select();
  });
  await panel.box.press('ControlOrMeta+x');
  await panel.box.press('ControlOrMeta+v');
  assert.equal(await panel.box.inputValue(), '@media and #define');
  await panel.box.press('Home');
  for (let step = 0; step < 3; step++) {
    await panel.box.press('ArrowRight');
  }
  await panel.box.blur();
  await panel.box.focus();
  assert.deepEqual(await finds(panel), []);
  await panel.box.press('End');
  await panel.box.pressSequentially(' or #c');
  assert.equal((await finds(panel)).at(-1)?.query, 'c', 'but for what is typed after it');
});

panelTest('keeps the selected row when more is known of the rows', async (panel) => {
  await panel.send(snapshot([]));
  const request = await openList(panel);
  await panel.box.press('ArrowUp');
  const folder = { id: 'folder:cart', kind: 'folder', label: 'cart/', detail: 'src', size: '6 files' } as const;
  const known = [rows[0], folder, rows[1], { ...rows[2], size: '≈ 90 tokens' }];
  await panel.send({ type: 'found', request, rows: known });
  const selected = found(panel).getByRole('option', { selected: true });
  assert.equal(await selected.innerText(), 'cart.ts\nsrc\n· ≈ 90 tokens');
});

panelTest(
  'shows the tokens of every row in a narrow panel, and cuts the place first, then the name',
  { width: 320 },
  async (panel) => {
    await panel.send(snapshot([]));
    await panel.box.pressSequentially('#c');
    const request = (await finds(panel)).at(-1)?.request ?? 0;
    const [long, path] = ['aVeryLongNameOfAFile.controller.integration.test.ts', 'packages/frontend/application'];
    const file = { kind: 'file', detail: path } as const;
    await panel.send({
      type: 'found',
      request,
      rows: [
        { ...file, id: 'long', label: long, size: '≈ 1,200 tokens · already included' },
        { ...file, id: 'short', label: 'cart.ts', size: '≈ 1,200 tokens' },
        { ...file, id: 'folder', kind: 'folder', label: `${long}/`, size: '120 files · ≈ 48,000 tokens' },
        { ...file, id: 'changes', kind: 'changes', label: 'Changes', detail: '', size: '12 files' },
      ],
    });
    const isCut = (part: string) =>
      found(panel)
        .locator(part)
        .evaluateAll((all) => all.map((each) => each.scrollWidth > each.clientWidth));
    // Of the first only the end, after the tokens.
    assert.deepEqual(await isCut('.size'), [true, false, false, false]);
    assert.deepEqual(await isCut('.label'), [true, false, true, false]);
    assert.equal((await isCut('.detail')).at(1), true);
    const right = await found(panel).evaluate((list) =>
      Math.max(...[...list.querySelectorAll('.size')].map((each) => each.getBoundingClientRect().right)),
    );
    assert.ok(right <= 320, `${right}`);
  },
);

test('searches only with a row that was selected, and shows what that finds', options, async () => {
  const search = { id: 'search', kind: 'symbol', label: 'Symbols in Workspace…', detail: 'c', isSearch: true } as const;
  const panel = await openPanel();
  await panel.send(snapshot([]));
  await panel.box.pressSequentially('Why #c');
  const request = (await finds(panel)).at(-1)?.request ?? 0;
  await panel.send({ type: 'found', request, rows: [search] });
  await panel.box.press('ArrowDown');
  await panel.box.press('Enter');
  assert.deepEqual(await addedIds(panel), ['search']);
  assert.equal(await panel.box.inputValue(), 'Why #c', 'the name stays until something is chosen');
  await panel.send({ type: 'found', request, rows: [rows[1]] });
  await panel.box.press('Enter');
  assert.deepEqual(await addedIds(panel), ['symbol:amountOf']);
  assert.equal(await panel.box.inputValue(), 'Why ');
  await panel.box.pressSequentially('#d');
  await panel.send({ type: 'found', request: (await finds(panel)).at(-1)?.request ?? 0, rows: [search] });
  await panel.box.press('Enter');
  assert.deepEqual(await sentTexts(panel), ['Why #d']);
  await panel.close();
});

/** Pastes as the browser would. @returns false when the page has handled it. */
function pasteInto(panel: PanelPage, text: string, editorData?: string): Promise<boolean> {
  return panel.box.evaluate(
    (area, [pasted, facts]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted ?? '');
      if (facts !== undefined) {
        clipboardData.setData('vscode-editor-data', facts);
      }
      return area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [text, editorData] as const,
  );
}

panelTest('includes code that was copied from an editor, and leaves other pasted text in the box', async (panel) => {
  await panel.send(snapshot([]));
  const paste = (text: string, editorData?: string) => pasteInto(panel, text, editorData);
  const code = 'const a = 1;\nconst b = 2;\n';
  assert.equal(await paste(code, '{"version":1,"mode":"typescript"}'), false, 'handled');
  assert.equal(await paste(code, 'damaged'), false);
  assert.equal(await paste(code), true, 'the browser pastes it');
  assert.equal(await paste('oneLine()\n', '{"mode":"typescript"}'), true);
  for (const mode of ['plaintext', 'markdown']) {
    assert.equal(await paste('A question\nof two lines', JSON.stringify({ mode })), true, `prose: ${mode}`);
  }
  assert.equal(await paste(code.repeat(20_000), '{"mode":"typescript"}'), true, 'too long to be included');
  assert.deepEqual(await panel.posted('addPasted'), [
    { type: 'addPasted', text: code, language: 'typescript' },
    { type: 'addPasted', text: code, language: '' },
  ]);
});

panelTest('says that a picture can’t be pasted (epam/ai-dial-chat#3960), and pastes cells as text', async (panel) => {
  await panel.begin(snapshot([]));
  const paste = (text: string) =>
    panel.box.evaluate((box, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      if (text !== '') {
        clipboardData.setData('text/plain', text);
      }
      return box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  const refusal = panel.page.getByRole('alert').filter({ hasText: 'Only text can be pasted.' });
  assert.equal(await paste('1\t2'), true, 'left to the browser');
  assert.equal(await refusal.count(), 0);
  await paste('');
  await refusal.waitFor();
});

panelTest('includes dropped files, and marks the question box while they are dragged', async (panel) => {
  await panel.send(snapshot([]));
  const drag = (name: string, type: string, list: string) =>
    panel.page.locator('.composer').evaluate(
      (form, [event, kind, uris]) => {
        const dataTransfer = new DataTransfer();
        for (const each of (kind ?? '').split(' ')) {
          dataTransfer.setData(each, uris ?? '');
        }
        return form.dispatchEvent(new DragEvent(event ?? '', { dataTransfer, bubbles: true, cancelable: true }));
      },
      [name, type, list] as const,
    );
  const files = 'file:///a.ts\r\n# a comment\r\nvscode-remote://host/b%20c.ts';
  const target = panel.page.locator('.frame.isDropTarget');
  assert.equal(await drag('dragover', 'text/plain', 'text'), true, 'text is not taken');
  for (const event of ['dragover', 'drop']) {
    const link = 'https://example.org/';
    assert.equal(await drag(event, 'text/uri-list text/html', link), true, 'a link is not taken');
  }
  assert.equal(await target.count(), 0);
  assert.equal(await drag('dragover', 'text/uri-list', files), false);
  assert.equal(await drag('dragover', 'application/vnd.code.uri-list', files), false);
  assert.equal(await target.count(), 1);
  assert.equal(await drag('drop', 'application/vnd.code.uri-list', files), false);
  assert.equal(await target.count(), 0);
  assert.deepEqual(await panel.posted('addFiles'), [
    { type: 'addFiles', uris: ['file:///a.ts', 'vscode-remote://host/b%20c.ts'] },
  ]);
});

panelTest('opens no list for numbers of issues, mail addresses and headings', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.pressSequentially('Fix #');
  await panel.posted();
  await panel.box.pressSequentially('12 of me@example.org ');
  assert.deepEqual(await finds(panel), []);
  await panel.box.fill('# Title');
  assert.deepEqual(await finds(panel), []);
});

panelTest(
  'opens the list where Chinese has no blank or a sign in full width (anomalyco/opencode#27009, outline/outline#11951)',
  async (panel) => {
    await panel.begin(snapshot([]));
    const found = async (text: string) => {
      await panel.box.fill('');
      await panel.page.keyboard.insertText(text);
      return (await panel.posted('findContext', 'findPrompts')).map(({ type, query }) => `${type} ${query}`);
    };
    for (const text of ['解释#foo', '看，@foo', '「#foo', '까지#foo', '请看＃foo', '请看 ＠foo', '(#foo']) {
      assert.deepEqual(await found(text), ['findContext foo'], text);
    }
    assert.deepEqual(await found('／tests'), ['findPrompts tests']);
    for (const text of ['用C#', 'me@example.org', 'https://a.example/#foo', 'x="#foo', 'é#foo', 'на С#']) {
      assert.deepEqual(await found(text), [], text);
    }
  },
);

panelTest('an Enter that ends an input method’s word does not send, and the next one does', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.focus();
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  const press = (key: string, code: number) =>
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: code });
  await press('Enter', 13);
  await press('Escape', 27);
  assert.deepEqual(await sends(panel), []);
  await session.send('Input.insertText', { text: '日本' });
  assert.equal(await panel.box.inputValue(), '日本');
  await panel.box.press('Enter');
  assert.deepEqual(await sentTexts(panel), ['日本']);
});

panelTest('Escape stops from anywhere, and Up edits the last question only from an empty box', async (panel) => {
  await panel.begin(snapshot([turn({ id: 'r0', text: 'x' }), turn({ state: 'streaming' })], { runningReply: 'r1' }));
  await panel.page.getByRole('button', { name: 'Copy Answer' }).first().press('Escape');
  assert.deepEqual(await panel.posted(), [{ type: 'stop', replyId: 'r1' }]);
  await panel.box.fill('x');
  await panel.box.press('ArrowUp');
  await panel.box.fill('');
  await panel.posted();
  await panel.box.press('ArrowUp');
  // The draft may be posted at any time.
  const posted = (await panel.posted()).filter(({ type }) => type !== 'draft');
  assert.deepEqual(posted, [{ type: 'edit', turnId: 't-r1' }]);
});

for (const [width, height] of [
  [320, 230],
  [190, 300],
] as const) {
  panelTest(
    `shows all buttons side by side in a panel as low and narrow as at 200 % zoom: ${width} × ${height} px`,
    { width, height },
    async (panel) => {
      const text = 'Until now with another gateway. '.repeat(3);
      const switched = width < 320 ? undefined : { host: 'h', text, canSwitchBack: true };
      await panel.send(snapshot([], { model: 'gpt-5-mini', tokens: 1_234_567, draft: 'x', switched }));
      const hidden = await panel.page.locator('.composer button:visible').evaluateAll((buttons) =>
        buttons
          .filter((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            const at = [left + 3, right - 3].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
            return at.some((each) => each?.closest('button') !== button);
          })
          .map((button) => button.ariaLabel ?? button.textContent),
      );
      assert.deepEqual(hidden, []);
      const name = panel.page.locator('.modelButton .label');
      assert.ok(await name.evaluate((label) => label.clientWidth > 48), 'more than a few letters of it');
    },
  );
}

const limited = (waitUntil: number): Trouble => ({
  severity: 'error',
  title: 'Rate limit reached',
  remedy: 'The gateway asks you to wait 12 seconds before trying again.',
  facts: ['429'],
  actions: [
    { action: 'sendAgain', label: 'Send Again (May Be Charged Again)' },
    { action: 'copyReport', label: 'Copy Report' },
  ],
  waitUntil,
});

panelTest('counts a wait down by wall-clock time, announces its end once, and sends nothing', async (panel) => {
  const { page } = panel;
  const now = Date.UTC(2026, 10, 21, 12);
  await panel.stopTime(now);
  const failed = { id: 'r1', state: 'failed' as const, trouble: limited(now + 12_000) };
  await panel.begin(snapshot([turn(failed)]));
  const line = page.locator('.wait');
  const again = page.getByRole('button', { name: /^Send Again/ });
  const status = () => page.getByRole('status').textContent();
  assert.equal(await line.textContent(), 'You can send again in 12 s.');
  assert.equal(await again.isDisabled(), true);
  assert.match((await again.getAttribute('class')) ?? '', /secondary/);
  await again.focus();
  await page.keyboard.press('Enter');
  await again.click({ force: true });
  assert.deepEqual(await panel.posted(), []);
  await page.clock.runFor(3_000);
  assert.equal(await line.textContent(), 'You can send again in 9 s.');
  // An update of the same reply does not change the card, its clock or the focus.
  await panel.send(snapshot([turn(failed)]));
  assert.equal(await again.evaluate((button) => button === document.activeElement), true);
  assert.equal(await status(), '');
  // After the machine slept: the time has passed without a tick.
  await page.clock.fastForward(60_000);
  assert.equal(await line.textContent(), 'You can send again now.');
  assert.match((await again.getAttribute('class')) ?? '', /primary/);
  assert.equal(await again.isEnabled(), true);
  assert.equal(await again.evaluate((button) => button === document.activeElement), true);
  assert.equal(await status(), 'You can send again now.');
  await page.evaluate(() => document.querySelector('[role=status]')?.replaceChildren());
  await page.clock.runFor(10_000);
  assert.equal(await status(), '', 'announced once');
  assert.deepEqual(await panel.posted(), []);
  await again.click();
  assert.deepEqual(
    (await panel.posted()).map((message) => message.type === 'act' && message.action),
    ['sendAgain'],
  );
});

panelTest('shows the time of day for a wait of hours', async (panel) => {
  const now = new Date(2026, 10, 21, 12, 0).getTime();
  await panel.stopTime(now);
  for (const [wait, expected] of [
    [125_000, /^You can send again in 2 min 5 s\.$/],
    [2 * 3_600_000 + 5 * 60_000, /^You can send again at 2:05\sPM\.$/],
    [23 * 3_600_000, /^You can send again tomorrow at 11:00\sAM\.$/],
  ] as const) {
    await panel.send(snapshot([turn({ id: `r${wait}`, state: 'failed', trouble: limited(now + wait) })]));
    assert.match((await panel.page.locator('.wait').textContent()) ?? '', expected);
  }
});

const review = {
  id: 'v1',
  title: 'Send this question to m?',
  objections: ['.env.local, line 3 looks like a password.', 'Estimated cost: $0.20–$0.60.'],
  answers: [
    { answer: 'mask', label: 'Mask and Send', hint: 'Masked, the model gets placeholders.' },
    { answer: 'send', label: 'Send As Is' },
  ],
} as const;

/** Sends a question with Enter, and shows its review. */
async function reviewed(panel: PanelPage) {
  await panel.send(snapshot([]));
  await panel.box.fill('Why?');
  await panel.box.press('Enter');
  const [sent] = await sends(panel);
  assert.ok(sent?.type === 'send');
  const composer = { model: 'm', chips: [], tokens: 0, draft: 'Why?', runningReply: sent.sendId };
  await panel.send({ type: 'composer', composer: { ...composer, review } });
  return { sendId: sent.sendId, composer, dialog: panel.page.getByRole('alertdialog', { name: review.title }) };
}

panelTest('a review gets the focus but none of its answers does, so that a held key sends nothing', async (panel) => {
  const { composer, dialog } = await reviewed(panel);
  assert.equal(await dialog.evaluate((shown) => shown === document.activeElement), true);
  assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), review.objections);
  assert.deepEqual(await dialog.getByRole('button').allInnerTexts(), ['Mask and Send', 'Send As Is', 'Cancel']);
  for (const key of ['Enter', ' ', 'x']) {
    await panel.page.keyboard.down(key);
    await panel.page.keyboard.down(key);
    await panel.page.keyboard.up(key);
  }
  assert.deepEqual(await panel.posted(), []);
  assert.equal(await panel.box.inputValue(), 'Why?');
  await dialog.getByRole('button', { name: 'Mask and Send' }).dblclick();
  assert.deepEqual(await panel.posted(), [{ type: 'answer', review: 'v1', answer: 'mask' }]);
  await panel.send({ type: 'composer', composer });
  assert.equal(await dialog.isVisible(), false);
  assert.equal(await panel.box.evaluate((shown) => shown === document.activeElement), true);
});

for (const [how, cancel] of Object.entries({
  Escape: ({ page }: PanelPage) => page.keyboard.press('Escape'),
  Cancel: ({ page }: PanelPage) => page.getByRole('button', { name: 'Cancel' }).click(),
})) {
  panelTest(`${how} takes a question back before it is sent, with its text in the box`, async (panel) => {
    const { sendId, composer, dialog } = await reviewed(panel);
    await cancel(panel);
    assert.deepEqual(await panel.posted(), [{ type: 'stop', replyId: sendId }]);
    const { runningReply: _, ...idle } = composer;
    await panel.send(
      { type: 'notSent', sendId, reason: 'Nothing was sent.', isNote: true },
      { type: 'composer', composer: idle },
    );
    assert.equal(await dialog.isVisible(), false);
    assert.equal(await panel.box.inputValue(), 'Why?');
    assert.equal(await panel.box.isEditable(), true);
    assert.equal(await panel.box.evaluate((shown) => shown === document.activeElement), true);
  });
}
