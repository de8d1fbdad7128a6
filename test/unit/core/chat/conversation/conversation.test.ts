import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CodeContext, userMessage } from '../../../../../src/core/chat/context/prompt.ts';
import {
  type Conversation,
  noDraft,
  type Reply,
  titleOf,
} from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  ConversationRecord,
  emptyConversation,
  readConversation,
  writeEvent,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { exchangesUpTo, messagesFor } from '../../../../../src/core/chat/conversation/messagesFor.ts';
import { troubleOf } from '../../../../../src/core/chat/conversation/trouble.ts';
import { anyCharacter } from '../../../propertyRuns.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { replyOf } from './storedFixture.ts';

const context = (text: string, more: Partial<CodeContext> = {}): CodeContext => ({
  kind: 'selection',
  id: 'x',
  path: 'src/a.ts',
  languageId: 'typescript',
  startLine: 12,
  endLine: 34,
  text,
  ...more,
});

test('writes a question and its code as one message', () => {
  assert.equal(
    userMessage(' Explain this code. ', [
      context('a();\n'),
      context('b();', { path: 'b.py', languageId: 'python', endLine: 12 }),
    ]),
    'Explain this code.\n\nFrom `src/a.ts`, lines 12–34:\n```typescript\na();\n```\n\nFrom `b.py`, line 12:\n```python\nb();\n```',
  );
  assert.equal(userMessage('Why?', []), 'Why?');
});

const conversation = (...turns: Conversation['turns']): Conversation => ({
  id: 'c',
  createdAt: 0,
  turns,
  draft: noDraft,
});

test('sends the last answer with text when the shown one has none', () => {
  const first = {
    id: 't',
    question: 'Q',
    contexts: [],
    replies: [
      replyOf({ text: 'old' }),
      replyOf({ text: 'cut', state: 'stopped' }),
      replyOf({ text: '', state: 'failed' }),
    ],
  };
  const second = { id: 'u', question: 'R', contexts: [], replies: [] };
  assert.equal(messagesFor(conversation(first, second), 'u')[1]?.content, 'cut');
});

test('AstrBot#4296 never sends the data of a picture back', () => {
  const data = 'iVBORw0KGgo'.repeat(1_000);
  const picture = (text: string) =>
    exchangesUpTo(conversation({ id: 't', question: 'Draw.', contexts: [], replies: [replyOf({ text })] }), 't')[0]
      ?.messages[1]?.content;
  assert.equal(picture(`Here: ![a](data:image/png;base64,${data}) Done.`), 'Here: ![a](data:image/png) Done.');
  const named = `![A chart](picture:3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png) ![](picture:3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.jpg)`;
  assert.equal(picture(named), '[picture: A chart] [picture]');
  assert.equal(picture('Use data:image/png;base64,AAAA in CSS.'), 'Use data:image/png;base64,AAAA in CSS.');
});

test('names a conversation by the first words of its first question', () => {
  const titled = (question: string, ...contexts: CodeContext[]) =>
    titleOf(conversation({ id: 't', question, contexts, replies: [] }));
  assert.equal(titleOf(conversation()), 'New Conversation');
  assert.equal(titled('  \n '), 'New Conversation');
  assert.equal(titled('Why is this slow?\nMore.'), 'Why is this slow?');
  assert.equal(titled('Explain this code.', context('x')), 'Explain this code · a.ts');
  // What a question begins with that says nothing (NousResearch/hermes-agent#101607).
  assert.equal(titled('```ts\nconst a = 1;\n```\nWhy?'), 'const a = 1;');
  assert.equal(titled('````md\n# Notes\n````\nRight?'), '# Notes');
  assert.equal(titled('{\n  "name": "x"\n}\nIs it valid?'), '"name": "x"');
  assert.equal(titled('```npm test``` fails'), '```npm test``` fails');
  assert.equal(titled('???\n!'), '???');
  assert.equal(titled('x'.repeat(60)), 'x'.repeat(60));
  assert.equal(titled('x'.repeat(61)), `${'x'.repeat(60)}…`);
  assert.equal(titled('😀'.repeat(40)), `${'😀'.repeat(30)}…`);
});

const amount = fc.nat();
const event: fc.Arbitrary<ConversationEvent> = fc.oneof(
  fc.record({
    type: fc.constant('turn' as const),
    id: fc.constantFrom('t1', 't2'),
    question: fc.string({ unit: anyCharacter }),
    contexts: fc.array(
      fc.string({ unit: anyCharacter }).map((text) => context(text)),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant('reply' as const),
    turnId: fc.constantFrom('t1', 't2', 'none'),
    id: fc.constantFrom('r1', 'r2', 'r3'),
    model: fc.string(),
    host: fc.string(),
    startedAt: amount,
  }),
  fc.record({
    type: fc.constant('delta' as const),
    replyId: fc.constantFrom('r1', 'r2', 'r3'),
    text: fc.string({ unit: anyCharacter }),
    reasoning: fc.string({ unit: anyCharacter }),
    ms: amount,
  }),
  fc.record(
    {
      type: fc.constant('end' as const),
      replyId: fc.constantFrom('r1', 'r2', 'r3'),
      totalMs: amount,
      state: fc.constantFrom('complete' as const, 'stopped' as const, 'incomplete' as const, 'failed' as const),
      echoedModel: fc.string(),
      finishReason: fc.string(),
      requestId: fc.string(),
      usage: fc.record(
        { promptTokens: amount, cost: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }) },
        { requiredKeys: [] },
      ),
      problem: fc.constantFrom(
        { kind: 'cut' },
        { kind: 'rateLimited', retryAfterMs: 5, words: 'x\ny' },
        { kind: 'timedOut', timer: 'idle', limitMs: 3 },
      ),
    },
    { requiredKeys: ['type', 'replyId', 'totalMs', 'state'] },
  ),
);

test('reads from the file the same conversation as the one that was shown', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 15 }), (events) => {
      const all: ConversationEvent[] = [{ type: 'conversation', version: 1, id: 'c', createdAt: 7 }, ...events];
      const lines = all.map(writeEvent);
      assert.ok(
        lines.every((line) => line.indexOf('\n') === line.length - 1),
        'one line for each event',
      );
      const record = new ConversationRecord(emptyConversation('c', 0));
      const steps = all.map((each) => {
        record.apply(each);
        return { conversation: record.conversation, asText: JSON.stringify(record.conversation) };
      });
      assert.ok(
        steps.every(({ conversation, asText }) => JSON.stringify(conversation) === asText),
        'no later event changes what was returned',
      );
      const shown = record.conversation;
      const { conversation: read, unreadLines } = readConversation('c', lines.join(''));
      assert.equal(unreadLines, 0);
      const running = (each: Reply) => each.state === 'waiting' || each.state === 'streaming';
      const ended = shown.turns.map((turn) => ({
        ...turn,
        replies: turn.replies.map((each) =>
          running(each) ? { ...each, state: 'incomplete', problem: { kind: 'interrupted' } } : each,
        ),
      }));
      const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));
      assert.deepEqual(asJson(read), asJson({ ...shown, turns: ended }));
    }),
  );
});

const file = [
  { type: 'conversation', version: 1, id: 'c', createdAt: 7 } as const,
  { type: 'turn', id: 't', question: 'Why?', contexts: [] } as const,
  { type: 'reply', turnId: 't', id: 'r', model: 'm', host: 'h', startedAt: 1 } as const,
  { type: 'delta', replyId: 'r', text: 'Hel', reasoning: '', ms: 5 } as const,
  { type: 'delta', replyId: 'r', text: 'lo', reasoning: '', ms: 9 } as const,
  { type: 'end', replyId: 'r', state: 'complete', totalMs: 10 } as const,
]
  .map((each) => writeEvent(each as ConversationEvent))
  .join('');

test('reads a file that is cut at any byte, and loses no complete line', () => {
  const bytes = Buffer.from(file);
  for (let end = 0; end <= bytes.length; end++) {
    const { conversation: read, unreadLines } = readConversation('c', bytes.subarray(0, end).toString());
    assert.ok(unreadLines <= 1);
    const state = read.turns[0]?.replies[0]?.state;
    assert.ok(state === undefined || state === 'incomplete' || state === 'complete');
  }
});

test('reads 20,000 questions in a moment', () => {
  const turns = Array.from({ length: 20_000 }, (_, at) => [
    writeEvent({ type: 'turn', id: `t${at}`, question: 'Why?', contexts: [], after: at === 0 ? null : `t${at - 1}` }),
    writeEvent({ type: 'reply', turnId: `t${at}`, id: `r${at}`, model: 'm', host: 'h', startedAt: 1 }),
    writeEvent({ type: 'delta', replyId: `r${at}`, text: 'So.', reasoning: '', ms: 1 }),
  ]);
  let count = 0;
  const ms = leastCpuMs(2_000, () => {
    count = readConversation('c', turns.flat().join('')).conversation.turns.length;
  });
  assert.ok(count === 20_000 && ms < 2_000, `${count} in ${ms} ms`);
});

test('leaves out and counts lines that are unknown, broken or from a later version', () => {
  const odd = [
    '{"type":"later","x":1}',
    '{"type":"delta"}',
    'null',
    '[]',
    '"x"',
    '{',
    '\u0000',
    '{"__proto__":{"type":"turn"}}',
  ].join('\n');
  const { conversation: read, unreadLines } = readConversation('c', `${odd}\n\n${file}${odd}`);
  assert.deepEqual([read.turns[0]?.replies[0]?.text, unreadLines], ['Hello', 16]);
});

test('reads a line before or after the zeros of a power loss (anthropics/claude-code#76059, anthropics/claude-code#81843)', () => {
  const zeros = '\0'.repeat(9_000);
  const { conversation: read, unreadLines } = readConversation('c', file.replaceAll('\n', `${zeros}\n${zeros}`));
  assert.deepEqual([read, unreadLines], [readConversation('c', file).conversation, 1]);
});

test('sends all of a context of which an earlier version sent a part', () => {
  const leftOut = { turns: [], contexts: [{ id: 'a' }, { id: 'b', lines: { startLine: 3, endLine: 9 } }] };
  const line = `${JSON.stringify({ type: 'reply', turnId: 't', id: 'r', model: 'm', host: 'h', startedAt: 1, leftOut })}\n`;
  const turn = writeEvent({ type: 'turn', id: 't', question: 'Why?', contexts: [] });
  const { turns } = readConversation('c', turn + line).conversation;
  assert.deepEqual(turns[0]?.replies[0]?.leftOut, { turns: [], contexts: [{ id: 'a' }] });
});

test('shows a general message for a problem from a later version', () => {
  const line = '{"type":"end","replyId":"r","state":"failed","totalMs":3,"problem":{"kind":"solarFlare","flux":9}}\n';
  const [read] =
    readConversation('c', `${file.split('\n').slice(0, 3).join('\n')}\n${line}`).conversation.turns[0]?.replies ?? [];
  assert.ok(read);
  const trouble = troubleOf(read);
  assert.ok(trouble && trouble.title.length > 5 && trouble.remedy.length > 5);
});
