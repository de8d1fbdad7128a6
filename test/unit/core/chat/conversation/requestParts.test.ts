import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CodeContext } from '../../../../../src/core/chat/context/prompt.ts';
import type { Conversation, Turn } from '../../../../../src/core/chat/conversation/conversation.ts';
import { messagesFor, withSystemPrompt } from '../../../../../src/core/chat/conversation/messagesFor.ts';
import {
  contextWindowOf,
  proposedLeftOut,
  requestParts,
  tokensOf,
} from '../../../../../src/core/chat/conversation/requestParts.ts';
import { estimateRequest } from '../../../../../src/core/usage/estimateRequest.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { context, conversationOf, replyOf } from './storedFixture.ts';

function fileOf(id: string, lines: number, path = `${id}.ts`): CodeContext {
  const text = Array.from({ length: lines }, (_, index) => `const value${index} = ${index};\n`).join('');
  return { ...context, kind: 'file', id, path, startLine: 1, endLine: lines, text };
}

function turnOf(id: string, question: string, answer: string, contexts: readonly CodeContext[] = []): Turn {
  return { id, question, contexts, replies: answer === '' ? [] : [replyOf({ id: `r${id}`, text: answer })] };
}

function partsOf(turns: readonly Turn[], text: string, contexts: readonly CodeContext[] = [], prompt?: string) {
  return requestParts(conversationOf({ turns }), { text, contexts }, turns.at(-1)?.id ?? null, prompt);
}

const long = 'word '.repeat(400);
const earlier = ['1', '2', '3', '4'].map((id) => turnOf(id, long, long));
const each = partsOf(earlier, 'Why?').turns[0]?.tokens ?? 0;

test('leaves out the oldest questions first, no more than needed, and nothing of what fits', () => {
  const parts = partsOf(earlier, 'Why?');
  assert.deepEqual(proposedLeftOut(parts, tokensOf(parts)), { turns: [], contexts: [] });
  assert.deepEqual(proposedLeftOut(parts, tokensOf(parts) - 1).turns, ['1']);
  assert.deepEqual(proposedLeftOut(parts, tokensOf(parts) - each - 1).turns, ['1', '2']);
});

test('leaves out the oldest of 40,000 questions in a moment', () => {
  const parts = partsOf(
    Array.from({ length: 40_000 }, (_, index) => turnOf(`${index}`, 'Why?', 'So.')),
    'Why?',
  );
  let count = 0;
  const ms = leastCpuMs(500, () => {
    count = proposedLeftOut(parts, 1_000).turns.length;
  });
  assert.ok(count > 39_000 && ms < 500, `${count} in ${ms} ms`);
});

test('proposes again what was left out before, and more only if that does not suffice', () => {
  const parts = partsOf(earlier, 'Why?');
  const before = { turns: ['3', 'gone'], contexts: [{ id: 'gone' }] };
  assert.deepEqual(proposedLeftOut(parts, tokensOf(parts) - 1, before), { turns: ['3'], contexts: [] });
  assert.deepEqual(proposedLeftOut(parts, tokensOf(parts) - each - 1, before).turns, ['3', '1']);
  const withFile = partsOf(earlier, 'Why?', [fileOf('f', 20)]);
  const ofFile = { turns: [], contexts: [{ id: 'f' }] };
  const room = tokensOf(withFile, ofFile) - 1;
  assert.deepEqual(proposedLeftOut(withFile, room, ofFile), { turns: ['1'], contexts: [{ id: 'f' }] });
});

test('leaves out a file that does not fit alone, and keeps the earlier questions', () => {
  const parts = partsOf(earlier, 'Why?', [fileOf('f', 3_000)]);
  assert.deepEqual(proposedLeftOut(parts, 4 * each + 50), { turns: [], contexts: [{ id: 'f' }] });
});

test('leaves out the largest context before a smaller one', () => {
  const changes = { ...fileOf('c', 2_000), kind: 'changes' };
  const parts = partsOf([], 'Why?', [fileOf('small', 20), changes]);
  assert.deepEqual(proposedLeftOut(parts, 1_000), { turns: [], contexts: [{ id: 'c' }] });
});

test('reserves room for an answer: what the model states, at most 4,096 tokens and a quarter of the window', () => {
  assert.deepEqual(contextWindowOf({ contextTokens: 128_000 }), { size: 128_000, prompt: 123_904 });
  assert.deepEqual(contextWindowOf({ contextTokens: 128_000, outputTokens: 1_000 }), {
    size: 128_000,
    prompt: 127_000,
  });
  assert.deepEqual(contextWindowOf({ contextTokens: 128_000, outputTokens: 64_000 }), {
    size: 128_000,
    prompt: 123_904,
  });
  assert.deepEqual(contextWindowOf({ contextTokens: 8_192 }), { size: 8_192, prompt: 6_144 });
  assert.deepEqual(contextWindowOf({ contextTokens: 8_192 }, 5_000), { size: 8_192, prompt: 3_192 });
  assert.deepEqual(contextWindowOf({ contextTokens: 8_192 }, 9_000), { size: 8_192, prompt: 0 });
  assert.equal(contextWindowOf({}, 5_000), undefined);
  assert.equal(contextWindowOf({}), undefined);
  assert.equal(contextWindowOf(undefined), undefined);
});

test('counts what would be sent, and sends the question and the rest in their order, whatever is left out', () => {
  const text = fc
    .array(fc.constantFrom('sum', 'the', 'cart.total', '解释', '\n', '42'), { maxLength: 200 })
    .map((all) => all.join(' '));
  const contexts = (id: string) =>
    fc.array(fc.nat(60), { maxLength: 3 }).map((sizes) => sizes.map((size, at) => fileOf(`${id}c${at}`, size + 1)));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text, contexts('t')), { maxLength: 12 }),
      text,
      contexts('q'),
      fc.option(text, { nil: undefined }),
      fc.integer({ min: 0, max: 4_000 }),
      (turns, question, ofQuestion, prompt, maxTokens) => {
        const all = turns.map(([asked, answer, ofTurn], at) => turnOf(`${at}`, asked, answer.trim(), ofTurn));
        const parts = partsOf(all, question, ofQuestion, prompt);
        const leftOut = proposedLeftOut(parts, maxTokens);
        const asked: Conversation = conversationOf({
          turns: [...all, { ...turnOf('q', question, ''), contexts: ofQuestion }],
        });
        const whole = withSystemPrompt(prompt, messagesFor(asked, 'q'));
        const messages = withSystemPrompt(prompt, messagesFor(asked, 'q', { leftOut }));
        const tokens = tokensOf(parts, leftOut);
        // Blanks where the parts of a message meet make a token of difference.
        const pieces = messages.length + ofQuestion.length;
        assert.ok(
          Math.abs(tokens - estimateRequest({ messages })) <= 2 * pieces,
          `${tokens} ${estimateRequest({ messages })}`,
        );
        const isEmpty = leftOut.turns.length === parts.turns.length && tokens > maxTokens;
        assert.ok(tokens <= maxTokens || isEmpty);
        assert.ok(messages.at(-1)?.content.startsWith(question.trim()));
        const first = prompt === undefined ? 0 : 1;
        const history = messages.slice(first, -1);
        assert.equal(history.length % 2, 0, 'questions with their answers');
        assert.deepEqual(history, whole.slice(first, -1).slice(-history.length || whole.length), 'the newest ones');
      },
    ),
  );
});
