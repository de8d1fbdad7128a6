import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { isQuick } from './propertyRuns.ts';

const runFiles = pathToFileURL(join(projectRoot, 'test', 'runFiles.ts')).href;
const files = {
  'run.ts': `
    import { runFiles } from '${runFiles}';
    await runFiles({ suite: 'tried', folder: import.meta.dirname + '/tests', alone: [], processes: 2 });`,
  'tests/flaky.test.ts': `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { it } from 'node:test';
    it('steady', () => undefined);
    it('skipped', { skip: true }, () => undefined);
    it('fails the second time', () => {
      appendFileSync('times', '.');
      if (readFileSync('times', 'utf8').length === 2) throw new Error('the second');
    });`,
  'tests/hook.test.ts': `
    import { after, describe, it } from 'node:test';
    describe('ends badly', () => {
      after(() => { throw new Error('left open'); });
      it('is fine by itself', () => undefined);
    });`,
  'inParts.ts': `
    import { runFiles } from '${runFiles}';
    const first = import.meta.dirname + '/first.ts';
    await runFiles({ suite: 'parts', folder: import.meta.dirname + '/parts', alone: [], processes: 2, first });`,
  'first.ts': `globalThis.pids = [process.pid];`,
  ...Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      `parts/${name}.test.ts`,
      `
      import { appendFileSync } from 'node:fs';
      import { it } from 'node:test';
      // ${'The largest is alone. '.repeat(name === 'b' ? 50 : 1)}
      it('${name}', () => appendFileSync('pids', '${name} ' + globalThis.pids + ' '));`,
    ]),
  ),
  'again.ts': `
    import { runFiles } from '${runFiles}';
    const folder = import.meta.dirname + '/again';
    await runFiles({ suite: 'again', folder, alone: ['once.test.ts'], processes: 2, triesAgain: true });`,
  // Tests that are declared in a file of many count for the file that has them.
  'again/declare.ts': `
    import { it } from 'node:test';
    export const declare = (title, run) => it(title, run);`,
  ...Object.fromEntries(
    ['other', 'once', 'also', 'twice'].map((name) => [
      `again/${name}.test.ts`,
      `
      import { appendFileSync, readFileSync } from 'node:fs';
      import { it } from 'node:test';
      import { declare } from './declare.ts';
      it('steady', () => undefined);
      appendFileSync('${name}', '.');
      const time = readFileSync('${name}', 'utf8').length;
      declare('${name}', () => {
        if (time <= ${{ other: 0, once: 1, also: 1, twice: 2 }[name]}) throw new Error('time ' + time);
      });
      if ('${name}' === 'once') it('with it', () => {
        if (time === 1) throw new Error('time 1');
      });`,
    ]),
  ),
  'tests/crash.test.ts': `throw new Error('not even begun');`,
};

/** Runs `run.ts` with these arguments in a new folder. */
function run(...args: string[]): { status: number | null; lines: string[] } {
  return runIn(makeTemporary('tests'), 'run.ts', ...args);
}

function runIn(cwd: string, ...args: string[]): { status: number | null; lines: string[] } {
  mkdirSync(join(cwd, 'tests'));
  mkdirSync(join(cwd, 'parts'));
  mkdirSync(join(cwd, 'again'));
  for (const [path, text] of Object.entries(files)) {
    writeFileSync(join(cwd, path), text);
  }
  // Without NODE_TEST_CONTEXT, so that its tests are not reported as tests of this file.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  return { status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
}

describe('the test runner', { skip: isQuick, timeout: 120_000 }, () => {
  it('reports with --repeat how often each test passed, and fails when a test failed once', () => {
    const { status, lines } = run('--repeat', '3', 'flaky');
    assert.deepEqual(lines.slice(-4), [
      '',
      '✔ 3 passed, 0 failed  flaky.test.ts: steady',
      '✖ 2 passed, 1 failed  flaky.test.ts: fails the second time',
      'tried: 5 passed, 1 failed',
    ]);
    assert.equal(status, 1);
    assert.ok(lines.includes('Run 3 of 3'));
  });

  it('counts a hook that fails and a file that throws', () => {
    const { status, lines } = run('--repeat=2', 'hook', 'crash');
    assert.deepEqual(lines.slice(-4), [
      '✔ 2 passed, 0 failed  hook.test.ts: is fine by itself',
      '✖ 0 passed, 2 failed  hook.test.ts: ends badly',
      '✖ 0 passed, 2 failed  crash.test.ts',
      'tried: 2 passed, 4 failed',
    ]);
    assert.equal(status, 1);
  });

  it('runs groups of files in one process each after a shared file, and counts each test by its file', () => {
    const cwd = makeTemporary('tests');
    const { status, lines } = runIn(cwd, 'inParts.ts', '--repeat', '2');
    assert.deepEqual(lines.slice(-4).sort(), [
      'parts: 6 passed, 0 failed',
      ...['a', 'b', 'c'].map((name) => `✔ 2 passed, 0 failed  ${name}.test.ts: ${name}`),
    ]);
    assert.equal(status, 0);
    const pids = readFileSync(join(cwd, 'pids'), 'utf8').match(/[abc] \d+/g) ?? [];
    const of = (name: string) => pids.filter((each) => each.startsWith(name)).map((each) => each.slice(2));
    assert.deepEqual(of('a'), of('c'));
    assert.equal(new Set([...of('a'), ...of('b')]).size, 4);
  });

  it('runs files with a failed test a second time if asked to, and lets the tests of one file pass only then', () => {
    const cwd = makeTemporary('tests');
    const { status, lines } = runIn(cwd, 'again.ts', 'once', 'twice', 'other');
    const start = lines.indexOf('Running the files of these tests again, because they failed once:');
    const first = ['  once.test.ts: once', '  once.test.ts: with it', '  twice.test.ts: twice'];
    assert.deepEqual(lines.slice(start + 1, start + 4).sort(), first);
    assert.ok(lines.join('\n').includes(`Passed only on the second try:\n${first.slice(0, 2).join('\n')}\n`));
    assert.equal(lines.at(-1), 'again: 6 passed, 1 failed');
    assert.equal(status, 1);
    assert.deepEqual(
      ['once', 'twice', 'other'].map((name) => readFileSync(join(cwd, name), 'utf8')),
      ['..', '..', '.'],
    );
    assert.equal(runIn(makeTemporary('tests'), 'again.ts', 'once').lines.at(-1), 'again: 3 passed, 0 failed');
    const several = runIn(makeTemporary('tests'), 'again.ts', 'once', 'also').lines;
    assert.equal(several.at(-1), 'again: 2 passed, 3 failed', 'two files needed a second try');
  });
});
