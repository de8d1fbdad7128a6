import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { LedgerStore } from '../../../../src/core/usage/ledger.ts';
import { appendLines } from '../../../../src/node/files/appendLines.ts';
import { ledgerFiles } from '../../../../src/node/files/ledgerFiles.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';
import { anEnd, aStart, openLedger } from '../../core/usage/memoryLedger.ts';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const always = [0, Number.MAX_SAFE_INTEGER] as const;

/** The text of a month from a place on. */
async function textOf(store: LedgerStore, month: string, from = 0): Promise<string> {
  return Buffer.from((await store.read(month, from)).bytes).toString();
}

/** A process that begins `count` calls at once when it gets a message; see `ledgerProcess.ts`. */
async function window(
  context: TestContext,
  folder: string,
  name: string,
  count: number,
  limit: number | '' = '',
): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'ledgerProcess.ts'), [folder, name, `${count}`, `${limit}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  context.after(() => child.kill('SIGKILL'));
  assert.deepEqual(await once(child, 'message'), ['ready', undefined]);
  return child;
}

test('of 50 calls that windows begin at once, exactly as many pass as the limit allows', async (context) => {
  const folder = makeTemporary('ledger');
  const windows = await Promise.all(['x', 'y', 'z', 'u', 'v'].map((name) => window(context, folder, name, 10, 17)));
  const begun = windows.map((child) => once(child, 'message'));
  for (const child of windows) {
    child.send('begin');
  }
  const passed = (await Promise.all(begun)).map(([count]) => Number(count));
  assert.equal(
    passed.reduce((sum, count) => sum + count),
    17,
    `${passed}`,
  );
  const { states } = await openLedger({ store: ledgerFiles(folder) }).ledger.totals(...always);
  assert.equal(states.unknown, 17, 'the calls without an end');
});

test('creates the folder when it is first needed, and again when it was removed', async () => {
  const folder = join(makeTemporary('ledger'), 'not', 'there');
  const store = ledgerFiles(folder);
  assert.deepEqual([await store.months(), await textOf(store, '2026-11')], [[], '']);
  await store.remove('2026-11');
  await assert.rejects(stat(folder), { code: 'ENOENT' });
  for (const lines of ['one\n', 'two\n']) {
    await store.append('2026-11', lines);
    assert.equal(await textOf(store, '2026-11'), lines);
    await rm(folder, { recursive: true });
  }
});

test('a month that another window removed and began again is counted afresh', async () => {
  const folder = makeTemporary('ledger');
  const { ledger } = openLedger({ store: ledgerFiles(folder) });
  const other = openLedger({ store: ledgerFiles(folder) });
  await ledger.begin(aStart('a'));
  assert.equal((await other.ledger.totals(...always)).calls, 1);
  await ledger.clear();
  await (await ledger.begin(aStart('b'))).end(anEnd());
  const { calls, states } = await other.ledger.totals(...always);
  assert.deepEqual([calls, states.unknown, states.complete], [2, 1, 1]);
});

test('only the owner can read the files', { skip: process.platform === 'win32' }, async () => {
  const folder = makeTemporary('ledger');
  await ledgerFiles(folder).append('2026-11', 'one\n');
  assert.equal((await stat(join(folder, 'usage'))).mode & 0o777, 0o700);
  assert.equal((await stat(join(folder, 'usage', '2026-11.jsonl'))).mode & 0o777, 0o600);
});

test('lists, reads from any place and removes months, and touches no other file', async () => {
  const folder = makeTemporary('ledger');
  const store = ledgerFiles(folder);
  await store.append('2026-10', 'ten\n');
  await store.append('2026-11', 'eleven\n');
  await store.append('2026-11', 'more\n');
  await writeFile(join(folder, 'usage', 'notes.txt'), '');
  assert.deepEqual((await store.months()).sort(), ['2026-10', '2026-11']);
  const read = (from: number) => textOf(store, '2026-11', from);
  assert.deepEqual(await Promise.all([0, 7, 12, 13].map(read)), ['eleven\nmore\n', 'more\n', '', '']);
  await store.remove('2026-11');
  assert.deepEqual(await readdir(join(folder, 'usage')).then((names) => names.sort()), ['2026-10.jsonl', 'notes.txt']);
});

test('rejects at once where a pipe or a folder is in the place of a month, and for reading a device', async () => {
  const folder = makeTemporary('ledger');
  await mkdir(join(folder, 'usage', '2026-10.jsonl'), { recursive: true });
  if (isLinux) {
    execFileSync('mkfifo', [join(folder, 'usage', '2026-11.jsonl')]);
    await symlink('/dev/zero', join(folder, 'usage', '2026-12.jsonl'));
  }
  const store = ledgerFiles(folder);
  for (const month of isLinux ? ['2026-10', '2026-11', '2026-12'] : ['2026-10']) {
    await assert.rejects(textOf(store, month), month);
    if (month !== '2026-12') {
      await assert.rejects(store.append(month, 'x\n'), month);
    }
  }
});

test('returns only when the lines are on disk', { skip: !isLinux }, async () => {
  // It accepts every line, but can't be flushed.
  const path = '/proc/self/comm';
  await appendLines(path, 'node\n', false);
  await assert.rejects(appendLines(path, 'node\n', false, true), { code: 'EINVAL', syscall: 'fdatasync' });
});

for (const [what, prepare, repair, skip] of [
  [
    'the disk is full',
    (folder: string) => symlink('/dev/full', join(folder, '2026-11.jsonl')),
    (folder: string) => unlink(join(folder, '2026-11.jsonl')),
    !isLinux,
  ],
  [
    'something else is in its place',
    (folder: string) => mkdir(join(folder, '2026-11.jsonl')),
    (folder: string) => rm(join(folder, '2026-11.jsonl'), { recursive: true }),
    false,
  ],
  [
    'the folder is not writable',
    (folder: string) => chmod(folder, 0o500),
    (folder: string) => chmod(folder, 0o700),
    isRoot || !isLinux,
  ],
] as const) {
  test(`writes a call later when it can't at first: ${what}`, { skip }, async () => {
    const folder = makeTemporary('ledger');
    const usage = join(folder, 'usage');
    await mkdir(usage);
    await prepare(usage);
    const { ledger, defects } = openLedger({ store: ledgerFiles(folder) });
    const call = await ledger.begin(aStart('a')).finally(() => repair(usage));
    assert.deepEqual([call.failure === undefined, defects.length], [false, 1]);
    await call.end(anEnd());
    assert.equal(defects.length, 1);
    const { states } = await openLedger({ store: ledgerFiles(folder) }).ledger.totals(...always);
    assert.equal(states.complete, 1);
  });
}
