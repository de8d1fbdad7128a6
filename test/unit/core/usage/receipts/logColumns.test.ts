import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostOfCall, siteUnit } from '../../../../../src/core/base/money.ts';
import { runToEnd } from '../../../../../src/core/base/runInSlices.ts';
import { readLogFile } from '../../../../../src/core/usage/receipts/importLog.ts';
import { amountIn, timeFormatOf, timeFormats, timeOf } from '../../../../../src/core/usage/receipts/logCells.ts';
import {
  type ColumnMap,
  entriesOf,
  mapKey,
  proposeColumns,
  withCredit,
} from '../../../../../src/core/usage/receipts/logColumns.ts';

const at = 1_795_000_000_000;
const local = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

function proposed(text: string): Partial<ColumnMap> {
  const table = runToEnd(readLogFile('log', text));
  assert.ok('rows' in table, 'problem' in table ? table.problem : '');
  return proposeColumns(table.columns, table.rows);
}

function imported(text: string, asked: Partial<ColumnMap> = {}) {
  const table = runToEnd(readLogFile('log', text));
  assert.ok('rows' in table, 'problem' in table ? table.problem : '');
  const map = { ...proposeColumns(table.columns, table.rows), ...asked };
  return runToEnd(entriesOf(table.rows, map as ColumnMap));
}

test('reads the table of a Chinese console', () => {
  const text = [
    '时间,渠道,用户,令牌,分组,类型,模型,用时/首字,输入（提示）,输出(补全),花费,详情',
    `${local(at)},3,me,笔记本,vip,消费,claude-sonnet,2 s,"1,234",56,$0.0123,模型倍率 1.5`,
    `${local(at + 1_000)},3,me,笔记本,,错误,claude-sonnet,2 s,0,0,,upstream`,
    `${local(at + 2_000)},,me,,,充值,,,,,$10.00,`,
    `${local(at + 3_000)},3,me,笔记本,vip,退款,claude-sonnet,,0,0,$0.01,`,
    `${local(at + 4_000)},3,me,服务器,vip,消费,claude-sonnet,1 s,1,1,$0.5,`,
    `昨天,3,me,笔记本,vip,消费,claude-sonnet,1 s,1,1,$0.5,`,
    `${local(at)},3,me,笔记本,vip,消费,claude-sonnet,1 s,1,1,¥0.5,`,
  ].join('\r\n');
  assert.deepEqual(proposed(text.split('\r\n').slice(0, -2).join('\r\n')), {
    at: 0,
    timeFormat: 'local',
    key: 3,
    group: 4,
    kind: 5,
    model: 6,
    promptTokens: 8,
    completionTokens: 9,
    amount: 10,
    unit: 'USD',
    perUnit: 1,
    currency: 'USD',
  });
  const model = 'claude-sonnet';
  const entries = [
    { at, kind: 'charge', model, charged: { amount: 0.0123, unit: 'site' }, group: 'vip', promptTokens: 1_234 },
    { at: at + 1_000, kind: 'error', model, charged: { amount: 0, unit: 'site' }, promptTokens: 0 },
    { at: at + 3_000, kind: 'refund', model, charged: { amount: 0.01, unit: 'site' }, group: 'vip', promptTokens: 0 },
  ].map((entry, index) => ({ ...entry, completionTokens: [56, 0, 0][index] }));
  const asked: Partial<ColumnMap> = { at: 0, timeFormat: 'local', keyName: '笔记本', unit: 'site' };
  assert.deepEqual(imported(text, asked), { entries, unreadable: 2 });
});

test("reads a site's log with quota and Unix times", () => {
  const items = [2, 5, 6, 1].map((type, index) => ({
    id: 9,
    created_at: at / 1_000 + index,
    type,
    model_name: type === 1 ? '' : 'gpt',
    quota: type === 5 ? 0 : 1_250,
    prompt_tokens: 11,
    completion_tokens: 7,
    use_time: 3,
    token_name: 'laptop',
    group: 'default',
    request_id: type === 2 ? '2026112510' : '',
    other: '{"group_ratio":1}',
  }));
  const text = JSON.stringify({ success: true, data: { items } });
  const map = proposed(text);
  assert.deepEqual(
    [map.timeFormat, map.unit, map.perUnit, map.currency],
    ['unixSeconds', undefined, undefined, undefined],
  );
  const { entries, unreadable } = imported(text, { unit: 'site', perUnit: 500_000 });
  assert.deepEqual(
    entries.map((entry) => [entry.at - at, entry.kind, entry.charged.amount, entry.requestId]),
    [
      [0, 'charge', 0.0025, '2026112510'],
      [1_000, 'error', 0, undefined],
      [2_000, 'refund', 0.0025, undefined],
    ],
  );
  assert.deepEqual([unreadable, entries[0]?.promptTokens, entries[0]?.group], [0, 11, 'default']);
});

test('reads exports of OpenRouter and LiteLLM', () => {
  const router = `generation_id,created_at,cost_total,tokens_prompt,tokens_completion,tokens_cached,model_permaslug
gen-1,2026-11-25T10:00:00.250Z,1.5e-05,10,20,4,openai/gpt-5`;
  assert.deepEqual(imported(router, { unit: 'USD', perUnit: 1 }), {
    entries: [
      {
        at: Date.UTC(2026, 10, 25, 10, 0, 0, 250),
        kind: 'charge',
        model: 'openai/gpt-5',
        charged: { amount: 0.000_015, unit: 'USD' },
        requestId: 'gen-1',
        promptTokens: 10,
        completionTokens: 20,
        cachedTokens: 4,
      },
    ],
    unreadable: 0,
  });
  const lite = `request_id\tmodel\tSpend (USD)\tstartTime\tprompt_tokens\tkey_alias
chatcmpl-1\tgpt-5\t0.002\t2026-11-25 10:00:00+00:00\t10\tlaptop`;
  const map = proposed(lite);
  assert.deepEqual(map, {
    requestId: 0,
    model: 1,
    amount: 2,
    unit: 'USD',
    perUnit: 1,
    at: 3,
    timeFormat: 'iso',
    promptTokens: 4,
    key: 5,
  });
  assert.equal(imported(lite).entries[0]?.at, Date.UTC(2026, 10, 25, 10));
});

test('takes no number for a charge or for tokens that can be neither', () => {
  const { entries, unreadable } = imported(
    `time,model,cost,prompt tokens,completion tokens
${at},m,1,-5,7
${at},m,1,1e300,7
${at},m,1e300,5,7
${at},m,-1,5,7`,
    { unit: 'USD', perUnit: 1 },
  );
  assert.deepEqual(
    entries.map(({ promptTokens, completionTokens }) => [promptTokens, completionTokens]),
    [
      [undefined, 7],
      [undefined, 7],
    ],
  );
  assert.equal(unreadable, 2);
});

test('takes a column only for what its cells can be', () => {
  const text = `Time,Model,Cost,Tokens,Input,Spend,When
fast,m,cheap,many,text,0.5,${at}`;
  assert.deepEqual(proposed(text), { at: 6, timeFormat: 'unixMilliseconds', model: 1, amount: 5 });
  assert.deepEqual(proposeColumns(['a', '__proto__', 'constructor'], [['x', 'y', 'z']]), {});
  assert.deepEqual(proposeColumns([], []), {});
});

test('reads times in each format, and in no other', () => {
  for (const [text, format, time] of [
    [String(at / 1_000), 'unixSeconds', at],
    [String(at), 'unixMilliseconds', at],
    ['2026-11-25T10:00:00+08:00', 'iso', Date.UTC(2026, 10, 25, 2)],
    ['2026-11-25 10:00:00 UTC', 'iso', Date.UTC(2026, 10, 25, 10)],
    ['2026-11-25 10:00:00+0800', 'iso', Date.UTC(2026, 10, 25, 2)],
    ['2026-11-25 10:00:01', 'local', Date.UTC(2026, 10, 25, 10, 0, 1)],
    ['2026/1/5 9:07', 'local', Date.UTC(2026, 0, 5, 9, 7)],
    ['2026年11月25日 10:00', 'local', Date.UTC(2026, 10, 25, 10)],
  ] as const) {
    assert.deepEqual([timeFormatOf([text]), timeOf(text, format)], [format, time], text);
    for (const other of timeFormats) {
      assert.equal(timeOf(text, other) !== undefined, other === format, `${text} as ${other}`);
    }
  }
  const others = [
    '',
    '2026-11-25',
    '10:00',
    '2026-13-01 10:00',
    '2026-02-30 10:00',
    '12',
    '1e9',
    'now',
    '='.repeat(9e6),
  ];
  assert.deepEqual(
    others.map((text) => timeFormatOf([text])),
    others.map(() => undefined),
  );
  assert.equal(timeFormatOf([String(at), local(at)]), undefined);
});

test('reads amounts with their currencies', () => {
  for (const [text, number, currency] of [
    ['0.0123', 0.0123, undefined],
    ['$0.0123', 0.0123, 'USD'],
    ['-$1,234.50', -1_234.5, 'USD'],
    ['US$ 2', 2, 'USD'],
    ['¥0.2', 0.2, 'CNY'],
    ['￥0.2', 0.2, 'CNY'],
    ['0.2 元', 0.2, 'CNY'],
    ['0,02 €', 0.02, 'EUR'],
    ['1,234', 1_234, undefined],
    ['1.2e-05', 0.000_012, undefined],
    ['.5 GBP', 0.5, 'GBP'],
  ] as const) {
    assert.deepEqual(amountIn(text), { number, currency }, text);
  }
  for (const text of [
    '',
    '-',
    '$',
    'free',
    '1.2.3',
    '1,2,3',
    '0.1 credits',
    '=1+1',
    '1 2 x',
    'NaN',
    '1e999',
    '9'.repeat(50),
  ]) {
    assert.equal(amountIn(text), undefined, text);
  }
});

test('reads every row of a log as it was', () => {
  const fields = {
    at: fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }).map((seconds) => seconds * 1_000),
    kind: fc.constantFrom('charge' as const, 'error' as const, 'refund' as const),
    model: fc.constantFrom('gpt-5', '模型/一', 'a,"b"\nc', '=cmd', '__proto__'),
    requestId: fc.uuid(),
    charged: fc.record(
      { amount: fc.nat().map((quota) => quota / 500_000), unit: fc.constant('site') },
      { noNullPrototype: true },
    ),
    promptTokens: fc.nat(mostOfCall),
    completionTokens: fc.nat(mostOfCall),
  };
  const entry = fc.record(fields, { noNullPrototype: true });
  const format = fc.constantFrom('unixSeconds', 'unixMilliseconds', 'iso', 'local');
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), format, (entries, timeFormat) => {
      const write = (time: number) =>
        ({ unixSeconds: time / 1_000, unixMilliseconds: time, iso: new Date(time).toISOString(), local: local(time) })[
          timeFormat
        ];
      const rows = entries.map((each) => [
        each.requestId,
        write(each.at),
        `"${each.model.replaceAll('"', '""')}"`,
        { charge: '2', error: '5', refund: '6' }[each.kind],
        Math.round(each.charged.amount * 500_000),
        each.promptTokens,
        each.completionTokens,
      ]);
      const names = '请求 ID,created_at,model_name,type,quota,prompt_tokens,completion_tokens';
      const read = imported([names, ...rows.map((row) => row.join(','))].join('\n'), {
        unit: 'site',
        perUnit: 500_000,
      });
      assert.deepEqual(read, { entries, unreadable: 0 });
    }),
  );
});

test('reads a comma before three digits like the commas of the other amounts', () => {
  const amounts = (...cells: string[]) =>
    imported(`time;model;cost\n${cells.map((cell) => `${at};m;${cell}`).join('\n')}`, {
      unit: 'EUR',
      perUnit: 1,
    }).entries.map(({ charged }) => charged.amount);
  assert.deepEqual(amounts('1,234', '0,0123', '12,5'), [1.234, 0.0123, 12.5]);
  assert.deepEqual(amounts('1,234', '0.0123'), [1234, 0.0123]);
});

test('counts every row that it can neither read nor leave out', () => {
  const map: ColumnMap = {
    at: 0,
    timeFormat: 'iso',
    model: 1,
    amount: 2,
    unit: 'USD',
    perUnit: 1,
    kind: 3,
    currency: 'USD',
  };
  const time = '2026-11-25T10:00:00Z';
  const rows = [[], [time], [time, 'm'], [time, 'm', '-1'], [time, '', '1'], ['x', 'm', '1'], [time, 'm', '€1']];
  const fine = [
    [time, 'm', '1'],
    [time, 'm', '', 'error'],
    [time, 'm', '', 'top-up'],
    [time, 'm', '-1', 'Refund'],
  ];
  const { entries, unreadable } = runToEnd(entriesOf([...rows, ...fine], map));
  assert.deepEqual([entries.map(({ charged }) => charged.amount), unreadable], [[1, 0, 1], rows.length]);
  const mixed = [
    [time, 'm', '0'],
    [time, 'm', '€1'],
    [time, 'm', '$1'],
    [time, 'm', '2 €'],
  ];
  const euros = runToEnd(entriesOf(mixed, { ...map, unit: 'EUR', currency: undefined }));
  assert.deepEqual([euros.entries.map(({ charged }) => charged.amount), euros.unreadable], [[0, 1, 2], 1]);
});

test('counts dollars of a site at what the person states, and no other money', () => {
  const map = { at: 0, timeFormat: 'local', model: 1, amount: 2, unit: siteUnit, perUnit: 500_000 } as const;
  const credit = { factor: 0.5, unit: 'CNY' };
  assert.deepEqual(withCredit(map, credit), { ...map, unit: 'CNY', perUnit: 1_000_000 });
  assert.deepEqual(withCredit({ ...map, unit: 'USD', perUnit: 1 }, credit), { ...map, unit: 'CNY', perUnit: 2 });
  assert.deepEqual(withCredit({ ...map, unit: 'EUR' }, credit), { ...map, unit: 'EUR' });
  assert.equal(withCredit(map, undefined), map);
});

test('tells headers apart', () => {
  const keys = [['a', 'b'], ['b', 'a'], ['a,b'], ['a","b'], ['a']].map(mapKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(mapKey(['a', 'b']), keys[0]);
});
