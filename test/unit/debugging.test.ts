import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';

type Task = {
  readonly label: string;
  readonly type?: string;
  readonly script?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly problemMatcher: { readonly background: { readonly beginsPattern: string; readonly endsPattern: string } };
};
type Launch = {
  readonly name: string;
  readonly preLaunchTask?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const readJson = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
const { tasks }: { tasks: readonly Task[] } = readJson('.vscode/tasks.json');
const { configurations }: { configurations: readonly Launch[] } = readJson('.vscode/launch.json');
const taskNamed = (label: string) => tasks.find((task) => task.label === label) ?? assert.fail(`no task ${label}`);

test('launch configurations and tasks name existing tasks, scripts and files', () => {
  for (const label of [
    ...configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []),
    ...tasks.flatMap(({ dependsOn }) => dependsOn ?? []),
  ]) {
    taskNamed(label);
  }
  const { scripts } = readJson('package.json');
  for (const { script } of tasks) {
    assert.ok(script === undefined || script in scripts, script);
  }
  const text = JSON.stringify([configurations, tasks]);
  const paths = [...text.matchAll(/\$\{workspaceFolder\}\/([^"]+)/g)].map(([, path]) => path ?? '');
  assert.ok(paths.length > 5);
  // The build may not exist yet, and each platform has only one of the two programs.
  for (const path of paths.filter((path) => !/^(?:dist|out)\//.test(path))) {
    assert.ok(existsSync(join(projectRoot, path.replace(/\/node(?:\.exe)?$/, ''))), path);
  }
});

test('debugging with the local gateway waits for it and uses its addresses', { timeout: 60_000 }, async () => {
  const launch = configurations.find(({ env }) => env !== undefined) ?? assert.fail('no configuration has a gateway');
  assert.ok(taskNamed(launch.preLaunchTask ?? '').dependsOn?.includes('gateway'));
  const { args = [], problemMatcher } = taskNamed('gateway');
  const port = args[args.indexOf('--port') + 1] ?? '';
  // On a free port, since the configured one may be in use.
  const ownArgs = args.map((each) => (each === port ? '0' : each));
  const gateway = spawn(process.execPath, ownArgs, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines: string[] = [];
    for await (const line of createInterface(gateway.stdout)) {
      lines.push(line);
      if (new RegExp(problemMatcher.background.endsPattern).test(line)) {
        break;
      }
    }
    const shown = (name: string) =>
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length)
        .trim() ?? '';
    assert.match(lines[0] ?? '', new RegExp(problemMatcher.background.beginsPattern));
    const at = (url: string) => url.replace(new URL(url).port, port);
    assert.deepEqual(launch.env, {
      ASK_MODEL_START_GATEWAY: at(shown('Console')),
      ASK_MODEL_START_BASE_URL: at(shown('Base URL')),
    });
    const companion = readFileSync(join(projectRoot, 'test/start/companion/extension.cjs'), 'utf8');
    for (const name of Object.keys(launch.env ?? {})) {
      assert.ok(companion.includes(`process.env.${name}`), name);
    }
  } finally {
    gateway.kill();
    await once(gateway, 'exit');
  }
});
