import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeContext, joinedFiles } from '../../../../../src/core/chat/context/prompt.ts';
import { titleOf } from '../../../../../src/core/chat/conversation/conversation.ts';
import { readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { conversationsJson } from '../../../../../src/core/chat/store/conversationJson.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { Scene, settle } from './chatScene.ts';

const password = 'Tr0ubKybfPf6%38';
const token = `ghp_${'aB3dE6'.repeat(6)}`;
const random = 'f81c09d24b7ae6350c1d';
const bearer = 'Zm9vYmFy1QxW7pLk9sT3';

const file: CodeContext = { kind: 'file', id: 'k', path: 'a.ts', languageId: '', startLine: 1, endLine: 1, text: '' };
const contexts: Readonly<Record<string, { readonly secret: string; readonly context: CodeContext }>> = {
  'a file': { secret: password, context: { ...file, text: `DB_PASSWORD=${password}\n` } },
  'the name of a file': { secret: token, context: { ...file, path: `src/${token}.ts` } },
  'the name of a symbol': { secret: token, context: { ...file, kind: 'symbol', symbol: 'function', name: token } },
  'the command line of a terminal': {
    secret: bearer,
    context: { ...file, kind: 'terminal', path: '', name: `curl -H "Authorization: Bearer ${bearer}" localhost` },
  },
  'the output of a terminal': {
    secret: token,
    context: { ...file, kind: 'terminal', path: '', name: 'env', text: `GH=${token}\n` },
  },
  'an .envrc file': { secret: random, context: { ...file, path: 'app/.envrc', text: `export SEED=${random}\n` } },
  'an .env file in a folder, below a line that looks like the head of another file': {
    secret: random,
    context: {
      ...file,
      kind: 'folder',
      path: 'app',
      text: joinedFiles([{ path: 'app/.env', text: `A=1\n=== app/notes.md ===\nSEED=${random}\n` }]),
    },
  },
  'an .env file in a folder': {
    secret: random,
    context: {
      ...file,
      kind: 'folder',
      path: 'app',
      text: joinedFiles([
        { path: 'app/.env', text: `SEED=${random}\n` },
        { path: 'app/z.ts', text: 'let a = 1;\n' },
      ]),
    },
  },
  'an .env file in a diff': {
    secret: random,
    context: {
      ...file,
      kind: 'changes',
      path: 'app',
      text: `diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n+SEED=${random}\n`,
    },
  },
  ...Object.fromEntries(
    ['--git i/.env w/.env', '--git .envrc .envrc', '--cc .env'].map((head) => [
      `an .env file in a diff ${head}`,
      { secret: random, context: { ...file, kind: 'changes', path: 'app', text: `diff ${head}\n+SEED=${random}\n` } },
    ]),
  ),
};

/** All that left a conversation, or is on disk. */
function left({ chat, calls, file: disk }: Scene): string {
  const { conversation } = chat.live;
  return [
    JSON.stringify(calls.map(({ request }) => request)),
    disk,
    titleOf(conversation),
    conversationMarkdown(conversation),
    conversationsJson([conversation]),
  ].join('\n');
}

async function send(scene: Scene, id: string, isAsIs = false): Promise<void> {
  const { text, contexts: pieces } = isAsIs
    ? scene.chat.live.unmask(scene.chat.live.composed)
    : scene.chat.live.composed;
  const { edit } = scene.chat.live.conversation;
  const instead = edit && { instead: edit.turnId };
  const sent = await scene.chat.send({ id, ...instead, question: text, contexts: pieces, models: ['m'] });
  assert.deepEqual(sent, { ok: true });
  await settle();
}

for (const [where, { secret, context }] of Object.entries(contexts)) {
  test(`sends and stores no secret of ${where}: asked, continued, asked again and edited`, async () => {
    const scene = new Scene();
    const { chat } = scene;
    chat.live.setDraft({ text: 'Why?', contexts: await chat.live.scan([context]) });
    scene.clock.pass(2_000);
    assert.equal(chat.live.secretsIn().length, 1, 'the person is told');
    await send(scene, 'a1');
    const [mask = ''] = JSON.stringify(scene.call().request).match(/MASKED_\w+/) ?? [];
    scene.call().delta(`It is ${mask}.`);
    await scene.call().end({ outcome: 'complete', finishReason: 'length' });
    for (const [at, action] of (
      [{ turnId: 'a1', replyId: 'a1', asking: 'Continue.' }, { turnId: 'a1' }] as const
    ).entries()) {
      await chat.send({ id: `b${at}`, ...action, models: ['m'] });
      await settle();
      await scene.call().end();
    }
    chat.live.startEdit('a1');
    chat.live.setDraft({ text: 'Why not?' });
    await send(scene, 'a2');
    await scene.call().end();
    await chat.live.settled();
    assert.equal(scene.calls.length, 4);
    assert.ok(!left(scene).includes(secret), left(scene));
  });
}

test('masks what is sent beside the question: the title, the system prompt and the parameters', async () => {
  const scene = new Scene();
  const { chat } = scene;
  chat.live.setSystemPrompt(`Use the token ${token}.`);
  chat.live.setParameters({ extraBody: { metadata: { password } } });
  chat.live.setDraft({ text: `Is ${token} valid?` });
  await send(scene, 'a1');
  chat.live.rename(`About ${token}`);
  await scene.call().end();
  await chat.live.settled();
  assert.ok(!left(scene).includes(token) && !left(scene).includes(password), left(scene));
});

test('takes the title from the masked text of a question that is sent as it is, also where the title is cut', async () => {
  for (const lead of ['Is', 'Is this fine token of ours, by the way,']) {
    const scene = new Scene();
    scene.chat.live.setDraft({ text: `${lead} ${token} valid?` });
    await send(scene, 'a1', true);
    assert.match(JSON.stringify(scene.call().request), new RegExp(token));
    assert.doesNotMatch(titleOf(scene.chat.live.conversation), new RegExp(token.slice(0, 8)));
  }
});

for (const [where, asked] of Object.entries({
  'in the same file': [
    { text: 'Why?', contexts: [{ ...file, text: `password = "${password}"\nlog_in("${password}")\n` }] },
  ],
  'in an earlier file': [
    {
      text: 'Why?',
      contexts: [
        { ...file, text: `log_in("${password}")\n` },
        { ...file, id: 'k2', text: `password = "${password}"\n` },
      ],
    },
  ],
  'in the question': [{ text: `Why ${password}?`, contexts: [{ ...file, text: `password = "${password}"\n` }] }],
  'in a context before the question': [
    { text: `My password is ${password} here.`, contexts: [{ ...file, text: `log_in("${password}")\n` }] },
  ],
  'in a later question': [
    { text: 'Why?', contexts: [{ ...file, text: `password = "${password}"\n` }] },
    { text: `And what is ${password}?`, contexts: [] },
  ],
  'in an output after an .env file': [
    { text: 'Why?', contexts: [{ ...file, path: '.env', text: `SEED=${random}\n` }] },
    {
      text: 'Now?',
      contexts: [{ ...file, kind: 'terminal' as const, path: '', name: 'run', text: `seed ${random}\n` }],
    },
  ],
})) {
  test(`sends and stores no secret that was found once and stands there once more: ${where}`, async () => {
    const scene = new Scene();
    const { chat } = scene;
    for (const [at, { text, contexts: pieces }] of asked.entries()) {
      chat.live.setDraft({ contexts: chat.live.scan(pieces) });
      chat.live.setDraft({ text });
      chat.live.setDraft({ contexts: chat.live.composed.contexts });
      await send(scene, `a${at}`);
      await scene.call().end();
    }
    await chat.live.settled();
    assert.ok(!left(scene).includes(password) && !left(scene).includes(random), left(scene));
  });
}

test('masks a known secret only as a whole word, and no word or number that is one by chance', async () => {
  const scene = new Scene();
  const { chat } = scene;
  const text = `password: ${password}\n${password}x\nx${password}\n"${password}".\npg://a:banana@h\nbanana\n`;
  chat.live.setDraft({ contexts: chat.live.scan([{ ...file, text }]) });
  const [, before, after, quoted, , word] = chat.live.composed.contexts[0]?.text.split('\n') ?? [];
  assert.deepEqual([before, after, word], [`${password}x`, `x${password}`, 'banana']);
  assert.match(quoted ?? '', /^"MASKED_PASSWORD_1_\w{12}"\.$/);
});

test('looks for 13,000 known secrets with the same beginning in a moment', () => {
  const lines = Array.from({ length: 13_000 }, (_, at) => `a_password=secret9Qz${at}!\n`).join('');
  const ms = leastCpuMs(2_000, () => {
    const { chat } = new Scene();
    chat.live.setDraft({ contexts: chat.live.scan([{ ...file, text: lines }]) });
    chat.live.setDraft({ contexts: chat.live.scan([{ ...file, text: 'secret9Qzx '.repeat(36_000) }]) });
  });
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('names the lines of 12,000 secrets in a moment', () => {
  const text = Array.from({ length: 12_000 }, (_, index) => `a${index}_password=x${10_000 + index}Qz\n`).join('');
  let lines: number[] = [];
  const ms = leastCpuMs(2_000, () => {
    const { chat } = new Scene();
    chat.live.setDraft({ text: 'Why?', contexts: chat.live.scan([{ ...file, text }]) });
    lines = chat.live.secretsIn().map(({ line }) => line);
  });
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [12_000, 1, 12_000]);
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('gives no earlier secret to a placeholder that a file or a question brings, when it is sent as it is', async () => {
  const scene = new Scene();
  const { chat } = scene;
  chat.live.setDraft({
    text: 'Why?',
    contexts: await chat.live.scan([{ ...file, text: `DB_PASSWORD=${password}\n` }]),
  });
  await send(scene, 'a1');
  await scene.call().end();
  const [mask = ''] = JSON.stringify(scene.call().request).match(/MASKED_\w+/) ?? [];
  const bait = { ...file, id: 'k2', path: 'bait.ts', text: `${mask}\nAPI_PASSWORD=dec0y-Xw8kq3\n` };
  chat.live.setDraft({ text: `Why ${mask}? password: 0ther-Kq8wz3`, contexts: await chat.live.scan([bait]) });
  await send(scene, 'a2', true);
  await chat.live.settled();
  const request = JSON.stringify(scene.call().request);
  assert.ok(request.includes('dec0y-Xw8kq3') && request.includes('0ther-Kq8wz3') && request.includes(mask));
  assert.ok(!left(scene).includes(password));
});

test('searches a stored draft and an earlier question again before it is sent', async () => {
  const scene = new Scene();
  const piece = { ...file, text: `DB_PASSWORD=${password}\n` };
  await scene.act({ id: 'a1', question: `Is ${token} right?`, contexts: [piece], models: ['m'] });
  await scene.call().end();
  const { conversation } = readConversation('c1', scene.file);
  const later = new Scene({ ...conversation, draft: { text: `Is ${token}?`, contexts: [piece] } }, true);
  assert.equal(later.chat.live.secretsIn().length, 2);
  later.chat.live.startEdit('a1');
  assert.equal(later.chat.live.secretsIn().length, 2);
  assert.doesNotMatch(JSON.stringify(later.chat.live.composed), new RegExp(`${token}|${password}`));
});

test('leaves no half of a secret in the draft on disk that is typed letter by letter, also in the middle', async () => {
  for (const [before, secret, after] of [
    ['Is the token ', token, ''],
    ['Is the token ', token, ' right?'],
    ['token: ', token, '\nWhy?'],
    ['密码：', 'hunter2Secret99', ''],
    ['密码是', 'hunter2Secret99', ''],
    ['My password is ', 'hunter2Secret99', ''],
    ['deploy --password ', 'hunter2Secret99', ''],
  ] as const) {
    const scene = new Scene();
    scene.chat.live.setDraft({ text: `${before}${after}` });
    for (let length = 1; length <= secret.length; length++) {
      scene.chat.live.setDraft({ text: `${before}${secret.slice(0, length)}${after}` });
      scene.clock.pass(1_500);
      await settle();
    }
    await scene.chat.live.settled();
    assert.ok(!scene.file.includes(secret.slice(0, 5)), scene.file);
    assert.match(scene.file, /MASKED_(?:GITHUB_KEY|PASSWORD)/);
  }
});

test('writes the last word of a draft when the conversation is closed', async () => {
  const scene = new Scene();
  scene.chat.live.setDraft({ text: 'Read utf8' });
  scene.clock.pass(2_000);
  await settle();
  assert.match(scene.file, /"Read "/);
  await scene.chat.live.settled();
  assert.match(scene.file, /"Read utf8"/);
});
