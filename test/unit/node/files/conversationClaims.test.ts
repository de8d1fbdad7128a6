import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { conversationClaims } from '../../../../src/node/files/conversationClaims.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { until } from '../../../until.ts';

async function folderFor(context: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'ask-model-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'conversations', 'claims');
}

/** Puts a claim there as another process would have. */
async function leave(folder: string, id: string, pid: number, machine = hostname(), ageMs = 0): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.${pid}.left-${pid}-${ageMs}`);
  await writeFile(path, machine);
  const at = (Date.now() - ageMs) / 1_000;
  await utimes(path, at, at);
  return path;
}

/** No process has it: above what any system gives out. */
const deadPid = 2_147_483_000;

test('is had once at a time, given back as often as one likes, and is nobody else’s business', async (context) => {
  const folder = await folderFor(context);
  const claims = conversationClaims(folder);
  const give = await claims.take('a');
  assert.ok(give);
  const [name = ''] = await readdir(folder);
  assert.match(name, new RegExp(`^a\\.${process.pid}\\.`));
  assert.equal(await readFile(join(folder, name), 'utf8'), hostname());
  assert.equal(await claims.isTakenElsewhere('a'), false, 'this window is no other one');
  give();
  give();
  assert.deepEqual(await readdir(folder), []);
  // The process that started this one is alive and is not this one.
  const theirs = await leave(folder, 'a', process.ppid);
  assert.equal(await claims.take('a'), undefined);
  assert.equal(await claims.isTakenElsewhere('a'), true);
  assert.equal(await claims.isTakenElsewhere('a-b'), false);
  assert.ok(await claims.take('b'), 'another conversation is free');
  await claims.clear();
  assert.ok(await stat(theirs), 'what counts is not cleared away');
});

test('takes no notice of what a killed process left, and clears it away', async (context) => {
  const folder = await folderFor(context);
  const claims = conversationClaims(folder);
  await leave(folder, 'a', deadPid);
  assert.equal(await claims.isTakenElsewhere('a'), false);
  const give = await claims.take('a');
  assert.ok(give);
  give();
  assert.deepEqual(await readdir(folder), []);
  await leave(folder, 'b', deadPid);
  await writeFile(join(folder, 'notes.txt'), 'not ours');
  await claims.clear();
  assert.deepEqual(await readdir(folder), ['notes.txt']);
});

test('is not held up by a number that another program bears by now, nor by its own number of an earlier life', async (context) => {
  const folder = await folderFor(context);
  const claims = conversationClaims(folder);
  await leave(folder, 'a', process.ppid, hostname(), 19_000);
  assert.equal(await claims.take('a'), undefined, 'it may have missed a few beats');
  for (const [pid, ageMs] of [
    [process.ppid, 20_000],
    [process.ppid, -25_000],
    [process.pid, 0],
  ] as const) {
    await rm(folder, { recursive: true });
    await leave(folder, 'a', pid, hostname(), ageMs);
    assert.equal(await claims.isTakenElsewhere('a'), false);
    const give = await claims.take('a');
    assert.ok(give, `${pid} ${ageMs}`);
    give();
  }
});

test('believes a window on another machine for as long as it renews', async (context) => {
  const folder = await folderFor(context);
  const claims = conversationClaims(folder);
  await leave(folder, 'a', deadPid, 'another-machine');
  assert.equal(await claims.take('a'), undefined, 'its numbers say nothing here');
  await leave(folder, 'b', process.ppid, 'another-machine', 21_000);
  const give = await claims.take('b');
  assert.ok(give);
  give();
});

test('is renewed while it is held, and no longer', async (context) => {
  const folder = await folderFor(context);
  const claims = conversationClaims(folder, 10);
  const give = await claims.take('a');
  const [name = ''] = await readdir(folder);
  await utimes(join(folder, name), 1, 1);
  await until(() => Date.now() - statSync(join(folder, name)).mtimeMs < 1_000);
  give?.();
  await delay(50);
  assert.deepEqual(await readdir(folder), []);
});

test('is refused where it can not be written, and leaves nothing', async (context) => {
  const folder = await folderFor(context);
  await mkdir(join(folder, '..'), { recursive: true });
  await writeFile(folder, 'in the way');
  await assert.rejects(conversationClaims(folder).take('a'));
  await assert.rejects(conversationFiles(join(folder, '..')).claim('../a'), /Not the id/);
});

test('never is had by two processes that want it again and again, and is free when one is killed with it', async (context) => {
  const folder = await folderFor(context);
  await mkdir(folder, { recursive: true });
  const script = join(import.meta.dirname, 'claimingProcess.ts');
  const start = () => {
    const child = fork(script, [folder], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  const children = [start(), start()];
  let had = 0;
  let holder: number | undefined;
  const isDone = new Promise<void>((resolve, reject) => {
    for (const child of children) {
      child.on('message', (said) => {
        if (said === 'both') {
          reject(new Error('two processes had it at once'));
        }
        if (said === 'has' && ++had === 200) {
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
  const claims = conversationClaims(folder);
  assert.equal(await claims.isTakenElsewhere('a'), false);
  assert.ok(await claims.take('a'));
});
