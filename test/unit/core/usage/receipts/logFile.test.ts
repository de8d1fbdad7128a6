import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOf, knownColumns, type LogColumns, timeOf } from '../../../../../src/core/account/logEntries.ts';
import { csvRows, type LogTable, readLogFile } from '../../../../../src/core/usage/receipts/logFile.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';

const read = (text: string) => readLogFile('log.csv', text);
const problemOf = (text: string) => {
  const result = read(text);
  return 'problem' in result ? result.problem : undefined;
};
function tableOf(text: string): LogTable {
  const result = read(text);
  assert.ok(!('problem' in result), 'problem' in result ? result.problem : '');
  return result;
}

const time = '2026-11-25 10:00:00';

test('reads back every CSV table as it was written', () => {
  const table = [
    ['model', '模型', 'x'],
    ['a,b;c\td', 'say "yes"\r\nor "no"\n', ''],
    ['__proto__', ' a ', '"'],
  ];
  const write = (text: string) => (/["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  for (const delimiter of [',', ';', '\t']) {
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const text = table.map((row) => row.map(write).join(delimiter)).join(lineBreak);
      assert.deepEqual([...csvRows(text)], table);
      assert.deepEqual([...csvRows(`\ufeff${text}${lineBreak}`)], table);
    }
  }
});

test('reads CSV that breaks the rules without losing a row', () => {
  const rows = (text: string) => [...csvRows(text)];
  assert.deepEqual(rows('a,b\n\n\r\n1,2\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(rows('a,b\n"1"x,2"3\n'), [
    ['a', 'b'],
    ['1x', '2"3'],
  ]);
  assert.deepEqual(rows('a,b\n1,"2\n3'), [
    ['a', 'b'],
    ['1', '2\n3'],
  ]);
  assert.deepEqual(rows('"a,b";c\n1;2'), [
    ['a,b', 'c'],
    ['1', '2'],
  ]);
  assert.deepEqual([rows(''), rows('\ufeff'), rows('\n\n')], [[], [], []]);
  assert.equal(rows(`a${',b'.repeat(1_000_000)}`)[0]?.length, 200);
});

test('reads a list of objects in JSON, wherever the list is', () => {
  const rows = [
    { time, model: 'm', cost: 0.5 },
    { model: '模型', tokens: 3, other: { a: 1 }, time: ' ' },
  ];
  const expected = { columns: ['time', 'model', 'cost', 'tokens', 'other'], rows };
  const list = [rows[0], 7, rows[1]];
  const bodies = [list, { data: list }, { success: true, data: { items: list, total: 2 } }, { logs: list }];
  for (const body of bodies) {
    for (const text of [JSON.stringify(body), `\ufeff${JSON.stringify(body, null, 2)}\n`]) {
      assert.deepEqual(tableOf(text), expected);
    }
  }
});

test('reads names and cells that are code elsewhere as text', () => {
  const columns = ['time', '__proto__', 'constructor', 'model'];
  const text = `${columns}\n${time},{},1,"=HYPERLINK(""http://x"")"\n`;
  const { columns: read, rows } = tableOf(text);
  assert.deepEqual(
    [read, Object.entries(rows[0] ?? {}).map(([, cell]) => cell)],
    [columns, [time, '{}', '1', '=HYPERLINK("http://x")']],
  );
  assert.deepEqual(tableOf(`[{"time":"${time}","__proto__":"a","constructor":1},{"model":"@m"}]`).columns, columns);
});

test('refuses what is no usage log, and says why', () => {
  const notText = "log.csv isn't UTF-8 text. Export the log as CSV or JSON, or save the table as CSV UTF-8.";
  const noLog = "log.csv isn't a usage log. Export the list of calls with their dates as CSV or JSON.";
  const noCalls = 'log.csv contains no calls. Export a period that has calls.';
  const decoded = (...bytes: number[]) => new TextDecoder().decode(Uint8Array.from(bytes));
  const problems: [string, string][] = [
    ['PK\u0003\u0004\u0014\0\u0006\0', notText],
    // The header 时间,模型 in GBK, as some spreadsheets save it.
    [decoded(0xca, 0xb1, 0xbc, 0xe4, 0x2c, 0xc4, 0xa3, 0xd0, 0xcd), notText],
    ['\n<!DOCTYPE html><title>Log</title>', noLog],
    ['', noCalls],
    [' \n', noCalls],
    ['time,model,cost\n', noCalls],
    ['[]', noCalls],
    ['{"data":{"items":[]}}', noCalls],
    ['Dear all\nhere is the log', noLog],
    ['{"name":"package","version":"1"}', noLog],
    ['{\n"name":"package",\n"version":"1"\n}', noLog],
    ['[1,2,', noLog],
    ['{"data":'.repeat(100_000), noLog],
  ];
  for (const [text, problem] of problems) {
    assert.equal(problemOf(text), problem);
  }
});

test('refuses a log that is too large', () => {
  const tooLarge = 'log.csv is too large. Export a shorter period: at most 32 MB and 200,000 rows can be imported.';
  assert.equal(problemOf('\0'.repeat(32 * 1024 * 1024 + 1)), tooLarge);
  const row = `${time},m,1\n`;
  assert.equal(tableOf(`time,model,cost\n${row.repeat(200_000)}`).rows.length, 200_000);
  assert.equal(problemOf(`time,model,cost\n${row.repeat(200_001)}`), tooLarge);
  const item = `,{"time":"${time}","model":"m","cost":1}`;
  assert.equal(problemOf(`[{}${item.repeat(200_000)}]`), tooLarge);
});

const at = 1_795_000_000_000;
const plain: LogColumns = { at: 'time', model: 'model', amount: 'cost', unit: 'USD', perUnit: 1 };
const imported = (text: string, columns: LogColumns | undefined, credit?: Parameters<typeof entriesOf>[2]) => {
  assert.ok(columns);
  return entriesOf(tableOf(text).rows, columns, credit);
};
/** Without what isn't known. */
const json = (value: unknown) => JSON.parse(JSON.stringify(value));

test("knows the columns of a site's log, with quota and Unix times", () => {
  const items = [2, 5, 6, 1].map((type, index) => ({
    created_at: at / 1_000 + index,
    type,
    model_name: 'gpt',
    quota: type === 5 ? 0 : 1_250,
    prompt_tokens: 11,
    completion_tokens: 7,
    token_name: 'laptop',
    group: 'default',
    request_id: type === 2 ? '2026112510' : '',
  }));
  const text = JSON.stringify({ success: true, data: { items } });
  const { entries, unreadable, hasZone } = imported(text, knownColumns(tableOf(text).columns));
  assert.deepEqual(
    entries.map((entry) => [entry.at - at, entry.kind, entry.charged.amount, entry.charged.unit, entry.requestId]),
    [
      [0, 'charge', 0.0025, 'site', '2026112510'],
      [1_000, 'error', 0, 'site', undefined],
      [2_000, 'refund', 0.0025, 'site', undefined],
    ],
  );
  assert.deepEqual([unreadable, hasZone, entries[0]?.promptTokens], [0, true, 11]);
});

test('knows the columns of an export of OpenRouter', () => {
  const text = `generation_id,created_at,cost_total,tokens_prompt,tokens_completion,tokens_cached,model_permaslug
gen-1,2026-11-25 10:00:00.250,1.5e-05,10,20,4,openai/gpt-5`;
  assert.deepEqual(json(imported(text, knownColumns(tableOf(text).columns))), {
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
    hasZone: false,
  });
  const spend = 'request_id,spend,endTime,model,prompt_tokens\nr,0.5,2026-11-25 18:00:00.5+08,gpt,9';
  const { entries } = imported(spend, knownColumns(tableOf(spend).columns));
  assert.deepEqual(
    [entries[0]?.at, entries[0]?.charged, entries[0]?.requestId, entries[0]?.promptTokens],
    [Date.UTC(2026, 10, 25, 10, 0, 0, 500), { amount: 0.5, unit: 'USD' }, 'r', 9],
    'BerriAI/litellm#1498',
  );
  assert.equal(knownColumns(['时间', '模型', '花费']), undefined);
});

test('reads the times of consoles, and nothing else as a time', () => {
  const utc = (...parts: Parameters<typeof Date.UTC>) => Date.UTC(...parts);
  for (const [text, time, hasZone] of [
    [String(at / 1_000), at, true],
    [String(at), at, true],
    ['2026-11-25T10:00:00+08:00', utc(2026, 10, 25, 2), true],
    ['2026-11-25 10:00:00 UTC', utc(2026, 10, 25, 10), true],
    ['2026-11-25 10:00:01', utc(2026, 10, 25, 10, 0, 1), false],
    ['2026/1/5 9:07', utc(2026, 0, 5, 9, 7), false],
    ['2026年11月25日 10:00', utc(2026, 10, 25, 10), false],
  ] as const) {
    assert.deepEqual(timeOf(text), { at: time, hasZone }, text);
  }
  for (const text of ['', '2026-11-25', '10:00', '2026-13-01 10:00', '12', '1e9', 'now', '='.repeat(9e6)]) {
    assert.equal(timeOf(text), undefined, text.slice(0, 40));
  }
});

test('reads amounts in the currency that a cell names, and none whose comma may mean two things', () => {
  const row = (cost: string) => `"${time}",m,"${cost}"`;
  const { entries, unreadable } = imported(
    [
      'time,model,cost',
      ...['0.5', '＄0.25', '¥2', '3 EUR', '£4', '₹9', 'HK$9', '1,234', '0,02 €', '-1', '1e999', 'free', ''].map(row),
    ].join('\n'),
    { ...plain, unit: 'site' },
  );
  assert.deepEqual(
    entries.map(({ charged }) => charged),
    [
      { amount: 0.5, unit: 'site' },
      { amount: 0.25, unit: 'USD' },
      { amount: 2, unit: 'CNY' },
      { amount: 3, unit: 'EUR' },
      { amount: 4, unit: 'GBP' },
    ],
  );
  assert.equal(unreadable, 8);
});

test('takes no number for tokens that can be none, and leaves out lines of no call and of other keys', () => {
  const text = `time,model,cost,in,key
${time},m,1,-5,a
${time},m,2,1e300,a
${time},m,3,"1,234",a
${time},,10,,a
${time},m,4,1,b`;
  const { entries, unreadable } = imported(text, { ...plain, promptTokens: 'in', key: 'key', keyName: 'a' });
  assert.deepEqual(
    entries.map(({ charged, promptTokens }) => [charged.amount, promptTokens]),
    [
      [1, undefined],
      [2, undefined],
      [3, 1_234],
    ],
  );
  assert.equal(unreadable, 0);
});

test('counts dollars of a site at what the person states, and no other money', () => {
  const text = `time,model,cost\n${time},m,500000`;
  const charged = (map: Partial<LogColumns>) =>
    imported(text, { ...plain, ...map }, { factor: 0.5, unit: 'CNY' }).entries[0]?.charged;
  assert.deepEqual(charged({ unit: 'site', perUnit: 500_000 }), { amount: 0.5, unit: 'CNY' });
  assert.deepEqual(charged({ unit: 'USD' }), { amount: 250_000, unit: 'CNY' });
  assert.deepEqual(charged({ unit: 'EUR' }), { amount: 500_000, unit: 'EUR' });
});

test('refuses millions of tiny rows, lists or broken lines in a moment, and what is nested too deeply', () => {
  for (const text of [
    'a,b,c\n'.repeat(4_000_000),
    `[${'{},'.repeat(4_000_000)}{}]`,
    '[]\n'.repeat(4_000_000),
    '[\n'.repeat(200_000),
    `${'{"data":'.repeat(50_000)}[]${'}'.repeat(50_000)}`,
  ]) {
    let problem: string | undefined;
    const ms = leastCpuMs(1_500, () => {
      problem = problemOf(text);
    });
    assert.ok(problem !== undefined && ms < 1_500, `${text.slice(0, 9)}: ${ms} ms`);
  }
});
