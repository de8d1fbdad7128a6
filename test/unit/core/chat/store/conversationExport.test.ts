import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { troubleOf } from '../../../../../src/core/chat/conversation/trouble.ts';
import { MaskedDraft } from '../../../../../src/core/chat/masking/maskedDraft.ts';
import { conversationsJson, importConversations } from '../../../../../src/core/chat/store/conversationJson.ts';
import { conversationMarkdown, fileNameOf } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { readPictures } from '../../../../../src/core/chat/store/conversationStore.ts';
import { everyKind } from '../../errors/everyKind.ts';
import { context, conversationOf, replyOf } from '../conversation/storedFixture.ts';

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
          leftOut: { turns: [], contexts: [{ id: 'x1' }] },
          reasoning: 'Hm, ``` let me\nsee',
          firstTokenMs: 50,
          firstTextMs: 900,
          echoedModel: 'gpt-5.1-0101',
          sources: [{ url: 'https://docs.example.org/a_b', title: 'The *limits*' }, { url: 'A book' }],
          usage: { promptTokens: 1_200, completionTokens: 34, cachedTokens: 1_000, cost: 0.0021 },
        }),
      ],
    },
    {
      id: 'r3',
      question: 'And then?',
      contexts: [],
      replies: [
        replyOf({
          id: 'r3',
          state: 'stopped',
          text: 'Like this:\n```ts\nconst a = 1;',
          finishReason: 'stop',
          leftOut: { turns: ['r1'], contexts: [] },
        }),
      ],
    },
  ],
  draft: { text: 'next one', contexts: [{ ...context, id: 'x2' }] },
});
/** A reply that was interrupted because the window closed: it has no end, no total time and no usage. */
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

test('imports a conversation from JSON without loss', () => {
  const json = conversationsJson([full, untitled]);
  const imported = importConversations(json);
  assert.ok(typeof imported !== 'string');
  assert.deepEqual(importConversations(json, new MaskedDraft('k3f9x2a8b7c6')), imported);
  const back = imported.map(({ text }, index) => readConversation(`c${index + 1}`, text));
  assert.deepEqual(back, [
    { conversation: full, unreadLines: 0 },
    { conversation: untitled, unreadLines: 0 },
  ]);
  assert.equal(imported[0]?.changedAt, replyOf().startedAt + 2_100);
  // A second export loses nothing either.
  const again = conversationsJson(back.map(({ conversation }) => conversation));
  assert.deepEqual(JSON.parse(again), JSON.parse(conversationsJson([full, untitled])));
});

test('masks secrets in all of an imported conversation that a later question sends', () => {
  const password = 'Kz82mQx1';
  const text = `DB_PASSWORD=${password}\n`;
  const contexts = [
    { ...context, path: 'app/.env', text: 'SESSION=9fKx27Qm4TzLw81VbNc3\n' },
    { ...context, id: 'k9', kind: 'terminal', path: '', name: `deploy --password ${password}`, text },
  ];
  const replies = [replyOf({ text: `Use ${text}`, reasoning: text, systemPrompt: text, options: { password } })];
  const turns = [{ id: 't', question: `Why does ${text} fail?`, contexts, replies }];
  const draft = { text, contexts };
  const secret = conversationOf({ title: text, systemPrompt: text, turns, draft });
  const masked = new MaskedDraft('k3f9x2a8b7c6');
  const imported = importConversations(conversationsJson([secret]), masked);
  assert.ok(typeof imported !== 'string');
  const [first] = imported;
  assert.doesNotMatch(first?.text ?? '', /Kz82mQx1|9fKx27Qm4TzLw81VbNc3/);
  assert.equal(masked.masks.size, 2);
  // Nothing else is lost.
  const asIs = importConversations(conversationsJson([secret]));
  assert.ok(typeof asIs !== 'string');
  assert.deepEqual(masked.masks.restore(first?.text ?? ''), asIs[0]?.text);
});

const picture = { name: '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png', base64: 'iVBORw0KGgo=' };
const drawn = conversationOf({
  turns: [
    {
      id: 'r1',
      question: 'Draw it',
      contexts: [],
      replies: [replyOf({ text: `![A "chart"](picture:${picture.name})\n\n![](picture:${picture.name})` })],
    },
  ],
});

test('exports the pictures of answers with a conversation, and imports them', async () => {
  const store = {
    readPicture: async (id: string, name: string) =>
      id === drawn.id && name === picture.name ? picture.base64 : undefined,
  };
  const pictures = await readPictures(store, [drawn, full]);
  const imported = importConversations(conversationsJson([drawn, full], pictures));
  assert.ok(typeof imported !== 'string');
  assert.deepEqual(
    imported.map((each) => each.pictures),
    [[picture], []],
  );
  const wrong = conversationsJson([drawn], new Map([[picture.name, '<svg/>']]));
  assert.match(JSON.stringify(importConversations(wrong)), /doesn't match the format at pictures/);
  const foreign = conversationsJson([drawn], new Map([['../../a.png', picture.base64]]));
  assert.deepEqual(importConversations(foreign), importConversations(conversationsJson([drawn])));
  const markdown = conversationMarkdown(drawn, pictures);
  assert.match(markdown, /\n\n!\[A "chart"\]\[3d6f[^\n]+\.png\]\n\n!\[Picture\]\[3d6f/);
  assert.match(conversationMarkdown(drawn), /\n\n\[A "chart"\]\n\n\[Picture\]\n/, 'it is gone');
  assert.ok(markdown.endsWith(`\n\n[${picture.name}]: data:image/png;base64,${picture.base64}\n`));
});

test('returns what is wrong with a file that can’t be imported', () => {
  const reasonOf = (text: string) => {
    const imported = importConversations(text);
    return typeof imported === 'string' ? imported : 'taken';
  };
  const changed = (change: (file: ReturnType<typeof plainFile>) => void) => {
    const file = plainFile();
    change(file);
    return reasonOf(JSON.stringify(file));
  };
  const plainFile = () => JSON.parse(conversationsJson([full]));
  assert.match(reasonOf('{"a":'), /^The file isn't valid JSON: .+\.$/);
  for (const other of ['[]', 'null', '{}', '{"conversations":[]}', '{"format":"chatgpt","version":1}']) {
    assert.match(reasonOf(other), /isn't a JSON export that this version/);
  }
  assert.match(
    changed((file) => (file.version = 2)),
    /isn't a JSON export that this version/,
  );
  assert.match(
    changed((file) => delete file.conversations[0].turns[1].replies[0].model),
    /at reply\.model: /,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[0].contexts[0].text = 5)),
    /turn\.contexts\.0\.text/,
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
    /"Why\?" contains the ID "r1" twice/,
  );
  assert.match(
    changed((file) => (file.conversations[0].turns[1].replies[0].id = 'r2')),
    /contains the ID "r2" twice/,
  );
  assert.deepEqual(importConversations(conversationsJson([])), []);
});

const withProblem = (problem: unknown) => {
  const file = JSON.parse(conversationsJson([conversationOf()]));
  file.conversations[0].turns[0].replies[0] = { ...replyOf(), state: 'failed', problem };
  return importConversations(JSON.stringify(file));
};

test('imports a problem of every kind with all its fields, and a kind of a later version', () => {
  for (const problem of [
    ...Object.values(everyKind),
    { kind: 'certificate', detail: 'x', names: ['a'], words: 'w', status: 502, later: { a: 1 } },
    { kind: 'of a later version', extra: { a: 1 } },
  ]) {
    const imported = withProblem(problem);
    assert.ok(typeof imported !== 'string', JSON.stringify([problem, imported]));
    const { conversation } = readConversation('c1', imported[0]?.text ?? '');
    const [reply] = conversation.turns[0]?.replies ?? [];
    assert.deepEqual(reply?.problem, problem);
    assert.ok(troubleOf(reply)?.title);
  }
});

test('exports Markdown in which no text can pass for a part of the document', () => {
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

*No text was received.*

*2026-11-02 09:30 UTC · failed (rateLimited: slow \\*down\\*) · 2.1 s · first token 0.1 s · finish reason stop · request q-1*

### Answer 2 of 2 · gpt-5.1

Reasoning:

\`\`\`\`text
Hm, \`\`\` let me
see
\`\`\`\`

Because.

Sources:

1. The \\*limits\\*: <https://docs.example.org/a_b>
2. A book

*Left out: area.py*

*2026-11-02 09:30 UTC · answered by gpt-5.1-0101 · complete · cost $0.0021 (reported) · 1,200 in (1,000 cached) · 34 out · 2.1 s · first token 50 ms · 17 tok/s · finish reason stop · request q-2*

## Question 2

> And then?

### Answer · gpt-5.1

Like this:
\`\`\`ts
const a = 1;
\`\`\`

*Left out: 1 earlier question*

*2026-11-02 09:30 UTC · stopped · cost unknown · usage not reported · 2.1 s · first token 0.1 s · finish reason stop*

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
  for (const [text, closing] of cases) {
    assert.equal(answerIn(`\n  \n${text}\n\n`), text + closing, JSON.stringify(text));
  }
});

test('keeps a title on one line', () => {
  const head = conversationMarkdown(conversationOf({ title: 'a *b*\n# <img src=x> `c`' })).split('\n')[0];
  assert.equal(head, '# a \\*b\\* \\# \\<img src=x\\> \\`c\\`');
});

test('makes file names of letters, digits and dashes', () => {
  const cases: [string, string][] = [
    ['Why? · area.py', 'Why-area-py'],
    ['../../etc/passwd', 'etc-passwd'],
    ['为什么 這麼慢?', '为什么-這麼慢'],
    ['***', 'conversation'],
    ['', 'conversation'],
    ['x'.repeat(100), 'x'.repeat(60)],
  ];
  for (const [title, name] of cases) {
    assert.equal(fileNameOf(title), name);
  }
});

test('a cost of an unknown form loses no answer', () => {
  const file = JSON.parse(conversationsJson([conversationOf()]));
  const [reply] = file.conversations[0].turns[0].replies;
  for (const cost of [
    { amount: null, unit: 'USD', source: 'listed' },
    { amount: 1, unit: 'USD', source: 'later' },
    5,
  ]) {
    reply.cost = cost;
    const imported = importConversations(JSON.stringify(file));
    assert.ok(typeof imported !== 'string');
    const { conversation, unreadLines } = readConversation('c1', imported[0]?.text ?? '');
    assert.deepEqual([conversation.turns[0]?.replies, unreadLines], [[replyOf()], 0]);
  }
});
