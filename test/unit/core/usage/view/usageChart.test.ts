import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dayStart } from '../../../../../src/core/base/dayStart.ts';
import { aCall, documentOf, noon, usd } from './usageSample.ts';

/** A call some days before, in the middle of the day. */
const before = (days: number, model: string, amount: number) =>
  aCall({ at: dayStart(noon, -days) + 3_600_000, model, cost: usd(amount) });

test('stacks the two most expensive models of each day, and the others together', () => {
  const { chart } = documentOf([
    before(6, 'a', 0.5),
    before(6, 'b', 0.2),
    before(0, 'b', 0.1),
    before(0, 'c', 0.05),
    before(0, 'd', 0.05),
  ]);
  assert.equal(chart?.title, 'Cost by Day');
  assert.deepEqual(chart?.legend, ['a', 'b', '2 others']);
  assert.deepEqual(
    chart?.ticks.map(({ text }) => text),
    ['$0.00', '$0.20', '$0.40', '$0.60', '$0.80'],
  );
  const rounded = chart?.bars.map(({ text, parts }) => [
    text,
    ...parts.map((part) => Math.round(part * 1_000) / 1_000),
  ]);
  assert.deepEqual(rounded?.[0], ['Tue', 0.625, 0.25, 0]);
  assert.deepEqual(rounded?.[6], ['Today', 0, 0.125, 0.125]);
  const three = documentOf([before(0, 'a', 3), before(0, 'b', 2), before(0, 'c', 1)]);
  assert.deepEqual(three.chart?.legend, ['a', 'b', 'c'], 'a third model has its name');
  assert.match(chart?.label ?? '', /^Bar chart: Cost by Day\. Nov 17, 2026: \$0\.70; .*; Nov 23, 2026: \$0\.20$/);
});

test('shows tokens and says so when no cost is known, and nothing when those are unknown too', () => {
  const { chart } = documentOf([aCall()]);
  assert.equal(chart?.title, 'Tokens by Day');
  assert.equal(chart?.note, 'The chart shows tokens, because no cost is known.');
  assert.equal(chart?.bars[6]?.title, 'Nov 23, 2026: 1.5K');
  assert.equal(documentOf([aCall({ usage: undefined })]).chart, undefined);
});

test('shows the unit that most calls have, and says what it leaves out', () => {
  const site = { amount: 9, unit: 'site', source: 'priceList' } as const;
  const { chart } = documentOf([aCall({ cost: usd(1) }), aCall({ cost: usd(1) }), aCall({ cost: site })]);
  assert.equal(chart?.bars[6]?.title, 'Nov 23, 2026: $2.00');
  assert.equal(chart?.note, 'Costs in other units are not in the chart: 9.00 site units.');
});

test('shows today by hour', () => {
  const { chart } = documentOf([aCall({ cost: usd(1) })], { choice: { period: 'today' } });
  assert.equal(chart?.title, 'Cost by Hour');
  assert.equal(chart?.bars.length, 24);
  assert.deepEqual(chart?.bars[12]?.parts, [1]);
});

test('draws any amounts within the chart, with at most four lines above the lowest', () => {
  const amounts = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 12 });
  for (const all of fc.sample(amounts, 100)) {
    const { chart } = documentOf(all.map((amount, index) => before(index % 7, `m${index % 5}`, amount)));
    assert.ok(chart && chart.ticks.length >= 2 && chart.ticks.length <= 5);
    for (const { parts } of chart.bars) {
      assert.ok(parts.every((part) => part >= 0) && parts.reduce((sum, part) => sum + part, 0) <= 1 + 1e-9);
    }
  }
});
