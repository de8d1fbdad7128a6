import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, answerWith, withJoined } from '../../../../../src/core/chat/conversation/continued.ts';
import type { Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import { answerOf } from '../../../../../src/core/chat/conversation/messagesFor.ts';
import { sentMessages } from '../../../../../src/core/chat/conversation/requestDocument.ts';
import { troubleOf } from '../../../../../src/core/chat/conversation/trouble.ts';
import { asShown } from '../../../../../src/core/chat/conversation/withSecrets.ts';
import { conversationMarkdown, turnMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { findText } from '../../../../../src/core/chat/store/searchConversations.ts';
import { type Call, Scene } from '../sending/chatScene.ts';
import { reimported } from './storedFixture.ts';

const cut = { outcome: 'complete', finishReason: 'length' } as const;

/** An answer that was cut and continued, each part with the end that `ends` gives it. */
async function continued(...parts: readonly (readonly [text: string, end?: Parameters<Call['end']>[0]])[]) {
  const scene = new Scene();
  await scene.ask();
  for (const [at, [text, end = cut]] of parts.entries()) {
    if (at > 0) {
      const replyId = at === 1 ? 'a1' : `c${at - 1}`;
      const action = { turnId: 'a1', replyId, asking: 'Go on.' } as const;
      await scene.act({ id: `c${at}`, ...action, models: ['m'] });
    }
    if (text !== '') {
      scene.call().delta(text);
    }
    await scene.call().end(end);
  }
  await scene.chat.live.settled();
  return scene;
}

const turnOf = ({ chat }: Scene) => withJoined(chat.live.conversation.turns[0] ?? assert.fail());

test('joins the parts of a continued answer for the screen, the export, the search and the next request', async () => {
  const scene = await continued(['One tw'], ['o three fo'], ['ur.', { outcome: 'complete', finishReason: 'stop' }]);
  const { conversation } = scene.chat.live;
  assert.equal(conversation.turns.length, 1, 'no question is added');
  assert.deepEqual(
    conversation.turns[0]?.replies.map(({ text }) => text),
    ['One tw', 'o three fo', 'ur.'],
    'the record has each call',
  );
  const [answer, ...others] = turnOf(scene).replies;
  assert.deepEqual([answer?.id, answer?.text, others.length], ['c2', 'One two three four.', 0]);
  assert.equal(answer && troubleOf(answer), undefined);
  assert.equal(answerWith(turnOf(scene), 'a1')?.id, 'c2');
  assert.equal(asShown(conversation, scene.chat.live.masks).turns[0]?.replies[0]?.text, 'One two three four.');
  assert.match(
    conversationMarkdown(conversation),
    /### Answer · m\n\nOne two three four\.\n\n\*.*\*\n\n\*.*\*\n\n\*.*\*\n$/,
  );
  assert.match(turnMarkdown(turnOf(scene)), /^## Question 1\n\n> .+\n\n### Answer · m\n\nOne two three four\.\n/);
  assert.equal(findText('c1', scene.file, 'two three four')?.place, 'c2');
  await scene.ask('a2', 'And?');
  assert.deepEqual(
    scene
      .call()
      .request.messages.map(({ content }) => content)
      .slice(1),
    ['One two three four.', 'And?'],
  );
});

test('lists a source once that the gateway reports with each part, and marks numbers of several', async () => {
  const sources = (...names: string[]) => names.map((name) => ({ url: `https://${name}.example/` }));
  const scene = await continued(
    ['One[1] tw', { ...cut, sources: sources('a', 'b') }],
    ['o[1]', { ...cut, sources: sources('a', 'b', 'c') }],
  );
  assert.deepEqual(turnOf(scene).replies[0]?.sources, sources('a', 'b', 'c'));
  const other = await continued(
    ['One[1][2]', { ...cut, sources: sources('a', 'b') }],
    [' two[1].', { ...cut, sources: sources('c') }],
  );
  const [a, ...others] = sources('a', 'b', 'c');
  assert.deepEqual(turnOf(other).replies[0]?.sources, [{ ...a, isAmbiguous: true }, ...others]);
});

test('sends the text so far and asks to go on, which is also what Show Sent Request shows later', async () => {
  const scene = await continued(['One tw'], ['o three fo'], ['ur.']);
  const sent = scene.calls.map(({ request }) => request.messages.slice(1).map(({ content }) => content));
  assert.deepEqual(sent, [[], ['One tw', 'Go on.'], ['One two three fo', 'Go on.']]);
  assert.deepEqual(sentMessages('c1', scene.file, 'c1'), scene.calls[1]?.request.messages);
  assert.equal(reimported(scene.chat.live.conversation).turns.map(answerOf)[0]?.text, 'One two three four.');
});

test('keeps what there is of an answer and its Continue when continuing fails, is stopped or returns nothing', async () => {
  for (const end of [
    { outcome: 'failed', problem: { kind: 'server', status: 500 } },
    { outcome: 'failed', problem: { kind: 'empty' } },
    { outcome: 'stopped' },
    { outcome: 'complete', toolCalls: [{ name: 'f', arguments: '{}' }] },
  ] as unknown as Parameters<Call['end']>[0][]) {
    const scene = await continued(['One tw'], ['', end]);
    const [answer] = turnOf(scene).replies;
    assert.equal(answer?.text, 'One tw');
    const actions = (answer ? troubleOf(answer) : undefined)?.actions.map(({ action }) => action) ?? [];
    assert.ok(actions.includes('continue') && !actions.includes('sendAgain'), actions.join());
  }
});

test('goes on in the code block that was cut, or closes it, in whatever pieces the rest arrives (hasamba/DFIR-Companion#188)', () => {
  for (const [before, rest, whole] of [
    ['a wo', 'rd', 'a word'],
    ['```ts\nlet a', ' = 1;\n```\nDone.', '```ts\nlet a = 1;\n```\nDone.'],
    ['```ts\nlet a', '```ts\n = 1;\n```\nDone.', '```ts\nlet a = 1;\n```\nDone.'],
    ['```ts\nf();\n  let a', '\n```ts\n  let a = 1;\n```\n', '```ts\nf();\n  let a = 1;\n```\n'],
    ['```ts\nf();\n', '```typescript\ng();\n```\n', '```ts\nf();\ng();\n```\n'],
    ['```ts', '```ts\ng();\n```\n', '```ts\ng();\n```\n'],
    ['```ts\nf();\n', '```\nDone.', '```ts\nf();\n```\nDone.'],
    [
      '```json\n{ "a": "known cloud',
      '```\n provider" }\n```\nDone.',
      '```json\n{ "a": "known cloud provider" }\n```\nDone.',
    ],
    ['```ts\nf();', '```\n\nDone.', '```ts\nf();\n```\n\nDone.'],
    ['```ts\nf();', '```\nDone.', '```ts\nf();\n```\nDone.'],
    ['```ts\nf();', '\n```\n\nDone.', '```ts\nf();\n```\n\nDone.'],
    ['```ts\nf();', '```', '```ts\nf();\n```'],
    // A fence after a line break is no second one.
    ['```ts\nf();', '\n```\nnow it works.', '```ts\nf();\n```\nnow it works.'],
    ['````md\nInstall:', '\n\n```\nnpm i\n```\n````', '````md\nInstall:\n\n```\nnpm i\n```\n````'],
    ['~~~py\nf()\n', '~~~py\ng()\n~~~\n', '~~~py\nf()\ng()\n~~~\n'],
    ['Text.\n', '```ts\ng();\n```\n', 'Text.\n```ts\ng();\n```\n'],
  ] as const) {
    const part = (text: string, state: Reply['state']) =>
      before + added({ text: before, reasoning: '' }, { text, reasoning: '', state }).text;
    assert.equal(part(rest, 'complete'), whole);
    for (let length = 0; length <= rest.length; length++) {
      const shown = part(rest.slice(0, length), 'streaming');
      assert.ok(whole.startsWith(shown), JSON.stringify([shown, whole]));
    }
  }
});
