import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { conversationLocks } from '../../../../src/node/files/conversationLocks.ts';
import { until } from '../../../until.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';

const newFolder = () => join(makeTemporary('locks'), 'conversations', 'claims');

/** Creates a lock as another process would. */
async function createLock(folder: string, id: string, pid: number, ageMs = 0): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.${pid}.left-${pid}-${ageMs}`);
  await writeFile(path, '');
  const at = (Date.now() - ageMs) / 1_000;
  await utimes(path, at, at);
  return path;
}

/** What releases a lock that must be free. */
async function taken(lock: Promise<unknown>, message?: string): Promise<() => void> {
  const release = await lock;
  assert.equal(typeof release, 'function', message);
  return release as () => void;
}

/** Higher than any process id of any system. */
const deadPid = 2_147_483_000;

test('is held by one window at a time, and can be released more than once', async () => {
  const folder = newFolder();
  const locks = conversationLocks(folder);
  const release = await taken(locks.take('a'));
  const [name = ''] = await readdir(folder);
  assert.match(name, new RegExp(`^a\\.${process.pid}\\.`));
  assert.equal(await locks.isTakenElsewhere('a'), false, 'its own lock does not count');
  release();
  release();
  assert.deepEqual(await readdir(folder), []);
  // The parent process is alive, and not this process.
  const theirs = await createLock(folder, 'a', process.ppid);
  assert.equal(await locks.take('a'), undefined);
  assert.equal(await locks.isTakenElsewhere('a'), true);
  assert.equal(await locks.isTakenElsewhere('a-b'), false);
  await taken(locks.take('b'), 'another conversation is free');
  await locks.clear();
  assert.ok(await stat(theirs), 'a held lock is not removed');
});

test('ignores and removes the lock of a killed process', async () => {
  const folder = newFolder();
  const locks = conversationLocks(folder);
  await createLock(folder, 'a', deadPid);
  assert.equal(await locks.isTakenElsewhere('a'), false);
  const release = await taken(locks.take('a'));
  release();
  await createLock(folder, 'b', deadPid);
  await writeFile(join(folder, 'notes.txt'), 'not ours');
  await locks.clear();
  assert.deepEqual(await readdir(folder), ['notes.txt']);
});

test('ignores an expired lock whose process id another program has now, and a lock of an earlier process with its own id', async () => {
  const folder = newFolder();
  const locks = conversationLocks(folder);
  await createLock(folder, 'a', process.ppid, 19_000);
  assert.equal(await locks.take('a'), undefined, 'it may have missed a few renewals');
  for (const [pid, ageMs] of [
    [process.ppid, 20_000],
    [process.ppid, -25_000],
    [process.pid, 0],
  ] as const) {
    await rm(folder, { recursive: true });
    await createLock(folder, 'a', pid, ageMs);
    assert.equal(await locks.isTakenElsewhere('a'), false);
    const release = await taken(locks.take('a'));
    release();
  }
});

test('is renewed while it is held, and no longer', async () => {
  const folder = newFolder();
  const locks = conversationLocks(folder, 10);
  const release = await taken(locks.take('a'));
  const [name = ''] = await readdir(folder);
  await utimes(join(folder, name), 1, 1);
  await until(() => Date.now() - statSync(join(folder, name)).mtimeMs < 1_000);
  release();
  await until(async () => (await readdir(folder)).length === 0);
  await delay(50);
  assert.deepEqual(await readdir(folder), []);
});

test('knows whether this window or another holds any lock', async () => {
  const folder = newFolder();
  const locks = conversationLocks(folder);
  assert.equal(await locks.isAnyTaken(), false);
  const release = await taken(locks.take('a'));
  assert.equal(await locks.isAnyTaken(), true, 'this window makes a call');
  release();
  await createLock(folder, 'b', deadPid);
  assert.equal(await locks.isAnyTaken(), false);
  await createLock(folder, 'b', process.ppid);
  assert.equal(await locks.isAnyTaken(), true, 'another window makes a call');
});

test('rejects when the lock can’t be written, and when the id is invalid', async () => {
  const folder = newFolder();
  await mkdir(join(folder, '..'), { recursive: true });
  await writeFile(folder, 'in the way');
  await assert.rejects(conversationLocks(folder).take('a'));
  await assert.rejects(conversationFiles(join(folder, '..')).lock('../a'), /Not the id/);
});

test('is never held by two competing processes at once, and is free after its holder was killed', async (context) => {
  const folder = newFolder();
  await mkdir(folder, { recursive: true });
  const script = join(import.meta.dirname, 'lockingProcess.ts');
  const start = () => {
    const child = fork(script, [folder], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  const children = [start(), start()];
  let acquired = 0;
  let holder: number | undefined;
  const isDone = new Promise<void>((resolve, reject) => {
    for (const child of children) {
      child.on('message', (message) => {
        if (message === 'both') {
          reject(new Error('two processes held it at once'));
        }
        if (message === 'has' && ++acquired === 200) {
          holder = child.pid;
          resolve();
        }
      });
      child.on('exit', () => reject(new Error('a process ended by itself')));
    }
  });
  await isDone;
  assert.ok(holder);
  for (const child of children) {
    child.removeAllListeners('exit');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  const locks = conversationLocks(folder);
  assert.equal(await locks.isTakenElsewhere('a'), false);
  await taken(locks.take('a'));
});
