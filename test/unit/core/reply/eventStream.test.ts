import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventStream, type StreamEvent } from '../../../../src/core/reply/replyReader.ts';
import { cpuMs } from '../base/cpuMs.ts';
import { bytesOf, cutAt, everySplit } from './pieces.ts';

/** Parses pieces with one decoder for the whole stream, as a reply does. */
function events(pieces: readonly Uint8Array[], maxEventUnits?: number): StreamEvent[] {
  const found: StreamEvent[] = [];
  const stream = new EventStream((event) => found.push(event), maxEventUnits);
  const decoder = new TextDecoder();
  for (const piece of pieces) {
    stream.feed(decoder.decode(piece, { stream: true }));
  }
  stream.feed(decoder.decode());
  stream.end();
  return found;
}

const data = (...texts: string[]): StreamEvent[] => texts.map((text) => ({ data: text }));

/** All framing of wire 2A; a test below splits each of these at every byte. */
const fixtures: readonly (readonly [title: string, wire: string, expected: StreamEvent[]])[] = [
  ['Q1 lines end with LF', 'data: {"a":1}\n\ndata: {"a":2}\n\n', data('{"a":1}', '{"a":2}')],
  ['Q1 lines end with CRLF', 'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n', data('{"a":1}', '{"a":2}')],
  ['Q1 lines end with CR', 'data: {"a":1}\r\rdata: {"a":2}\r\r', data('{"a":1}', '{"a":2}')],
  ['Q1 line ends are mixed', 'data: 1\r\n\ndata: 2\n\r\ndata: 3\r\r\ndata: 4\n\r', data('1', '2', '3', '4')],
  ['Q1 CRLF joins two lines of one event', 'data: a\r\ndata: b\r\n\r\n', data('a\nb')],
  ['Q3 comments are ignored', ': OPENROUTER PROCESSING\n\n:\n\n: keep-alive\n: PING\n\ndata: 1\n\n:bye\n\n', data('1')],
  ['Q3 a comment within an event', 'data: a\n: ping\ndata: b\n\n', data('a\nb')],
  ['Q4 no blank after the colon', 'data:{"a":1}\n\n', data('{"a":1}')],
  ['Q4 two blanks after the colon', 'data:  {"a":1}\n\n', data(' {"a":1}')],
  ['Q5 and Q9 [DONE], and data after it', 'data: 1\n\ndata: [DONE]\n\ndata: 2\n\n', data('1', '[DONE]', '2')],
  ['Q7 no blank line after the last event', 'data: 1\n\ndata: 2\n', data('1', '2')],
  ['Q7 no line end after the last event', 'data: 1\n\ndata: 2', data('1', '2')],
  ['Q7 only a CR after the last event', 'data: 1\r\rdata: 2\r', data('1', '2')],
  ['Q10 one event on several lines', 'data: {\ndata:  "a": 1\ndata: }\n\n', data('{\n "a": 1\n}')],
  [
    'Q7 opencode#27365, eventsource-parser#31 no blank lines between documents',
    'data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n\n',
    data('{"a":1}', '{"a":2}', '[DONE]'),
  ],
  ['Q11 raw JSON after pings', ': PING\n\n: PING\n\n{"error":{"message":"no"}}', data('{"error":{"message":"no"}}')],
  ['Q11 one document per line', '{"a":1}\n{"a":2}\n', data('{"a":1}', '{"a":2}')],
  ['Q11 a list of documents', '[{"error":1}]\n', data('[{"error":1}]')],
  [
    'Q11 an indented document on many lines',
    '{\n  "a": [\n    1\n  ],\n\n  "b": "}\\""\n}\n',
    data('{\n  "a": [\n    1\n  ],\n  "b": "}\\""\n}'),
  ],
  ['Q11 raw JSON after an event', 'data: 1\n{"a":1}\n\n', data('1', '{"a":1}')],
  ['Q11 a raw [DONE]', 'data: 1\n\n[DONE]\n', data('1', '[DONE]')],
  [
    'Q12 names, ids and retries',
    'event: error\nid: 5\nretry: 10\ndata: {"m":1}\n\nevent: ping\ndata: x\n\nid: 6\n\n',
    [
      { name: 'error', data: '{"m":1}' },
      { name: 'ping', data: 'x' },
    ],
  ],
  ['Q12 a name without data is dropped', 'event: error\n\ndata: 1\n\n', data('1')],
  [
    'Q13 a field named error',
    'data: 1\n\nerror: {"message":"no"}\n\n',
    [{ data: '1' }, { name: 'error', data: '{"message":"no"}' }],
  ],
  [
    'Q13 a field named error ends the event before it',
    'data: 1\nerror: no\n\n',
    [{ data: '1' }, { name: 'error', data: 'no' }],
  ],
  ['Q14 empty data', 'data:\n\ndata: \n\ndata\n\ndata: 1\n\n', data('1')],
  ['Q17 characters of two, three and four bytes', 'data: é汉字😀\n\ndata: 🧑‍💻\n\n', data('é汉字😀', '🧑‍💻')],
  ['half of a raw document before other events', '{"half": [\ndata: {"a":1}\n\n', data('{"half": [\n', '{"a":1}')],
  ['unknown fields', 'foo: bar\nDATA: 1\n<p>\ndata: 1\n\n', data('1')],
  ['nothing but blank lines', '\n\r\n\r\n\n', []],
  ['nothing', '', []],
];

for (const [title, wire, expected] of fixtures) {
  test(`reads the same events wherever the stream is split: ${title}`, () => {
    for (const pieces of everySplit(bytesOf(wire))) {
      assert.deepEqual(
        events(pieces),
        expected,
        JSON.stringify(pieces.map((piece) => Buffer.from(piece).toString('latin1'))),
      );
    }
  });
}

test('Q18 reads the same events in random pieces from several streams in a row', () => {
  // Leaves out raw and incomplete documents, because they would continue in the next stream.
  const parts = fixtures.filter(([title, wire]) => !/Q2|Q7|half/.test(title) && /[\r\n]$/.test(wire));
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { maxLength: 6 }),
      fc.array(fc.nat(2_000), { maxLength: 30 }),
      (mix, cuts) => {
        const bytes = bytesOf(mix.map(([, wire]) => `${wire}\n\n`).join(''));
        const places = cuts.map((cut) => cut % (bytes.length + 1));
        assert.deepEqual(events(cutAt(bytes, places)), events([bytes]));
        assert.deepEqual(
          events([bytes]),
          mix.flatMap(([, , expected]) => expected),
        );
      },
    ),
  );
});

test('reads any text the same wherever it is split', () => {
  const piece = fc.constantFrom(
    'data:',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\n',
    '\r',
    '\r\n',
    ':',
    'x',
    'event:',
    'error:',
    '\ufeff',
    '😀',
    '\n\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), fc.array(fc.nat(60), { maxLength: 12 }), (parts, cuts) => {
      const bytes = bytesOf(parts.join(''));
      const places = cuts.map((cut) => cut % (bytes.length + 1));
      assert.deepEqual(events(cutAt(bytes, places)), events([bytes]));
    }),
  );
});

test('reads the same events, up to the cut, from a stream that is cut', () => {
  const bytes = bytesOf('data: {"a":1}\n\n: ping\n\ndata: {"b":"é"}\r\n\r\ndata: {"c":3}\n\n');
  const whole = events([bytes]);
  for (let end = 0; end <= bytes.length; end++) {
    const found = events([bytes.subarray(0, end)]);
    // Only the last event may be incomplete.
    const certain = found.slice(0, -1);
    assert.deepEqual(certain, whole.slice(0, certain.length));
    const last = found.at(-1);
    if (last) {
      assert.ok(whole[certain.length]?.data.startsWith(last.data.replace('\ufffd', '')));
    }
  }
});

test('Q19 throws when an event of any kind exceeds the limit', () => {
  const grow: Record<string, (feed: (text: string) => void) => void> = {
    'one endless line': (feed) => {
      for (;;) {
        feed('x'.repeat(100));
      }
    },
    'endless data lines': (feed) => {
      for (;;) {
        feed(`data: ${'x'.repeat(50)}\n`);
      }
    },
    'an endless raw document': (feed) => {
      for (;;) {
        feed(`{"a":\n${'['.repeat(50)}\n`);
      }
    },
    'an endless comment': (feed) => {
      feed(':');
      for (;;) {
        feed('x'.repeat(100));
      }
    },
  };
  for (const [name, run] of Object.entries(grow)) {
    let fed = 0;
    const stream = new EventStream(() => assert.fail('no event is complete'), 10_000);
    assert.throws(
      () =>
        run((text) => {
          fed += text.length;
          stream.feed(text);
        }),
      RangeError,
      name,
    );
    assert.ok(fed < 21_000, name);
  }
});

test('Q19 reads any number of events below the limit', () => {
  let count = 0;
  const stream = new EventStream(() => count++, 100);
  for (let at = 0; at < 1_000; at++) {
    stream.feed(`data: ${'x'.repeat(50)}\n\n: ${'y'.repeat(50)}\n\n`);
  }
  assert.equal(count, 1_000);
});

test('reads one long line in linear time', () => {
  const line = 'x'.repeat(1_000);
  const stream = new EventStream(() => undefined, 64 * 1024 * 1024);
  const ms = cpuMs(() => {
    stream.feed('data: ');
    for (let at = 0; at < 20_000; at++) {
      stream.feed(line);
    }
    stream.end();
  });
  assert.ok(ms < 2_000, `${ms} ms`);
});
