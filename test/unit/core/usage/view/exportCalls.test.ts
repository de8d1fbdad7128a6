import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountedCall } from '../../../../../src/core/usage/usageTotals.ts';
import { exportText } from '../../../../../src/core/usage/view/exportCalls.ts';
import { aCall, usd } from './usageSample.ts';

const at = Date.UTC(2026, 10, 23, 12);

function exported(format: 'csv' | 'json', ...calls: readonly CountedCall[]): string {
  const connection = (id: string) => (id === 'c1' ? { name: 'work, key', host: 'gateway.example' } : { name: id });
  return exportText(format, calls, connection);
}

const known = aCall({ id: 'a', at, requestId: 'req-1', cost: usd(0.0061, 'charged'), conversation: 'c' });
const unknown = aCall({ id: 'b', at, connection: 'removed', usage: undefined, state: 'unknown' });

test('exports calls as CSV, with unknown figures left empty', () => {
  assert.equal(
    exported('csv', known, unknown),
    [
      'time,connection,host,model,caller,state,inputTokens,cachedTokens,outputTokens,reasoningTokens,cost,unit,source,requestId,conversationId',
      '2026-11-23T12:00:00.000Z,"work, key",gateway.example,gpt-5,panel,complete,1200,600,300,,0.0061,USD,charged,req-1,c',
      '2026-11-23T12:00:00.000Z,removed,,gpt-5,panel,unknown,,,,,,,,,',
      '',
    ].join('\r\n'),
  );
});

test('exports calls as JSON, without unknown figures', () => {
  assert.deepEqual(JSON.parse(exported('json', known, unknown)), [
    {
      time: '2026-11-23T12:00:00.000Z',
      connection: 'work, key',
      host: 'gateway.example',
      model: 'gpt-5',
      caller: 'panel',
      state: 'complete',
      inputTokens: 1_200,
      cachedTokens: 600,
      outputTokens: 300,
      cost: 0.0061,
      unit: 'USD',
      source: 'charged',
      requestId: 'req-1',
      conversationId: 'c',
    },
    { time: '2026-11-23T12:00:00.000Z', connection: 'removed', model: 'gpt-5', caller: 'panel', state: 'unknown' },
  ]);
  assert.deepEqual(JSON.parse(exported('json')), []);
});

test('keeps a spreadsheet from running what a name says', () => {
  for (const [name, cell] of [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['=a"b,\nc', '"\'=a""b,\nc"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1+1', "'＝1+1"],
    ['  =1', "'  =1"],
    ['gpt;=1+1', '"\'gpt;=1+1"'],
    ['a, @b', '"\'a, @b"'],
    ['a=1', 'a=1'],
    ['gpt-5;b', '"gpt-5;b"'],
  ] as const) {
    const [, row = ''] = exported('csv', aCall({ model: name })).split('\r\n');
    assert.ok(row.includes(`gateway.example,${cell},panel`), `${JSON.stringify(name)}: ${row}`);
  }
});
