import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fakeVSCode } from '../fakeVSCode.ts';

type Terminal = { readonly name: string; readonly shellIntegration?: object; shows: number; show(): void };
type Listener = (event: object) => void;
const host = {
  listeners: new Map<string, Listener>(),
  terminals: [] as Terminal[],
  activeTerminal: undefined as Terminal | undefined,
};
Object.assign(globalThis, { terminalHost: host });
// The part of VS Code's API that tells of terminals.
const vscode = `data:text/javascript,
  const { listeners } = globalThis.terminalHost;
  const event = (name) => (listener) => (listeners.set(name, listener), { dispose: () => listeners.delete(name) });
  export const window = {
    onDidStartTerminalShellExecution: event('start'),
    onDidEndTerminalShellExecution: event('end'),
    onDidCloseTerminal: event('close'),
    get terminals() { return globalThis.terminalHost.terminals; },
    get activeTerminal() { return globalThis.terminalHost.activeTerminal; },
  };`;
fakeVSCode(import.meta, vscode);
const { foundView } = await import('../../../../src/editor/code/foundContext.ts');
const { TerminalCommands } = await import('../../../../src/editor/code/terminalCommands.ts');

const terminal = (name: string, shellIntegration?: object): Terminal => {
  const one = {
    name,
    shows: 0,
    show() {
      one.shows++;
    },
    shellIntegration,
  };
  return one;
};

/** Runs a command, whose output the test writes piece by piece. */
function run(on: Terminal, value: string) {
  const pieces: string[] = [];
  let isOver = false;
  async function* output() {
    // Ends also when the test has failed before it finished the command.
    for (let turns = 0; pieces.length > 0 || (!isOver && turns < 1_000); turns++) {
      const piece = pieces.shift();
      if (piece === undefined) {
        await turn();
      } else {
        yield piece;
      }
    }
  }
  const execution = { commandLine: { value }, read: output };
  host.listeners.get('start')?.({ terminal: on, execution });
  return {
    write: async (piece: string) => {
      pieces.push(piece);
      await turn();
      await turn();
    },
    report: (exitCode: number | undefined) => host.listeners.get('end')?.({ terminal: on, execution, exitCode }),
    finish: () => {
      isOver = true;
    },
  };
}

const open = (...terminals: Terminal[]) => {
  host.terminals = terminals;
  host.activeTerminal = terminals.at(-1);
  return new TerminalCommands();
};
const shown = (commands: InstanceType<typeof TerminalCommands>, query = '') =>
  commands
    .rows(query)
    .map((row) => [`${row.label}: ${row.detail}`, foundView(row, [], 1).size].filter(Boolean).join(' · '));

test('lists the last command of each terminal, that of the active terminal first', async () => {
  const [bash, node] = [terminal('bash'), terminal('node')];
  const commands = open(bash, node);
  const first = run(bash, 'npm run lint');
  first.report(0);
  first.finish();
  const second = run(bash, 'npm test -- --with-a-very-long-argument');
  await second.write('\x1b[31mone failed\x1b[0m\r\n');
  second.report(1);
  second.finish();
  assert.deepEqual(shown(commands), [
    'Last Terminal Command: npm test -- --with-a-very-long… · exit code 1 · ≈ 36 tokens',
  ]);
  const third = run(node, 'node server.js');
  await third.write('listening\n');
  assert.deepEqual(shown(commands), [
    'Last Terminal Command: node server.js · still running · node · ≈ 28 tokens',
    'Last Terminal Command: npm test -- --with-a-very-long… · exit code 1 · bash · ≈ 36 tokens',
  ]);
  assert.deepEqual(shown(commands, 'npm'), [
    'Last Terminal Command: npm test -- --with-a-very-long… · exit code 1 · bash · ≈ 36 tokens',
  ]);
  assert.deepEqual(shown(commands, 'cart'), []);
  third.finish();
  commands.dispose();
  assert.equal(host.listeners.size, 0);
});

test('includes what has arrived of a running command, and all of the output of one that has ended', async () => {
  const bash = terminal('bash');
  const commands = open(bash);
  const command = run(bash, ' npm test ');
  await command.write('one\r\n');
  const [row] = commands.rows('');
  await command.write('two\r\n');
  const running = (await row?.read())?.pieces[0];
  assert.deepEqual(
    [running?.kind, running?.name, running?.text, running?.isRunning, running?.exitCode, running?.endLine],
    ['terminal', 'npm test', 'one\ntwo', true, undefined, 2],
  );
  command.report(2);
  const reading = row?.read();
  await command.write('late\r\n');
  command.finish();
  const ended = (await reading)?.pieces[0];
  assert.deepEqual([ended?.text, ended?.isRunning, ended?.exitCode], ['one\ntwo\nlate', undefined, 2]);
  commands.dispose();
});

test('keeps at most 100,000 characters of the output, and says what is missing', async () => {
  const bash = terminal('bash');
  const commands = open(bash);
  const command = run(bash, `echo ${'x'.repeat(5_000)}`);
  await command.write(`${'y'.repeat(70_000)}\r\n`);
  await command.write(`${'z'.repeat(70_000)}\r\n`);
  command.report(undefined);
  command.finish();
  const [row] = commands.rows('');
  assert.match(row?.detail ?? '', /exit code unknown · without the first 40,001 characters/);
  const piece = (await row?.read())?.pieces[0];
  assert.deepEqual([piece?.text.length, piece?.cut, piece?.name?.length], [100_000, 40_001, 2_001]);
  commands.dispose();
});

test('forgets a command when its terminal closes, and shows the terminal until then', async () => {
  const bash = terminal('bash');
  const commands = open(bash);
  run(bash, 'ls').finish();
  const id = (await commands.rows('')[0]?.read())?.pieces[0]?.id ?? '';
  assert.ok(commands.show(id));
  assert.equal(bash.shows, 1);
  host.listeners.get('close')?.(bash);
  assert.ok(!commands.show(id));
  host.terminals = [];
  assert.deepEqual(commands.rows(''), []);
  commands.dispose();
});

test('says why a terminal has no command', async () => {
  const commands = open(terminal('bash', {}));
  assert.deepEqual(shown(commands), ['Last Terminal Command: no command yet']);
  assert.deepEqual(await commands.rows('last')[0]?.read(), {
    pieces: [],
    notes: ['Run the command again: commands are read after Ask Model has started.'],
  });
  host.terminals = [terminal('cmd')];
  assert.deepEqual(await commands.rows('')[0]?.read(), {
    pieces: [],
    notes: ["Commands can't be read because VS Code's shell integration isn't active in the terminal."],
  });
  commands.dispose();
});
