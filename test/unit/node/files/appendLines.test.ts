import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { emptyConversation, readConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { appendLines } from '../../../../src/node/files/appendLines.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { systemClock as clock } from '../../../../src/node/system/machine.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';
import { byCases } from '../../propertyRuns.ts';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

function appender(context: TestContext, ...args: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'appendingProcess.ts'), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

test('always starts on a new line, even after a partial line of another process', async () => {
  const path = join(makeTemporary('append'), 'a');
  await appendLines(path, 'one\ntwo\n', true);
  await appendLines(path, 'three\n', false);
  await writeFile(path, 'half', { flag: 'a' });
  await appendLines(path, 'four\n', false);
  await writeFile(path, '\0\0\0', { flag: 'a' });
  await appendLines(path, 'five\n', false);
  assert.equal(await readFile(path, 'utf8'), 'one\ntwo\nthree\nhalf\nfour\n\0\0\0\nfive\n');
});

test('removes what a full disk let it write in part, and can repeat the write', {
  skip: !isLinux,
}, async () => {
  const folder = makeTemporary('append');
  const path = join(folder, 'a');
  // A limit for the size of files acts like a full disk: a part is written, the rest is refused.
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
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  assert.equal(output, 'EFBIG 8192\n');
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name.repeat(8_191)}\n`);
  assert.equal(await readFile(path, 'utf8'), `${a}${b}${c}`);
});

test('never mixes the lines of two processes, however long, nor continues a partial line of a killed one', async (context) => {
  const path = join(makeTemporary('append'), 'a');
  await writeFile(path, '');
  const children = ['x', 'y'].map((name) => appender(context, path, name));
  await Promise.all(children.map((child) => once(child, 'message')));
  const kills = byCases(3, 12, 12);
  for (let kill = 0; kill < kills; kill++) {
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
  const written = Object.fromEntries((await finished).map(([message]) => message));
  const lines = (await readFile(path, 'utf8')).split('\n');
  assert.equal(lines.pop(), '');
  const counts: Record<string, number> = { x: 0, y: 0, z: 0 };
  let partialLines = 0;
  for (const line of lines) {
    const [, name = '', length] = /^\{"([xyz])":(\d+),"text":"\1*"\}$/.exec(line) ?? [];
    if (name !== '' && line.length === Number(length)) {
      counts[name] = (counts[name] ?? 0) + 1;
    } else if (line === '') {
      // A process starts a new line while another one is writing.
    } else if (/^\{"z|^\{$/.test(line)) {
      partialLines++;
    } else {
      assert.fail(`a line mixed from two processes: ${line.slice(0, 40)}…${line.slice(-40)}`);
    }
  }
  assert.deepEqual([counts.x, counts.y], [written.x, written.y], 'every line of the surviving processes is whole');
  assert.ok(counts.x && counts.y && counts.z);
  assert.ok(partialLines <= kills);
  context.diagnostic(`${lines.length} lines, ${partialLines} cut by a kill`);
});

/** Receives a reply in a conversation stored in the folder, and collects what is reported about storing it. */
async function receiveReply(folder: string, meanwhile: () => Promise<void> = async () => undefined, rest = 'lo') {
  const store = conversationFiles(folder);
  const reports: unknown[] = [];
  const chat = new Chat(emptyConversation('a', 7), false, {
    clock,
    store,
    maskSuffix: () => 'k3f9x2a8b7c6',
    reread: async () => {
      const file = await store.read('a');
      return file === undefined ? undefined : readConversation('a', file).conversation;
    },
    findSender: async () => ({
      ok: true,
      sender: {
        host: 'h',
        send: async (_request, _facts, onDelta) => {
          onDelta({ text: 'Hel', reasoning: '' });
          await delay(260);
          await meanwhile();
          onDelta({ text: rest, reasoning: '' });
          return { outcome: 'complete' };
        },
      },
    }),
    onKeepFailed: (error) => reports.push(error),
    onStoredAgain: () => reports.push('stored again'),
    onDefect: (error) => assert.fail(String(error)),
  });
  const ended = new Promise<void>((resolve) => chat.live.onDidChange(({ type }) => type === 'end' && resolve()));
  assert.deepEqual(await chat.send({ id: 'q1', question: 'Why?', contexts: [], models: ['m'] }), {
    ok: true,
  });
  await ended;
  await chat.live.settled();
  const reply = chat.live.conversation.turns[0]?.replies[0];
  assert.deepEqual([reply?.state, reply?.text], ['complete', `Hel${rest}`], 'the reply goes on');
  return { chat, store, reports };
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
    'a folder that is not writable',
    async (folder: string) => {
      await mkdir(join(folder, 'claims'), { recursive: true });
      await chmod(folder, 0o500);
    },
    isRoot || !isLinux,
  ],
] as const) {
  test(`continues without storing the conversation, and reports it once: ${what}`, { skip }, async () => {
    const folder = join(makeTemporary('append'), 'conversations');
    await mkdir(folder);
    await prepare(folder);
    const { chat, reports } = await receiveReply(folder).finally(() => chmod(folder, 0o700));
    assert.equal(reports.length, 1);
    chat.dispose();
  });
}

test('stores what a full disk refused, without a gap, as soon as the disk has room again', {
  skip: !isLinux || !isRoot,
}, async () => {
  const disk = makeTemporary('append');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  try {
    const folder = join(disk, 'conversations');
    const filler = join(disk, 'filler');
    const fill = () => writeFile(filler, 'x'.repeat(65_536)).catch(({ code }) => assert.equal(code, 'ENOSPC'));
    const { chat, store, reports } = await receiveReply(folder, fill, 'lo'.repeat(10_000));
    assert.deepEqual(
      reports.map((error) => error instanceof Error && 'code' in error && error.code),
      ['ENOSPC'],
    );
    assert.match(String(chat.live.failure), /ENOSPC/);
    await rm(filler);
    for (let tries = 0; chat.live.failure && tries < 100; tries++) {
      await delay(100);
    }
    assert.deepEqual([reports[1], chat.live.failure], ['stored again', undefined]);
    assert.deepEqual(readConversation('a', (await store.read('a')) ?? ''), {
      conversation: chat.live.conversation,
      unreadLines: 0,
    });
    await chat.live.settled();
    assert.deepEqual((await readdir(folder)).sort(), ['a.jsonl', 'claims']);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});
