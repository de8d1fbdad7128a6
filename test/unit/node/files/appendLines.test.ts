import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { emptyConversation, readConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { diskReason, markedAppend, unsavedEnds } from '../../../../src/core/chat/store/unsavedText.ts';
import { appendLines } from '../../../../src/node/files/appendLines.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { systemClock as clock } from '../../../../src/node/system/systemClock.ts';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ask-model-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function appender(context: TestContext, ...args: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'appendingProcess.ts'), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

test('begins each time on a line of its own, also behind what another process left half written since', async (context) => {
  const path = join(await folderFor(context), 'a');
  await appendLines(path, 'one\ntwo\n', true);
  await appendLines(path, 'three\n', false);
  await writeFile(path, 'half', { flag: 'a' });
  await appendLines(path, 'four\n', false);
  await writeFile(path, '\0\0\0', { flag: 'a' });
  await appendLines(path, 'five\n', false);
  assert.equal(await readFile(path, 'utf8'), 'one\ntwo\nthree\nhalf\nfour\n\0\0\0\nfive\n');
});

test('makes a file only where it may', async (context) => {
  const path = join(await folderFor(context), 'a');
  await assert.rejects(appendLines(path, 'x\n', false), { code: 'ENOENT' });
  await assert.rejects(readFile(path), { code: 'ENOENT' });
});

test('takes back what a full disk let it write in part, and takes the same again', {
  skip: !isLinux,
}, async (context) => {
  const folder = await folderFor(context);
  const path = join(folder, 'a');
  // A limit for files does to a process what a full disk does: a part is written, the rest is refused.
  const script = `
    import { appendLines } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/node/files/appendLines.ts'))};
    import { execFileSync } from 'node:child_process';
    const line = (name) => name.repeat(8_191) + '\\n';
    await appendLines(${JSON.stringify(path)}, line('a'), true);
    let failure = 'none';
    await appendLines(${JSON.stringify(path)}, line('b') + line('c'), true).catch(({ code }) => (failure = code));
    const { size } = await import('node:fs').then(({ statSync }) => statSync(${JSON.stringify(path)}));
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:unlimited']);
    await appendLines(${JSON.stringify(path)}, line('b') + line('c'), true);
    console.log(failure, size);
  `;
  await writeFile(join(folder, 'script.mjs'), script);
  const child = spawn('prlimit', ['--fsize=20000:', process.execPath, join(folder, 'script.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  assert.equal(said, 'EFBIG 8192\n');
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name.repeat(8_191)}\n`);
  assert.equal(await readFile(path, 'utf8'), `${a}${b}${c}`);
});

test('never mixes the lines of two processes, however long, nor glues one to what a killed one left', async (context) => {
  const path = join(await folderFor(context), 'a');
  await writeFile(path, '');
  const children = ['x', 'y'].map((name) => appender(context, path, name));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (let round = 0; round < 12; round++) {
    const victim = appender(context, path, 'z');
    await once(victim, 'message');
    await delay(Math.random() * 60);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
  }
  const finished = Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) {
    child.send('end');
  }
  const written = Object.fromEntries((await finished).map(([said]) => said));
  const lines = (await readFile(path, 'utf8')).split('\n');
  assert.equal(lines.pop(), '');
  const seen: Record<string, number> = { x: 0, y: 0, z: 0 };
  let halves = 0;
  for (const line of lines) {
    const [, name = '', length] = /^\{"([xyz])":(\d+),"text":"\1*"\}$/.exec(line) ?? [];
    if (name !== '' && line.length === Number(length)) {
      seen[name] = (seen[name] ?? 0) + 1;
    } else if (line === '') {
      // Begun on a line of its own while another one was just being written.
    } else if (/^\{"z|^\{$/.test(line)) {
      halves++;
    } else {
      assert.fail(`a line of two processes: ${line.slice(0, 40)}…${line.slice(-40)}`);
    }
  }
  assert.deepEqual([seen.x, seen.y], [written.x, written.y], 'every line of those that lived is whole');
  assert.ok(seen.x && seen.y && seen.z);
  assert.ok(halves <= 12);
  context.diagnostic(`${lines.length} lines, ${halves} cut by a kill`);
});

/** A reply in a conversation that is kept there, and how often its failure to be kept was told. */
async function answered(folder: string, meanwhile: () => Promise<void> = async () => undefined, rest = 'lo') {
  const store = conversationFiles(folder);
  const told: unknown[] = [];
  const chat = new Chat(emptyConversation('a', 7), false, {
    clock,
    keep: markedAppend(store, 'a'),
    reread: async () => {
      const file = await store.read('a');
      return file === undefined ? undefined : readConversation('a', file).conversation;
    },
    claim: () => store.claim('a'),
    findSender: async () => ({
      ok: true,
      sender: {
        host: 'h',
        send: async (_, onDelta) => {
          onDelta({ text: 'Hel', reasoning: '' });
          await delay(260);
          await meanwhile();
          onDelta({ text: rest, reasoning: '' });
          return { outcome: 'complete' };
        },
      },
    }),
    onKeepFailed: (error) => told.push(error),
    onKeptAgain: () => told.push('kept'),
    onDefect: (error) => assert.fail(String(error)),
  });
  const ended = new Promise<void>((resolve) => chat.onDidChange(({ type }) => type === 'end' && resolve()));
  assert.deepEqual(await chat.send({ id: 'q1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' }), {
    ok: true,
  });
  await ended;
  await chat.settled();
  const reply = chat.conversation.turns[0]?.replies[0];
  assert.deepEqual([reply?.state, reply?.text], ['complete', `Hel${rest}`], 'the question goes on');
  return { chat, store, told };
}

for (const [what, prepare, skip] of [
  [
    'a full disk',
    async (folder: string) => {
      await mkdir(join(folder, 'claims'), { recursive: true });
      await symlink('/dev/full', join(folder, 'a.jsonl'));
    },
    !isLinux,
  ],
  ['something else in its place', (folder: string) => mkdir(join(folder, 'a.jsonl'), { recursive: true }), false],
  [
    'a folder that can not be written',
    async (folder: string) => {
      await mkdir(join(folder, 'claims'), { recursive: true });
      await chmod(folder, 0o500);
    },
    isRoot || !isLinux,
  ],
] as const) {
  test(`goes on without a history, and says so once: ${what}`, { skip }, async (context) => {
    const folder = join(await folderFor(context), 'conversations');
    await mkdir(folder);
    await prepare(folder);
    const { chat, told } = await answered(folder).finally(() => chmod(folder, 0o700));
    assert.equal(told.length, 1);
    chat.dispose();
  });
}

test('has all of it in the file when a failure was over before the end', async (context) => {
  const folder = join(await folderFor(context), 'conversations');
  await mkdir(join(folder, 'a.jsonl'), { recursive: true });
  const { chat, store, told } = await answered(folder, () => rm(join(folder, 'a.jsonl'), { recursive: true }));
  assert.deepEqual(told.slice(1), ['kept']);
  assert.deepEqual(readConversation('a', (await store.read('a')) ?? ''), {
    conversation: chat.conversation,
    unreadLines: 0,
  });
});

test('writes down by itself, and without a gap, what a full disk did not take, once it has room again', {
  skip: !isLinux || !isRoot,
}, async (context) => {
  const disk = await folderFor(context);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  try {
    const folder = join(disk, 'conversations');
    const filler = join(disk, 'filler');
    const fill = () => writeFile(filler, 'x'.repeat(65_536)).catch(({ code }) => assert.equal(code, 'ENOSPC'));
    const { chat, store, told } = await answered(folder, fill, 'lo'.repeat(10_000));
    assert.deepEqual(
      told.map((error) => error instanceof Error && diskReason(error)),
      ['The disk is full.'],
    );
    assert.deepEqual(chat.unkept, { replies: 1 });
    assert.ok((await readdir(folder)).includes(`a.${process.pid}.unsaved`), 'the next start can say so');
    await rm(filler);
    for (let tries = 0; chat.unkept && tries < 100; tries++) {
      await delay(100);
    }
    assert.deepEqual([told[1], chat.unkept], ['kept', undefined]);
    assert.deepEqual(readConversation('a', (await store.read('a')) ?? ''), {
      conversation: chat.conversation,
      unreadLines: 0,
    });
    await chat.settled();
    assert.deepEqual((await readdir(folder)).sort(), ['a.jsonl', 'claims']);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});

test('knows at the next start what a window that is gone could not save, says so once, and of no window that lives', async (context) => {
  const folder = join(await folderFor(context), 'conversations');
  const { chat, store } = await answered(folder);
  const ended = new Promise<void>((resolve) => chat.onDidChange(({ type }) => type === 'end' && resolve()));
  await chat.send({ id: 'q2', kind: 'ask', question: 'And?', contexts: [], model: 'm' });
  const before = await readFile(join(folder, 'a.jsonl'), 'utf8');
  await ended;
  await chat.settled();
  // As it is when the answer is not written any more.
  await writeFile(join(folder, 'a.jsonl'), before);
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(gone, 'exit');
  await writeFile(join(folder, `a.${gone.pid}.unsaved`), '');
  await writeFile(join(folder, `b.${process.ppid}.unsaved`), '');
  const next = conversationFiles(folder);
  assert.deepEqual(
    (await next.list()).map(({ id }) => id),
    ['a'],
  );
  assert.deepEqual((await Promise.all([next.takeUnsaved(), store.takeUnsaved()])).flat(), ['a']);
  assert.deepEqual(await next.takeUnsaved(), []);
  const { title, text } = unsavedEnds('a', before);
  assert.equal(title, 'Why?');
  await next.append('a', text);
  const states = readConversation('a', (await next.read('a')) ?? '').conversation.turns.map(({ replies }) =>
    replies.map(({ state, problem }) => [state, problem?.kind]),
  );
  assert.deepEqual(states, [[['complete', undefined]], [['incomplete', 'unsaved']]], 'and VS Code is not to blame');
  assert.equal(unsavedEnds('a', before + text).text, '');
});

test('does not begin a headless file when its own is taken away, and goes on in one that is put into its place', async (context) => {
  const folder = join(await folderFor(context), 'conversations');
  const path = join(folder, 'a.jsonl');
  const { chat, store, told } = await answered(folder);
  context.after(() => chat.dispose());
  assert.equal(told.length, 0);
  await rename(path, join(folder, 'aside'));
  chat.rename('New name');
  await chat.settled();
  assert.deepEqual(told.map(String), ['DeletedElsewhereError: It was deleted in another window.']);
  assert.deepEqual(chat.unkept, { replies: 0, isDeleted: true });
  assert.deepEqual((await readdir(folder)).sort(), ['aside', 'claims'], 'the next start has nothing to tell of');
  await assert.rejects(readFile(path), { code: 'ENOENT' });
  await rename(join(folder, 'aside'), path);
  chat.rename('Newer name');
  await chat.settled();
  assert.deepEqual(readConversation('a', (await store.read('a')) ?? ''), {
    conversation: chat.conversation,
    unreadLines: 0,
  });
});
