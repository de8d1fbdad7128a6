import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byCases } from '../../propertyRuns.ts';
import { leastCpuMs } from '../base/cpuMs.ts';
import { completion, key, readText } from '../reply/replyFixture.ts';

/** Repeated, each makes a naive pattern search the rest of the text from every position, in quadratic time. */
const pumps = [
  'model ',
  '令牌',
  '无权访问',
  '分组',
  'eyJ--------',
  'sk-',
  'bearer+',
  'error: ',
  '(request id: ',
  '****',
  '<h1>',
  ' ',
];

test('reads an error of any length in linear time', () => {
  for (const pump of pumps) {
    const bodies = (length: number) => {
      const message = pump.repeat(length / pump.length);
      return [JSON.stringify({ error: { message, code: message, type: message, request_id: message } }), message];
    };
    const costOf = (length: number) =>
      leastCpuMs(250, () => {
        for (const body of bodies(length)) {
          assert.equal(readText(body, { status: 400 }).verdict.outcome, 'failed');
        }
      });
    const cost = costOf(256 * 1024);
    assert.ok(cost < 250, `${pump}: ${cost} ms for 256 KB`);
  }
});

test('reads a response without throwing, however large or deep it is', () => {
  const size = byCases(200_000, 1_000_000, 1_000_000);
  const large = 'sk-'.repeat(2.5 * size);
  const deep = '['.repeat(size) + ']'.repeat(size);
  const call = `{"index":0,"id":"a","function":{"name":"f","arguments":{"a":${deep}}},"extra_content":{"a":${deep}}}`;
  for (const body of [
    JSON.stringify({ error: { message: large } }),
    JSON.stringify({ error: large }),
    completion({ role: 'assistant', content: null, refusal: large }),
    completion({ role: 'assistant', content: 'Hi' }, large),
    completion({ role: 'assistant', content: 'Hi' }, 'stop', { model: large }),
    large,
    deep,
    `{"error":${deep}}`,
    `{"choices":[{"index":0,"message":{"content":null,"tool_calls":[${call}]},"finish_reason":"tool_calls"}]}`,
    pageOf(large.slice(0, 100_000)),
  ]) {
    const { verdict } = readText(body);
    assert.ok(JSON.stringify(verdict).length < 20_000, `${body.slice(0, 60)}: ${JSON.stringify(verdict).length}`);
  }
});

test('shows no part of a key at the place where a long message is cut', () => {
  for (let before = 2_000; before < 6_400; before += 7) {
    const message = `${'word '.repeat(before / 5)}${key}${' word'.repeat(2_000)}`;
    const { words = '' } = readText(JSON.stringify({ error: { message } })).verdict.problem ?? {};
    assert.doesNotMatch(words, /Fixture/);
    assert.ok(words.length > 1_500);
  }
});

function pageOf(text: string): string {
  return `<!doctype html><title>${text}</title><input type${text}>`;
}
