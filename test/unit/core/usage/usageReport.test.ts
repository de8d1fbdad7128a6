import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { configureLocalization } from '../../../../src/core/base/localization.ts';
import { usageReport } from '../../../../src/core/usage/usageReport.ts';
import { UsageCounter } from '../../../../src/core/usage/usageTotals.ts';

afterEach(() => configureLocalization({ language: 'en' }));

const call = {
  id: 'a',
  at: 0,
  model: 'gpt-5',
  connection: 'c1',
  caller: 'panel',
  conversation: undefined,
  estimate: 10,
  reserved: undefined,
  state: undefined,
};
const usage = { promptTokens: 12_345, completionTokens: 600, cost: 0.0123 };

/** The lines of a report of one span. */
function documentOf(counter: UsageCounter, unreadable = 0, later = 0): string[] {
  const spans = [{ title: 'Today', totals: counter.totals(unreadable) }];
  return usageReport(spans, later, Date.UTC(2026, 10, 23, 12), (id) => `name of ${id}`).split('\n');
}

/** The same, after the title of the span. */
function reportOf(counter: UsageCounter, unreadable = 0): string[] {
  const lines = documentOf(counter, unreadable);
  return lines.slice(lines.indexOf('## Today') + 2);
}

test('shows sums in aligned columns, unknown figures as unknown, and what the sums leave out', () => {
  const counter = new UsageCounter();
  counter.add({ ...call, usage }, 'complete', undefined);
  counter.add({ ...call, model: 'a|b', usage: undefined }, 'unknown', undefined);
  counter.add({ ...call, caller: 'extension:a.b', usage: undefined }, 'notSent', undefined);
  assert.deepEqual(reportOf(counter, 2), [
    '| Model     | Calls |   Input |  Cached |  Output | Reasoning |    Cost |',
    '| --------- | ----: | ------: | ------: | ------: | --------: | ------: |',
    '| gpt-5     |     2 |  12,345 |       0 |     600 |         0 |  0.0123 |',
    '| a\\|b      |     1 | unknown | unknown | unknown |   unknown | unknown |',
    '| **Total** |     3 |  12,345 |       0 |     600 |         0 |  0.0123 |',
    '',
    '| Used by | Calls |  Input | Cached | Output | Reasoning |    Cost |',
    '| ------- | ----: | -----: | -----: | -----: | --------: | ------: |',
    '| Panel   |     2 | 12,345 |      0 |    600 |         0 |  0.0123 |',
    '| a.b     |     1 |      0 |      0 |      0 |         0 | unknown |',
    '',
    'The gateway reported no tokens for 1 call.',
    '',
    'The outcome of 1 call is unknown. It may have been charged.',
    '',
    '1 call never reached the gateway.',
    '',
    '2 lines of the usage data are damaged and were skipped.',
    '',
  ]);
});

test('says how many calls are dated after today, and nothing when there are none', () => {
  const before = (later: number) => documentOf(new UsageCounter(), 0, later).slice(4, 6);
  assert.deepEqual(before(0), ['## Today', '']);
  assert.deepEqual(before(1), [
    "1 call is dated after today and isn't counted. This computer's clock was set back after it.",
    '',
  ]);
  assert.deepEqual(before(1_234), [
    "1,234 calls are dated after today and aren't counted. This computer's clock was set back after them.",
    '',
  ]);
});

test('names connections when there are several, and says when there were no calls', () => {
  const counter = new UsageCounter();
  counter.add({ ...call, usage }, 'complete', undefined);
  counter.add({ ...call, connection: 'c2', caller: 'panel', usage }, 'complete', undefined);
  const lines = reportOf(counter);
  assert.ok(lines.some((line) => line.startsWith('| name of c2 |')));
  assert.ok(!lines.some((line) => line.includes('Used by')), 'a table with one row is left out');
  assert.deepEqual(reportOf(new UsageCounter(), 1), [
    'No calls.',
    '',
    '1 line of the usage data is damaged and was skipped.',
    '',
  ]);
});

test('shows the models of each connection when there are several', () => {
  const counter = new UsageCounter();
  for (const [connection, model] of [
    ['c1', 'gpt-5'],
    ['c2', 'gpt-5'],
    ['c2', 'o|4'],
    ['c2', 'o|4'],
  ] as const) {
    counter.add({ ...call, connection, model, usage }, 'complete', undefined);
  }
  const lines = reportOf(counter);
  assert.deepEqual(
    lines.slice(
      lines.findIndex((line) => /^\| Connection +\| Model/.test(line)),
      -1,
    ),
    [
      '| Connection | Model | Calls |  Input | Cached | Output | Reasoning |   Cost |',
      '| ---------- | ----- | ----: | -----: | -----: | -----: | --------: | -----: |',
      '| name of c2 | o\\|4  |     2 | 24,690 |      0 |  1,200 |         0 | 0.0246 |',
      '| name of c2 | gpt-5 |     1 | 12,345 |      0 |    600 |         0 | 0.0123 |',
      '| name of c1 | gpt-5 |     1 | 12,345 |      0 |    600 |         0 | 0.0123 |',
    ],
  );
});

test('aligns Chinese heads, which are twice as wide', () => {
  configureLocalization({ language: 'zh-cn', texts: { Model: '模型', Calls: '调用次数' } });
  const counter = new UsageCounter();
  counter.add({ ...call, usage }, 'complete', undefined);
  const [head = '', , first = ''] = reportOf(counter);
  assert.match(head, /^\| 模型 {6}\| 调用次数 \|/);
  assert.match(first, /^\| gpt-5 {5}\| {8}1 \|/);
});
