import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../../../../src/core/base/runInSlices.ts';
import { csvRows } from '../../../../../src/core/usage/receipts/csvRows.ts';
import { type LogTable, readLogFile } from '../../../../../src/core/usage/receipts/importLog.ts';

const read = (text: string) => runToEnd(readLogFile('log.csv', text));
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
  const cell = fc.oneof(
    fc.constantFrom(
      '',
      '"',
      '""',
      'a"b',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '\r',
      '模型，“引号”',
      '=1+1',
      '__proto__',
      ' a ',
    ),
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom('"', ',', ';', '\n', '\r', 'a'), { maxLength: 8 }).map((chars) => chars.join('')),
  );
  const table = fc.integer({ min: 2, max: 6 }).chain((columns) =>
    fc.record({
      header: fc.array(fc.constantFrom('model', '模型', 'a b', 'x'), { minLength: columns, maxLength: columns }),
      rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns })),
      delimiter: fc.constantFrom(',', ';', '\t'),
      lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
      hasEnd: fc.boolean(),
      hasMark: fc.boolean(),
      quotesAll: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(table, ({ header, rows, delimiter, lineBreak, hasEnd, hasMark, quotesAll }) => {
      const write = (text: string) =>
        quotesAll || /["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      const lines = [header, ...rows].map((row) => row.map(write).join(delimiter)).join(lineBreak);
      const text = `${hasMark ? '\ufeff' : ''}${lines}${hasEnd ? lineBreak : ''}`;
      assert.deepEqual([...csvRows(text)], [header, ...rows]);
    }),
    { numRuns: 500 },
  );
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
  const list = [{ time, model: 'm', cost: 0.5 }, 7, { model: '模型', tokens: 3, other: { a: 1 }, time: ' ' }];
  const expected = { columns: ['time', 'model', 'cost', 'tokens', 'other'], rows: [] as string[][] };
  expected.rows.push([time, 'm', '0.5', '', ''], ['', '模型', '', '3', '']);
  const bodies = [list, { data: list }, { success: true, data: { items: list, total: 2 } }, { logs: list }];
  for (const body of bodies) {
    for (const text of [JSON.stringify(body), `\ufeff${JSON.stringify(body, null, 2)}\n`]) {
      assert.deepEqual(tableOf(text), expected);
    }
  }
  assert.deepEqual(tableOf(`${list.map((each) => JSON.stringify(each)).join('\r\n')}\n{"cut`), expected);
});

test('reads names and cells that are code elsewhere as text', () => {
  const text = `time,__proto__,constructor,model\n${time},{},1,"=HYPERLINK(""http://x"")"\n`;
  assert.deepEqual(tableOf(text), {
    columns: ['time', '__proto__', 'constructor', 'model'],
    rows: [[time, '{}', '1', '=HYPERLINK("http://x")']],
  });
  assert.deepEqual(tableOf(`[{"time":"${time}","__proto__":"a","constructor":1},{"time":"${time}","model":"@m"}]`), {
    columns: ['time', '__proto__', 'constructor', 'model'],
    rows: [
      [time, 'a', '1', ''],
      [time, '', '', '@m'],
    ],
  });
});

test('refuses what is no usage log, and says why', () => {
  const notText = "log.csv isn't UTF-8 text. Export the log as CSV or JSON, or save the table as CSV UTF-8.";
  const noLog = "log.csv isn't a usage log. Choose a CSV or JSON file with a row for each call.";
  const noCalls = 'log.csv contains no calls. Export a period that has calls.';
  const noTime = 'log.csv has no column with the date and time of each call. Export the list of calls, not a summary.';
  const decoded = (...bytes: number[]) => new TextDecoder().decode(Uint8Array.from(bytes));
  const problems: [string, string][] = [
    ['PK\u0003\u0004\u0014\0\u0006\0', notText],
    // The header 时间,模型 in GBK, as some spreadsheets save it.
    [decoded(0xca, 0xb1, 0xbc, 0xe4, 0x2c, 0xc4, 0xa3, 0xd0, 0xcd), notText],
    [
      '\n<!DOCTYPE html><title>Log</title>',
      "log.csv is a web page. Export the usage log as CSV or JSON in the gateway's console.",
    ],
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
    [`day,model,cost\n2026-11-25,m,1\n2026-11-26,m,1`, noTime],
    ['time,model,cost\n2026-13-25 10:00,m,1', noTime],
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
  const line = `{"time":"${time}","model":"m","cost":1}\n`;
  assert.equal(problemOf(line.repeat(200_001)), tooLarge);
});

test('reads anything without a failure', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.array(fc.constantFrom('"', ',', '\n', '{', '[', ']', time, 'a', ':', '\ufeff')).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (each) => {
      const result = read(each);
      assert.ok('problem' in result ? result.problem.startsWith('log.csv') : result.rows.length > 0);
    }),
    { numRuns: 1_000 },
  );
});

test('takes a moment for long cells without an end', () => {
  const began = performance.now();
  for (const part of ['"', '""', '"a', '(', 'a', ' ', '\n', '1,', '[', '{"a":[', '=', '\t\r']) {
    for (const start of ['', `time,model,"(`, `time,model,cost\n${time},m,`, `time,model,cost\n`]) {
      read(start + part.repeat(2_000_000 / part.length));
    }
  }
  assert.ok(performance.now() - began < 60_000);
});

test('a small file of many short rows with different fields does not become a huge table', () => {
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, '2026-01-02 03:04:05']));
  const rows = Array.from({ length: 190_000 }, () => '{}');
  const read = runToEnd(readLogFile('log.json', `[${JSON.stringify(fields)},${rows.join()}]`));
  assert.ok('columns' in read && read.columns.length * read.rows.length <= 4_200_000);
});
