import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { closeBrowser, hasBrowser, openPanel } from '../page/panelPage.ts';
import { conversation, snapshot, turn, update } from '../page/samples.ts';

after(closeBrowser);

const snippets = [
  'Plain text with **bold**, *half',
  'a | b\n--|--\n1 | `2`',
  '- one\n- two\n\n- loose',
  '1. first\n   ```py\n   def f():\n       return """text"""\n   ```\n2. second',
  '```ts\nconst a = `one\ntwo`;\n/* open\n```',
  '```\nplain\n\n```',
  '> quote\nlazy\n> - item',
  '[x] and [y][x]',
  '[x]: https://x.example',
  'head\n---',
  '# Head *em*',
  '***',
  '    indented\n\n    code',
  '- [x] done\n- [ ] open',
  'https://example.com/a_b_c',
  '\u05E9\u05DC\u05D5\u05DD [a](mailto:a@example.com)',
  `\`\`\`js\n${Array.from({ length: 120 }, (_, line) => `let v${line} = ${line % 40 === 39 ? '`open' : line}; // n`).join('\n')}\n\`\`\``,
];

test('renders streamed text the same as text that is shown at once', { skip: !hasBrowser }, async () => {
  const texts = fc.sample(
    fc.tuple(
      fc.array(fc.constantFrom(...snippets), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('\n\n')),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
    ),
    { numRuns: 60, seed: 7 },
  );
  const panel = await openPanel();
  await panel.send(snapshot(texts.map((_, index) => turn({ id: `s${index}`, state: 'waiting' }))));
  const pieces = texts.map(([text, cuts]) => {
    const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)).sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  });
  for (let step = 0; step < 13; step++) {
    const deltas = pieces.flatMap((parts, index) => {
      const text = parts[step] ?? '';
      return text === '' ? [] : [{ type: 'delta' as const, replyId: `s${index}`, text, reasoning: '' }];
    });
    await panel.send(...deltas);
    // The pace of a stream: some frames are drawn between pieces, some are not.
    await panel.page.waitForTimeout(25);
  }
  await panel.send(...texts.map(([text], index) => update({ id: `s${index}`, text })));
  await panel.settle();
  const html = () => panel.page.locator('.reply > .markdown').evaluateAll((all) => all.map((one) => one.innerHTML));
  const streamed = await html();
  await panel.send(snapshot());
  await panel.send(snapshot(texts.map(([text], index) => turn({ id: `w${index}`, text }))));
  await panel.settle();
  assert.deepEqual(streamed, await html());
  assert.deepEqual(
    (await panel.posted()).filter(({ type }) => type !== 'draft'),
    [{ type: 'ready' }],
  );
  assert.deepEqual(panel.problems, []);
  await panel.close();
});

test('each block has the direction of its own first letter', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  const text =
    'one\n\n\u05E9\u05DC\u05D5\u05DD\n\n- \u05D0\n- b\n\n1. c\n\n> \u05D1\n\n| \u05D2 |\n|---|\n\n# d\n\n```\n\u05D3\n```';
  await panel.send(snapshot([turn({ text })]));
  await panel.settle();
  const directions = await panel.page
    .locator('.reply .part > *')
    .evaluateAll((all) => all.map((one) => `${one.localName} ${getComputedStyle(one).direction}`));
  assert.deepEqual(directions, [
    'p ltr',
    'p rtl',
    'ul rtl',
    'ol ltr',
    'blockquote rtl',
    'div rtl',
    'h1 ltr',
    'div ltr',
  ]);
  await panel.close();
});

test('half-finished Markdown looks finished while it streams', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  const cases: [string, string][] = [
    ['This is **Bo', '<p>This is <strong>Bo</strong></p>'],
    ['This is **', '<p>This is</p>'],
    ['This is **bo', '<p>This is</p>'],
    ['This is **bold*', '<p>This is</p>'],
    ['Call `fo', '<p>Call <code>fo</code></p>'],
    ['See [docs](https://exa', '<p>See docs</p>'],
    ['Text\n-', '<p>Text</p>'],
    ['Text\n==', '<p>Text</p>'],
    ['Text\n\n| a | b', '<p>Text</p>'],
    ['Text\n\n| a | b |\n|--', '<p>Text</p>'],
    ['Text\n\n``', '<p>Text</p>'],
    ['Text\n\n```t', '<p>Text</p>'],
    ['~~old', '<p><s>old</s></p>'],
    ['snake_case_na', '<p>snake_case_na</p>'],
  ];
  await panel.send(snapshot(cases.map((_, index) => turn({ id: `r${index}`, state: 'waiting' }))));
  await panel.send(
    ...cases.map(([text], index) => ({ type: 'delta' as const, replyId: `r${index}`, text, reasoning: '' })),
  );
  await panel.settle();
  const shown = await panel.page.locator('.reply .part').evaluateAll((all) => all.map((one) => one.innerHTML));
  assert.deepEqual(
    shown.map((html) => html.replace(' dir="auto"', '').replace(/ <\/p>/, '</p>')),
    cases.map(([, html]) => html),
  );
  await panel.close();
});

test('keeps the lines of code that is selected and copied', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  const code = Array.from({ length: 129 }, (_, line) => (line % 10 === 9 ? '' : `line ${line};`)).join('\n');
  await panel.send(snapshot([turn({ text: `\`\`\`js\n${code}\n\`\`\`` })]));
  await panel.settle();
  const selected = await panel.page.evaluate(() => {
    const pre = document.querySelector('pre');
    if (pre !== null) {
      getSelection()?.selectAllChildren(pre);
    }
    return getSelection()?.toString();
  });
  assert.equal(selected?.trimEnd(), code);
  await panel.page.getByRole('button', { name: 'Copy Code' }).click();
  await panel.page.getByRole('button', { name: 'Insert at Cursor' }).click();
  const posted = (await panel.posted()).filter(({ type }) => type === 'copy' || type === 'useCode');
  assert.deepEqual(posted, [
    { type: 'copy', text: code },
    { type: 'useCode', action: 'insert', replyId: 'r1', block: 0, fence: 'js', text: code },
  ]);
  await panel.close();
});

test('a new snapshot keeps unchanged turns and replaces the others', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  await panel.send(conversation());
  await panel.settle();
  const first = await panel.page.locator('.turn').first().elementHandle();
  await panel.page.locator('summary').first().click();
  await panel.send(conversation());
  await panel.settle();
  assert.equal(await first?.evaluate((one) => one.isConnected), true);
  assert.equal(await panel.page.locator('details').first().getAttribute('open'), '');
  await panel.send(snapshot([turn({ id: 'r9', text: 'Other' })]));
  await panel.settle();
  assert.equal(await panel.page.locator('.turn').count(), 1);
  await panel.close();
});
