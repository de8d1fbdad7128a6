import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeContext } from '../../../../src/core/chat/context/prompt.ts';
import type { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { conversationMarkdown } from '../../../../src/core/chat/store/conversationMarkdown.ts';
import { hasKey, onlyFile, secretsText } from '../../../../src/editor/sending/questionSecrets.ts';
import { type Scene, settle } from '../../core/chat/sending/chatScene.ts';
import { ShownPage } from './shownPage.ts';

const secret = 'Tr0ubKybfPf6%38';
const key = `ghp_${'aB3dE6'.repeat(6)}`;
const envFile: CodeContext = {
  kind: 'file',
  id: 'k1',
  path: 'app/.env.local',
  languageId: 'dotenv',
  startLine: 1,
  endLine: 3,
  text: `PORT=3000\nHOST=db\nDB_PASSWORD=${secret}\n`,
};

/** What the person is told of the secrets in the composer. */
function told({ live }: Chat) {
  const secrets = live.secretsIn();
  return { text: secretsText(secrets), isOneFile: onlyFile(secrets) !== undefined, canSendAsIs: !hasKey(secrets) };
}

/** A panel that shows one reply. */
class Page extends ShownPage {
  constructor(scene?: Scene) {
    super(scene);
    this.updates.begin();
  }

  /** Adds context, types and sends. */
  async send(text: string, contexts: readonly CodeContext[]): Promise<void> {
    const { chat } = this.scene;
    chat.live.setDraft({ contexts });
    chat.live.setDraft({ text });
    const { composed } = chat.live;
    const asked = { id: 'a1', question: composed.text, contexts: composed.contexts, models: ['m'] } as const;
    assert.deepEqual(await chat.send(asked), { ok: true });
    await settle();
  }
}

test('masks a secret in the draft, the file, the request and the title, and restores it in the answer', async () => {
  const page = new Page();
  const { chat } = page.scene;
  await page.send(`Is ${key} still valid?`, [envFile]);
  const request = JSON.stringify(page.scene.call().request);
  assert.match(request, /DB_PASSWORD=MASKED_PASSWORD_1_k3f9x2a8b7c6/);
  assert.match(request, /Is MASKED_GITHUB_KEY_2_k3f9x2a8b7c6 still valid\?/);
  page.scene.call().delta('The password MASKED_PASS', 'MASKED_GITHUB_KEY_2_k3f9x2a8b7c6?');
  page.scene.call().delta('WORD_1_k3f9x2a8b7c6, MASKED_PASSWORD_7_k3f9x2a8b7c6, MASKED_PASSWORD_');
  await page.scene.call().end();
  await chat.live.settled();
  assert.equal(page.reply?.text, `The password ${secret}, MASKED_PASSWORD_7_k3f9x2a8b7c6, MASKED_PASSWORD_`);
  assert.equal(page.reply?.reasoning, `${key}?`);
  const exported = conversationMarkdown(chat.live.conversation);
  assert.match(exported, /MASKED_PASSWORD_1_k3f9x2a8b7c6/);
  for (const text of [page.scene.file, request, JSON.stringify(chat.live.conversation), exported]) {
    assert.ok(!text.includes(secret) && !text.includes(key));
  }
});

test('says what was found where, and keeps what was typed', () => {
  const page = new Page();
  const { chat } = page.scene;
  chat.live.setDraft({ contexts: [{ ...envFile, uri: 'file:///app/.env.local' }] });
  const text = '.env.local, line 3 looks like a password.';
  assert.deepEqual(told(chat), { text, isOneFile: true, canSendAsIs: true });
  chat.live.setDraft({ contexts: [], text: `One\ntoken: ${key}` });
  page.updates.composer();
  const typed = 'Line 2 of your question looks like a key of GitHub.';
  assert.deepEqual(told(chat), { text: typed, isOneFile: false, canSendAsIs: true });
  assert.equal(page.composer?.draft, `One\ntoken: ${key}`);
  assert.equal(chat.live.composed.text, 'One\ntoken: MASKED_GITHUB_KEY_2_k3f9x2a8b7c6');
  chat.live.setDraft({ text: 'One' });
  assert.equal(told(chat).text, '');
});

test('names no line in a folder, and does not offer to leave a folder unsearched', () => {
  const { chat } = new Page().scene;
  chat.live.setDraft({ contexts: [{ ...envFile, kind: 'folder', path: 'app/config' }] });
  assert.deepEqual(told(chat), { text: 'config seems to contain a password.', isOneFile: false, canSendAsIs: true });
});

test('looks for no more secrets in one file, by its place: another file with the same name stays masked', async () => {
  const { scene } = new Page();
  const { chat, unscanned } = scene;
  const own = { ...envFile, path: '.env', uri: 'file:///home/me/shop/.env' };
  const other = { ...own, id: 'k2', uri: 'file:///home/me/elsewhere/.env', text: 'DB_PASSWORD=Xq8LmN2pRt5vWz\n' };
  chat.live.setDraft({ contexts: [own] });
  assert.equal(onlyFile(chat.live.secretsIn()), own.uri);
  unscanned.add(own.uri);
  chat.live.maskAgain();
  assert.deepEqual(
    chat.live.composed.contexts.map(({ text }) => text),
    [envFile.text],
  );
  chat.live.setDraft({ contexts: [own, other], text: 'Why?' });
  await chat.live.settled();
  assert.deepEqual(
    chat.live.secretsIn().map(({ uri }) => uri),
    [other.uri],
  );
  assert.ok(scene.file.includes(secret) && !scene.file.includes('Xq8LmN2pRt5vWz'));
  assert.ok(!scene.file.includes('file:///'));
});

test('says that a secret in the system prompt is masked', async () => {
  const page = new Page();
  const { chat } = page.scene;
  chat.live.setSystemPrompt('Answer in English.');
  page.updates.composer();
  assert.equal(page.composer?.systemPrompt?.detail, 'this conversation · 5 tok');
  chat.live.setSystemPrompt(`The database has DB_PASSWORD=${secret}`);
  page.updates.composer();
  assert.match(page.composer?.systemPrompt?.detail ?? '', /· secrets masked$/);
  assert.ok(!page.composer?.systemPrompt?.hint.includes(secret));
});

const stored = 'Zk7qPw2vTn9rXb4mLc8d';

test('always replaces the key of a connection, never restores it, and does not offer to send it', async () => {
  const page = new Page();
  const { chat, keys } = page.scene;
  keys.add(stored);
  const settings = { ...envFile, id: 'k2', path: 'settings.py', text: `HOST = "db"\nGATEWAY = "${stored}"\n` };
  chat.live.setDraft({ contexts: [settings] });
  const text = 'settings.py, line 2 looks like the key of a connection. The key of a connection is never sent.';
  assert.deepEqual(told(chat), { text, isOneFile: false, canSendAsIs: false });
  chat.live.setSystemPrompt(`The key is ${stored}.`);
  await page.send(`Is ${stored} right?`, [settings, envFile]);
  assert.deepEqual(
    page.scene.call().request.messages.map(({ content }) => String(content).match(/REMOVED_CONNECTION_KEY/g)?.length),
    [1, 2],
  );
  page.scene.call().delta('No, REMOVED_CONNECTION_KEY is wrong.');
  await page.scene.call().end();
  await chat.live.settled();
  assert.equal(page.reply?.text, 'No, REMOVED_CONNECTION_KEY is wrong.');
  assert.ok(!page.scene.file.includes(stored));
  assert.equal(chat.live.unmask(chat.live.mask({ text: stored, contexts: [] })).text, 'REMOVED_CONNECTION_KEY');
});

test('replaces the key of a connection in turns that are older than the connection', async () => {
  const page = new Page();
  const { chat, keys } = page.scene;
  await page.send(`Is ${stored} right?`, []);
  await page.scene.answer('Yes.');
  chat.live.setDraft({ text: `password: "${stored}"` });
  keys.add(stored);
  page.updates.composer();
  assert.equal(page.composer?.draft, 'password: "REMOVED_CONNECTION_KEY"');
  await chat.send({ id: 'a2', question: 'Why?', contexts: [], models: ['m'] });
  await settle();
  assert.ok(!JSON.stringify(page.scene.call().request).includes(stored));
});

test('marks the chip of the context that has a secret', () => {
  const page = new Page();
  page.scene.chat.live.setDraft({ contexts: [envFile, { ...envFile, id: 'k3', path: 'plain.txt', text: 'Nothing.' }] });
  page.updates.composer();
  assert.deepEqual(
    page.composer?.chips.map(({ label, warning }) => [label, warning]),
    [
      ['app/.env.local', 'Contains what looks like a secret'],
      ['plain.txt', undefined],
    ],
  );
});

test('still says what is in the draft after the answer was continued or the question was edited', async () => {
  const page = new Page();
  const { chat } = page.scene;
  await page.send('Why?', []);
  page.scene.call().delta('Because');
  await page.scene.call().end({ outcome: 'complete', finishReason: 'length' });
  chat.live.setDraft({ contexts: [envFile], text: `token: ${key}` });
  const before = told(chat);
  assert.equal(before.text, '2 places look like secrets. The first: .env.local, line 3, a password.');
  await chat.send({ id: 'a2', turnId: 'a1', replyId: 'a1', asking: 'Continue.', models: ['m'] });
  await settle();
  assert.doesNotMatch(JSON.stringify(page.scene.call().request), /MASKED|ghp_/);
  await page.scene.call().end();
  page.updates.composer();
  assert.deepEqual(told(chat), before);
  assert.equal(page.composer?.draft, `token: ${key}`);
});

test('says what is in an earlier question as soon as it is edited', async () => {
  const page = new Page();
  const { chat } = page.scene;
  await page.send(`Is ${key} right?`, [envFile]);
  await page.scene.answer('Yes.');
  chat.live.startEdit('a1');
  assert.equal(page.composer?.draft, `Is ${key} right?`);
  assert.equal(told(chat).text, '2 places look like secrets. The first: .env.local, line 3, a password.');
  chat.live.setDraft({ text: 'Why?' });
  chat.live.cancelEdit();
  chat.live.startEdit('a1');
  assert.equal(page.composer?.draft, `Is ${key} right?`);
});
