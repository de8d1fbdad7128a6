import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumsText } from '../../../../src/core/base/money.ts';
import { costsBySite } from '../../../../src/core/usage/usageTotals.ts';
import { connectionTo } from '../connections/connectionTo.ts';
import { anEnd, aStart, noon, openLedger } from './memoryLedger.ts';

const ofCalls: readonly (readonly [connection: string, unit: string])[] = [
  ['one', 'site'],
  ['one again', 'site'],
  ['two', 'site'],
  ['two', '⭐'],
  ['removed', 'site'],
  ['one', 'USD'],
  ['two', 'USD'],
];

async function costsWith(connections: Parameters<typeof costsBySite>[0]): Promise<string> {
  const { ledger } = openLedger();
  for (const [index, [connection, unit]] of ofCalls.entries()) {
    const call = await ledger.begin(aStart(`${index}`, { connection }));
    await call.end(anEnd({ cost: { amount: 1, unit, source: 'stated' } }));
  }
  return sumsText((await ledger.totals(0, noon + 1, costsBySite(connections))).costs);
}

test('the credit of two sites is never added up, and that of two keys of a site is', async () => {
  const connections = [
    connectionTo('https://a.example', { id: 'one' }),
    connectionTo('https://a.example', { id: 'one again' }),
  ];
  assert.equal(
    await costsWith([...connections, connectionTo('https://b.example', { id: 'two' })]),
    '2.00 site units of a.example + 1.00 site units of b.example + 1.00 ⭐ (b.example) + 1.00 site units of removed + $2.00',
  );
  assert.equal(
    await costsWith(connections),
    '2.00 site units + 1.00 site units of two + 1.00 ⭐ (two) + 1.00 site units of removed + $2.00',
  );
});
