import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../until.ts';
import { makeProjectCopy } from './projectCopy.ts';
import { isQuick } from './propertyRuns.ts';

/** A substitute for VS Code: a program that starts a helper process. Both run until they are killed. */
const editor = `#!${process.execPath}
if (process.argv[2] !== 'helper') require('node:child_process').spawn(process.execPath, [__filename, 'helper']);
setInterval(() => undefined, 1_000);
`;

describe('npm start', {
  timeout: 120_000,
  skip: isQuick || (process.platform === 'win32' && 'Windows sends no such signals'),
}, () => {
  const folder = makeProjectCopy();
  const program = join(folder, 'editor.cjs');
  writeFileSync(program, editor, { mode: 0o755 });
  const env = {
    ...process.env,
    ASK_MODEL_VSCODE: program,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };

  for (const [signal, command, ...args] of [
    ['SIGINT', 'npm', 'start'],
    ['SIGTERM', process.execPath, 'test/start.mjs'],
  ] as const) {
    it(`ends all its processes when only ${[basename(command), ...args].join(' ')} gets ${signal}`, async () => {
      // In its own process group, so that only the child gets the signal.
      const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
      let started = [child.pid ?? 0];
      try {
        await outputOf(child, 'Press Ctrl+C to stop.');
        await until(() => descendantsOf(child.pid).filter(({ args: [path] }) => path === program).length === 2);
        started = [...started, ...descendantsOf(child.pid).map(({ pid }) => pid)];
        child.kill(signal);
        await until(() => started.every((pid) => !isAlive(pid)));
      } finally {
        for (const pid of started.filter(isAlive)) {
          process.kill(pid, 'SIGKILL');
        }
      }
    });
  }
});

/** Resolves once the output of a process contains a text. */
function outputOf({ stdout }: ChildProcess, text: string): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    stdout
      ?.setEncoding('utf8')
      .on('data', (chunk: string) => {
        output += chunk;
        if (output.includes(text)) {
          resolve();
        }
      })
      .on('end', () => reject(new Error(`The process ended without the output “${text}”: ${output}`)));
  });
}

/** The descendants of a process, each with its arguments without the interpreter. */
function descendantsOf(root: number | undefined): { pid: number; args: string[] }[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, , ...args] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), args };
    });
  const below = (pid: number | undefined): typeof all =>
    all.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...below(each.pid)]);
  return below(root);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
