import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationsJson, importConversations, maxImportSize } from '../../../../src/core/chat/conversationJson.ts';
import { conversationMarkdown, fileNameOf } from '../../../../src/core/chat/conversationMarkdown.ts';
import { readConversation } from '../../../../src/core/chat/conversationRecord.ts';
import { troubleOf } from '../../../../src/core/chat/trouble.ts';
import { context, conversationOf, replyOf } from './keptFixture.ts';

const { firstTextMs: _____, ...failed } = replyOf({
  state: 'failed',
  text: '',
  problem: { kind: 'rateLimited', retryAfterMs: 500, status: 429, words: 'slow *down*' },
  requestId: 'q-1',
});
const full = conversationOf({
  turns: [
    {
      id: 'r1',
      question: 'Why?\nSay it in one line.',
      contexts: [context],
      replies: [
        failed,
        replyOf({
          id: 'r2',
          requestId: 'q-2',
          reasoning: 'Hm, ``` let me\nsee',
          firstTokenMs: 50,
          firstTextMs: 900,
          echoedModel: 'gpt-5.1-0101',
          usage: { promptTokens: 1_200, completionTokens: 34, cachedTokens: 1_000, cost: 0.0021 },
        }),
      ],
    },
    {
      id: 'r3',
      question: 'And then?',
      contexts: [],
      replies: [replyOf({ id: 'r3', state: 'stopped', text: 'Like this:\n```ts\nconst a = 1;', finishReason: 'stop' })],
    },
  ],
  draft: { text: 'next one', contexts: [{ ...context, id: 'x2' }] },
});
/** Broken off with its program: there is no end, no time and no figure. */
const {
  finishReason: _,
  totalMs: __,
  firstTextMs: ___,
  ...openEnded
} = replyOf({
  id: 'r9',
  text: '',
  reasoning: 'only a thought',
  state: 'incomplete',
  problem: { kind: 'interrupted' },
});
const { title: ____, ...untitled } = conversationOf({
  id: 'c2',
  turns: [
    { id: 'r9', question: 'Q', contexts: [], replies: [openEnded] },
    { id: 'r10', question: 'Never sent on', contexts: [], replies: [] },
  ],
});

test('brings a conversation back from JSON as it was', () => {
  const imported = importConversations(conversationsJson([full, untitled]));
  assert.ok(imported.ok);
  assert.deepEqual(
    imported.conversations.map(({ id, title }) => [id, title]),
    [
      ['c1', 'Why?'],
      ['c2', 'Q'],
    ],
  );
  const back = imported.conversations.map(({ id, text }) => readConversation(id, text));
  assert.deepEqual(back, [
    { conversation: full, unreadLines: 0 },
    { conversation: untitled, unreadLines: 0 },
  ]);
  assert.equal(imported.conversations[0]?.changedAt, replyOf().startedAt + 2_100);
  // And once more, with nothing lost on the way.
  const again = conversationsJson(back.map(({ conversation }) => conversation));
  assert.deepEqual(JSON.parse(again), JSON.parse(conversationsJson([full, untitled])));
});

test('names what is wrong with a file that it does not take', () => {
  const reasonOf = (text: string) => {
    const imported = importConversations(text);
    return imported.ok ? 'taken' : imported.reason;
  };
  const changed = (change: (file: ReturnType<typeof plainFile>) => void) => {
    const file = plainFile();
    change(file);
    return reasonOf(JSON.stringify(file));
  };
  const plainFile = () => JSON.parse(conversationsJson([full]));
  assert.match(reasonOf('{"a":'), /^The file is no JSON: .+\.$/);
  for (const other of ['[]', 'null', '{}', '{"conversations":[]}', '{"format":"chatgpt","version":1}'])
    assert.equal(reasonOf(other), 'The file was not written by “Export as JSON” of Ask Model.');
  assert.match(
    changed((file) => (file.version = 2)),
    /has version 2 of the format and this Ask Model reads version 1\. Update/,
  );
  assert.match(
    changed((file) => delete file.conversations[0].turns[1].replies[0].model),
    /at conversations\.0\.turns\.1\.replies\.0\.model: /,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[0].contexts[0].text = 5)),
    /turns\.0\.contexts\.0\.text/,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[0].replies[0].problem.words = {})),
    /problem\.words/,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[0].replies[0].startedAt = 1e300)),
    /startedAt/,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[1].id = 'r1')),
    /“Why\?” has the id “r1” twice/,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[1].replies[0].id = 'r2')),
    /has the id “r2” twice/,
  );
  assert.match(reasonOf('x'.repeat(maxImportSize + 1)), /larger than 32 MB/);
  assert.deepEqual(importConversations(conversationsJson([])), { ok: true, conversations: [] });
});

test('takes a problem of any kind that a file may name, and has words for it', () => {
  for (const kind of ['certificate', 'proxy', 'redirected', 'timedOut', 'tooLarge', 'of a later version']) {
    const file = JSON.parse(conversationsJson([conversationOf()]));
    file.conversations[0].turns[0].replies[0] = { ...replyOf(), state: 'failed', problem: { kind, extra: { a: 1 } } };
    const imported = importConversations(JSON.stringify(file));
    assert.ok(imported.ok);
    const { conversation } = readConversation('c1', imported.conversations[0]?.text ?? '');
    const [reply] = conversation.turns[0]?.replies ?? [];
    assert.ok(reply);
    assert.ok(troubleOf(reply)?.title);
  }
});

test('writes a conversation for reading, with nothing that can pass for a part of the document', () => {
  assert.equal(
    conversationMarkdown(full),
    `# Why?

- Created: 2026-11-02 09:29 UTC
- Gateway: gateway.example
- Questions: 2

## Question 1

> Why?
> Say it in one line.

From \`src/area.py\`, lines 3–5:
\`\`\`\`python
def area(r):
    """\`\`\`not the end\`\`\`"""
    return PI * r * r
\`\`\`\`

### Answer 1 of 2 · gpt-5.1

*No text arrived.*

*2026-11-02 09:30 UTC · failed (rateLimited: slow \\*down\\*) · 2.1 s · usage not reported · first token 0.1 s · cost unknown*

### Answer 2 of 2 · gpt-5.1

Reasoning:

\`\`\`\`text
Hm, \`\`\` let me
see
\`\`\`\`

Because.

*2026-11-02 09:30 UTC · answered by gpt-5.1-0101 · complete · 2.1 s · 1,200 in (1,000 cached) · 34 out · first token 50 ms · 17 tok/s · cost 0.00210 as reported · request q-2*

## Question 2

> And then?

### Answer · gpt-5.1

Like this:
\`\`\`ts
const a = 1;
\`\`\`

*2026-11-02 09:30 UTC · stopped · 2.1 s · usage not reported · first token 0.1 s · cost unknown*

## Not sent

> next one

From \`src/area.py\`, lines 3–5:
\`\`\`\`python
def area(r):
    """\`\`\`not the end\`\`\`"""
    return PI * r * r
\`\`\`\`
`,
  );
});

test('closes only the code block that an answer leaves open', () => {
  const answerIn = (text: string) =>
    /### Answer[^\n]*\n\n([\s\S]*)\n\n\*2026/.exec(
      conversationMarkdown(
        conversationOf({ turns: [{ id: 't', question: 'q', contexts: [], replies: [replyOf({ text })] }] }),
      ),
    )?.[1];
  const cases: [string, string][] = [
    ['```\na\n```', ''],
    ['````\n```\na', '\n````'],
    ['~~~ts\n```', '\n~~~'],
    ['```a`b```\ntext', ''],
    ['    ```\nindented', ''],
    ['   ```\na\n``` not an end', '\n```'],
  ];
  for (const [text, closing] of cases)
    assert.equal(answerIn(`\n  \n${text}\n\n`), text + closing, JSON.stringify(text));
});

test('keeps a title in its line', () => {
  const head = conversationMarkdown(conversationOf({ title: 'a *b*\n# <img src=x> `c`' })).split('\n')[0];
  assert.equal(head, '# a \\*b\\* \\# \\<img src=x\\> \\`c\\`');
});

test('makes file names that every system takes', () => {
  const cases: [string, string][] = [
    ['Why? · area.py', 'Why-area-py'],
    ['../../etc/passwd', 'etc-passwd'],
    ['为什么 這麼慢?', '为什么-這麼慢'],
    ['***', 'conversation'],
    ['', 'conversation'],
    ['NUL', 'conversation-NUL'],
    ['x'.repeat(100), 'x'.repeat(60)],
  ];
  for (const [title, name] of cases) assert.equal(fileNameOf(title), name);
});
