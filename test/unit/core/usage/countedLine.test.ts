import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { costSources } from '../../../../src/core/reply/cost.ts';
import { LineReader } from '../../../../src/core/usage/countedLine.ts';
import {
  callerName,
  endLine,
  type LedgerLine,
  readLine,
  receiptLine,
  startLine,
} from '../../../../src/core/usage/ledgerLine.ts';

// Mostly plain, so that many lines have nothing else.
const text = fc.oneof(
  { arbitrary: fc.uuid(), weight: 40 },
  fc.constantFrom('', 'gpt-5', 'vendor/模型', 'a"b', 'a\\b', 'a\nb', '\0', '\u007f', '\u2028', '","at":1', '}'),
  fc.string({ unit: 'binary' }),
);
const figure = fc.oneof(
  { arbitrary: fc.nat(), weight: 40 },
  fc.nat().map((thousandths) => thousandths / 1_000),
  fc.constantFrom(0, 1.5, 0.1 + 0.2, 1e-7, 1e21, 123_456_789_012_345_680, 0.000_001_234_567_890_123, 1_795_000_000_000),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);
const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const cost = fc.record({ amount: figure, unit: text, source: fc.constantFrom(...costSources) });
const start = fc
  .record({
    id: text,
    at: figure,
    connection: text,
    host: text,
    model: text,
    caller: fc.oneof(
      fc.constantFrom({ kind: 'panel' as const }, { kind: 'comparison' as const }),
      fc.record({ kind: fc.constant('extension' as const), id: option(text) }),
    ),
    conversation: option(text),
    turn: option(text),
    estimate: figure,
    isInMemory: option(fc.constant(true as const)),
    reserved: option(fc.record({ tokens: figure, cost: option(figure), unit: option(fc.constantFrom('CNY', 'site')) })),
  })
  .map(({ turn, ...facts }) => startLine({ ...facts, ...(turn !== undefined && { turn }) }));
const end = fc
  .record({
    id: text,
    at: figure,
    state: fc.constantFrom('complete', 'stopped', 'incomplete', 'failed', 'notSent', 'unknown'),
    isFree: option(fc.constant(true as const)),
    answered: option(text),
    usage: option(
      fc.record({
        promptTokens: option(figure),
        completionTokens: option(figure),
        totalTokens: option(figure),
        cachedTokens: option(figure),
        cacheWriteTokens: option(figure),
        reasoningTokens: option(figure),
        cost: option(figure),
      }),
    ),
    cost: option(cost),
    requestId: option(text),
    firstTokenMs: option(figure),
    totalMs: figure,
  })
  .map((facts) => endLine(facts as Parameters<typeof endLine>[0]));
const receipt = fc
  .record({ id: text, at: figure, cost, usage: option(fc.record({ promptTokens: figure, completionTokens: figure })) })
  .map((facts) => receiptLine(facts as Parameters<typeof receiptLine>[0]));

/** What sums and limits need of a line, without fields that are undefined. */
function counted(line: LedgerLine | undefined): unknown {
  if (line === undefined) {
    return undefined;
  }
  if (line.type === 'end') {
    const { id, state, isFree, usage, cost, firstTokenMs } = line;
    return JSON.parse(JSON.stringify({ id, state, isFree, usage, cost, firstTokenMs }));
  }
  if (line.type === 'receipt') {
    const { id, cost, usage } = line;
    return JSON.parse(JSON.stringify({ id, state: 'receipt', cost, usage }));
  }
  const { id, at, connection, model, caller, conversation, isInMemory, estimate, reserved } = line;
  const facts = { id, at, connection, model, caller: callerName(caller), conversation, isInMemory, estimate, reserved };
  return JSON.parse(JSON.stringify(facts));
}

/** The same of a line that was read. */
function found(line: ReturnType<LineReader['read']>): unknown {
  if (line === undefined) {
    return undefined;
  }
  if (line.state === undefined || line.state === 'receipt') {
    const { id, state, cost, usage } = line;
    return JSON.parse(JSON.stringify(state === undefined ? line : { id, state, cost, usage }));
  }
  const { id, state, isFree, usage, cost, firstTokenMs } = line;
  return JSON.parse(JSON.stringify({ id, state, isFree, usage, cost, firstTokenMs }));
}

test('reads of every written line what JSON has in it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(start, end, receipt), { maxLength: 9 }), (lines) => {
      const reader = new LineReader();
      const text = lines.join('');
      let at = 0;
      // Twice, because names that are known are read in another way.
      for (const line of [...lines, ...lines]) {
        const whole = readLine(line);
        assert.ok(whole);
        assert.deepEqual(found(reader.read(text, at)), counted(whole));
        assert.equal(reader.end, at + line.length);
        at = reader.end % text.length;
      }
    }),
    { numRuns: 1_000 },
  );
});

test('takes no line for written that is damaged, and reads nothing else of it than JSON', () => {
  const damage = fc.oneof(
    fc.constantFrom(
      '',
      '"',
      ',',
      '{',
      '}',
      ':',
      '\\',
      '\0',
      '\t',
      '\r',
      ' ',
      '0',
      '-',
      '.',
      'e9',
      '"a":1',
      ',"cost":2',
    ),
    fc.constantFrom('9'.repeat(400), '"v":1,', '"isFree":true', 'null', '\u{feff}', '\\u0041', '\u007f', '"usage":{}'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  );
  const reader = new LineReader();
  let written = 0;
  fc.assert(
    fc.property(
      fc.oneof(start, end, receipt),
      fc.nat(),
      fc.nat({ max: 3 }),
      damage,
      (line, place, removed, inserted) => {
        const at = place % (line.length + 1);
        const damaged = line.slice(0, at) + inserted + line.slice(at + removed);
        const read = reader.readWritten(damaged, 0);
        if (read !== undefined) {
          written++;
          assert.deepEqual(found(read), counted(readLine(damaged.slice(0, reader.end))));
        }
        const any = found(reader.read(damaged, 0));
        assert.deepEqual(any, counted(readLine(damaged.slice(0, reader.end))));
        assert.equal(reader.end, damaged.indexOf('\n') + 1 || damaged.length);
      },
    ),
    { numRuns: 10_000 },
  );
  assert.ok(written > 100, 'damage inside a text or a number can leave a line valid');
});

test('needs no JSON for the usual lines', () => {
  const facts = { id: crypto.randomUUID(), at: 1_795_000_000_000, connection: 'c1', host: 'h.example', model: 'gpt-5' };
  const usage = { promptTokens: 11, cachedTokens: 5, cost: 0.0021 };
  for (const line of [
    startLine({ ...facts, caller: { kind: 'panel' }, conversation: 'k', turn: 't', estimate: 12 }),
    startLine({ ...facts, caller: { kind: 'extension' }, estimate: 12, reserved: { tokens: 4_096, cost: 0.25 } }),
    startLine({ ...facts, caller: { kind: 'extension', id: 'publisher.name' }, estimate: 12 }),
    endLine({ ...facts, state: 'complete', usage, requestId: 'r', firstTokenMs: 640, totalMs: 3_500 }),
    endLine({ ...facts, state: 'failed', isFree: true, totalMs: 0 }),
    endLine({
      ...facts,
      state: 'complete',
      usage: {},
      cost: { amount: 0.0123, unit: 'USD', source: 'stated' },
      totalMs: 1,
    }),
    receiptLine({ ...facts, cost: { amount: 0.25, unit: 'site', source: 'charged' }, usage: { promptTokens: 1 } }),
    endLine({ ...facts, state: 'stopped', usage: {}, answered: 'other', totalMs: 1 }),
  ]) {
    assert.notEqual(new LineReader().readWritten(line, 0), undefined, line);
  }
});
