import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { dayStart } from '../../../../../src/core/base/dayStart.ts';
import { configureLocalization } from '../../../../../src/core/base/localization.ts';
import type { UsageDocument } from '../../../../../src/core/usage/view/usageDocument.ts';
import { aCall, documentOf, noon, usd } from './usageSample.ts';

afterEach(() => configureLocalization({ language: 'en' }));

/** The texts of the cells of a table. */
function rowsOf({ tables }: UsageDocument, title: string): string[][] {
  return tables.find((table) => table.title === title)?.rows.map((cells) => cells.map(({ text }) => text)) ?? [];
}

const figuresOf = ({ figures }: UsageDocument) => figures.map(({ value, text }) => `${value} ${text}`);
const notesOf = ({ tables }: UsageDocument) => tables.at(-1)?.notes?.map(({ text }) => text);

test('shows an unknown figure as unknown, never as 0, and what the sums leave out', () => {
  const shown = documentOf([
    aCall({ usage: { promptTokens: 12_345, completionTokens: 600 }, cost: usd(0.0123) }),
    aCall({ model: 'a|b', usage: undefined, state: 'unknown' }),
    aCall({ caller: 'extension:a.b', usage: undefined, state: 'notSent' }),
  ]);
  assert.deepEqual(rowsOf(shown, 'By Model'), [
    ['gpt-5', '2', '12,345', '–', '600', '$0.012', '$0.012', 'model list'],
    ['a|b', '1', 'unknown', '–', 'unknown', 'unknown', '–', 'no known price'],
  ]);
  assert.deepEqual(rowsOf(shown, 'By Caller'), [
    ['Panel', '2', '12,345', '–', '600', '$0.012', '$0.012', 'model list · 1 not priced'],
    ['a.b', '1', '0', '–', '0', '–', '–', '–'],
  ]);
  assert.deepEqual(figuresOf(shown), [
    '$0.012 7 days · 1 call not priced',
    '$0.012 today',
    '3 calls',
    '12K tokens in · 600 out',
  ]);
  assert.deepEqual(notesOf(shown), [
    'The gateway reported no tokens for 1 call.',
    'The outcome of 1 call is unknown. It may have been charged.',
    "Paid calls from this computer. The usage log in a gateway's console shows what was charged.",
  ]);
  const unknown = documentOf([aCall({ usage: undefined, state: 'incomplete' })]);
  assert.deepEqual(figuresOf(unknown), [
    'unknown 7 days · 1 call not priced',
    'unknown today',
    '1 call',
    'unknown tokens',
  ]);
});

test('says how many lines are damaged', () => {
  const notices = (unreadable: number) => documentOf([aCall()], { unreadable }).notices.map(({ text }) => text);
  assert.deepEqual([0, 1, 2].map(notices), [
    [],
    ['1 line of the usage data is damaged and was skipped.'],
    ['2 lines of the usage data are damaged and were skipped.'],
  ]);
});

test('explains what it will show before the first call, also with damaged data', () => {
  const shown = documentOf([], { unreadable: 1 });
  assert.equal(shown.empty?.title, 'No calls in this period');
  assert.deepEqual([shown.figures, shown.tables, shown.chart, shown.buttons], [[], [], undefined, []]);
  assert.equal(shown.notices.length, 1);
  const filtered = documentOf([aCall()], { choice: { period: 'week', model: 'other' } });
  assert.equal(filtered.empty?.title, 'No calls match the filter');
  assert.deepEqual(
    filtered.filters.map(({ text }) => text),
    ['other'],
  );
});

test('leaves out tables whose only row would repeat the figures, and offers to choose between connections', () => {
  const one = documentOf([aCall(), aCall({ model: 'o4' })]);
  assert.deepEqual(
    one.tables.map(({ title }) => title),
    ['By Model', 'Calls'],
  );
  assert.deepEqual(one.connections.options, []);
  const two = documentOf([aCall(), aCall(), aCall({ connection: 'removed' })]);
  assert.deepEqual(
    rowsOf(two, 'By Connection').map(([name, calls]) => [name, calls]),
    [
      ['work key', '2'],
      ['removed', '1'],
    ],
  );
  assert.deepEqual(
    two.connections.options.map(({ text, isChosen }) => [text, isChosen]),
    [
      ['All Connections', true],
      ['work key', false],
      ['removed', false],
    ],
  );
});

test('filters everything by a model, connection or caller, and can remove each filter', () => {
  const calls = [
    aCall({ cost: usd(1) }),
    aCall({ cost: usd(2), model: 'o4', caller: 'comparison' }),
    aCall({ cost: usd(4), connection: 'c2', caller: 'extension' }),
  ];
  const costOf = (filter: object) => documentOf(calls, { choice: { period: 'week', ...filter } }).figures[0]?.value;
  assert.equal(costOf({}), '$7.00');
  assert.equal(costOf({ model: 'gpt-5' }), '$5.00');
  assert.equal(costOf({ connection: 'c2' }), '$4.00');
  assert.equal(costOf({ caller: 'comparison' }), '$2.00');
  assert.equal(costOf({ model: 'gpt-5', caller: 'panel' }), '$1.00');
  const { filters, tables } = documentOf(calls, { choice: { period: 'week', model: 'gpt-5', caller: 'extension' } });
  assert.deepEqual(filters, [
    { text: 'gpt-5', title: 'Remove Filter gpt-5', action: { type: 'filter', by: 'model' } },
    { text: 'Another extension', title: 'Remove Filter Another extension', action: { type: 'filter', by: 'caller' } },
  ]);
  assert.equal(tables[0]?.rows[0]?.[0]?.action, undefined, 'the model that is filtered by is no button');
});

test('counts the calls of the period, and always those of today', () => {
  const calls = [0, 3, 10, 25].map((days) => aCall({ at: dayStart(noon, -days) + 1, cost: usd(10 ** (days % 4)) }));
  const values = (period: 'today' | 'week' | 'days30' | 'month') =>
    documentOf(calls, { choice: { period } })
      .figures.map(({ value, text }) => `${value} ${text}`)
      .slice(0, 3);
  assert.deepEqual(values('today'), ['$1.00 today', '1 call', '1.2K tokens in (50% cached) · 300 out']);
  assert.deepEqual(values('week'), ['$1,001.00 7 days', '$1.00 today', '2 calls']);
  assert.deepEqual(values('days30'), ['$1,111.00 30 days', '$1.00 today', '4 calls']);
  assert.deepEqual(values('month'), ['$1,101.00 this month', '$1.00 today', '3 calls']);
});

test('adds up costs of different units apart, and says how each is known', () => {
  const shown = documentOf([
    aCall({ cost: usd(1.5, 'charged') }),
    aCall({ cost: { amount: 2, unit: 'site', source: 'priceList' } }),
    aCall({ usage: undefined }),
  ]);
  assert.equal(shown.figures[0]?.value, '$1.50 + 2.00 site units');
  assert.deepEqual(rowsOf(shown, 'By Model')[0]?.slice(5), [
    '$1.50 + 2.00 site units',
    '–',
    "gateway's log · gateway's prices · 1 not priced",
  ]);
  assert.deepEqual(
    rowsOf(shown, 'Calls').map((cells) => cells[5]),
    ['$1.50 charged', '≈ 2.00 site units', 'unknown'],
  );
});

test('offers to state a price for a model without one', () => {
  const { tables } = documentOf([aCall({ model: 'kimi' })]);
  assert.deepEqual(tables[0]?.rows[0]?.at(-1), {
    text: 'no known price',
    tone: 'muted',
    button: { text: 'State a Price', action: { type: 'statePrice', model: 'kimi' } },
  });
});

test('shows a tiny sum as such, and exactly in its hover', () => {
  const [sum] = documentOf([aCall({ cost: usd(0.000_42) })], { choice: { period: 'week' } }).figures;
  assert.deepEqual([sum?.value, sum?.title], ['under $0.001', '$0.00042']);
});

test('shows how much of the daily limit is used, only for one connection and all of its calls', () => {
  const limits = { hard: { cost: 2 } };
  const calls = [aCall({ cost: usd(0.5) })];
  const [, today] = documentOf(calls, { limits }).figures;
  assert.deepEqual(today, {
    value: '$0.50',
    title: '$0.50',
    text: 'today, of $2.00 a day',
    bar: { label: '25% of the daily limit', share: 0.25 },
  });
  assert.equal(documentOf(calls, { limits, connections: ['c1', 'c2'] }).figures[1]?.text, 'today');
  assert.equal(documentOf(calls, { limits, choice: { period: 'week', model: 'gpt-5' } }).figures[1]?.text, 'today');
  assert.equal(documentOf([aCall({ cost: usd(3) })], { limits }).figures[1]?.bar?.share, 1);
  assert.equal(documentOf(calls, { limits: { hard: { cost: 0 } } }).figures[1]?.bar, undefined);
});

test('says that a gateway counts other tokens than before, by 15 % at least', () => {
  const noticesFor = (factor: number, count = 20) =>
    documentOf(
      Array.from({ length: 2 * count }, (_, index) => {
        const promptTokens = 1_000 * (index < count ? 1.1 : 1.1 * factor);
        return aCall({ at: noon - 10_000 + index, estimate: 1_000, usage: { promptTokens, completionTokens: 1 } });
      }),
    ).notices.map(({ text }) => text);
  assert.deepEqual(noticesFor(1.8), ['The gateway counts 1.8 times as many input tokens for gpt-5 as before.']);
  assert.deepEqual(noticesFor(0.5), ['The gateway counts 0.5 times as many input tokens for gpt-5 as before.']);
  assert.deepEqual([noticesFor(1.1), noticesFor(1.8, 19)], [[], []]);
});

test('lists the latest calls first, and more of them on demand', () => {
  const calls = Array.from({ length: 120 }, (_, index) => aCall({ at: noon - ((index * 37) % 120) * 60_000 }));
  const table = documentOf(calls).tables.at(-1);
  assert.equal(table?.rows.length, 50);
  assert.deepEqual(table?.button, { text: 'Show More', action: { type: 'showMore' } });
  assert.equal(table?.notes?.[0]?.text, 'The latest 50 of 120 calls.');
  const times = table.rows.map((cells) => cells[0]?.text.replaceAll(/\s/g, ' '));
  assert.deepEqual([times[0], times[1], times[49]], ['12:00 PM', '11:59 AM', '11:11 AM']);
  const all = documentOf(calls, {}, 150).tables.at(-1);
  assert.deepEqual([all?.rows.length, all?.button], [120, undefined]);
});

test('shows each call with its state, tokens and cost, and leads to its conversation', () => {
  const shown = documentOf(
    [
      aCall({ conversation: 'a', cost: usd(0.0061, 'reported') }),
      aCall({ conversation: 'b', state: 'stopped', usage: { promptTokens: 1_204 } }),
      aCall({ conversation: 'c', isInMemory: true, cost: usd(0.0061, 'reported') }),
      aCall({ cost: usd(0.0061, 'reported') }),
      aCall({ caller: 'extension', state: 'failed', usage: undefined, isFree: true, at: dayStart(noon, -1) + 1 }),
    ],
    {
      titles: new Map([['a', 'Why\u202e?']]),
    },
  );
  assert.deepEqual(
    rowsOf(shown, 'Calls').map((cells) => cells.slice(1)),
    [
      ['gpt-5', 'Panel', 'complete', '1,200 / 300', '$0.0061', 'Why\\u{202e}?'],
      ['gpt-5', 'Panel', 'stopped', '1,204 / ?', 'unknown', 'deleted'],
      ['gpt-5', 'Panel', 'complete', '1,200 / 300', '$0.0061', 'not kept'],
      ['gpt-5', 'Panel', 'complete', '1,200 / 300', '$0.0061', '–'],
      ['gpt-5', 'Another extension', 'failed', '–', '–', '–'],
    ],
  );
  const cells = shown.tables.at(-1)?.rows.map((row) => row.at(-1)?.action);
  assert.deepEqual(cells, [{ type: 'openConversation', id: 'a' }, undefined, undefined, undefined, undefined]);
});

test('shows no name from outside with invisible characters', () => {
  const shown = documentOf([aCall({ model: 'a\u202eb', cost: usd(1) })], {
    choice: { period: 'week', model: 'a\u202eb' },
  });
  assert.ok(
    !JSON.stringify({
      ...shown,
      choice: 0,
      tables: shown.tables.map(({ rows }) => rows.map((row) => row.map(({ text }) => text))),
    }).includes('\u202e'),
  );
});

test('is in the language of VS Code', () => {
  configureLocalization({ language: 'zh-cn', texts: { Usage: '用量', 'By Model': '按模型' } });
  const { title, tables } = documentOf([aCall()]);
  assert.deepEqual([title, tables[0]?.title], ['用量', '按模型']);
});
