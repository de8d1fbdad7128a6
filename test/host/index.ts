import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import Mocha from 'mocha';
import type { Report } from './report.ts';

const { EVENT_SUITE_BEGIN, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/**
 * Runs every `*.test.cjs` next to this file with mocha, inside the extension host. Results go to the runner over
 * loopback, since the console of an extension host also has the output of all other extensions.
 *
 * @throws when a test failed.
 */
export async function run(): Promise<void> {
  const port = process.env.ASK_MODEL_HOST_REPORT_PORT;
  const socket = port === undefined ? undefined : connect(Number(port), '127.0.0.1');
  // When started with F5 there is no runner, and the debug console shows the results.
  const send = (report: Report) => (socket ? socket.write(`${JSON.stringify(report)}\n`) : console.log(report));
  const say = (test: { titlePath(): string[] }, sign: string, rest = '') =>
    send({ line: `${'  '.repeat(test.titlePath().length)}${sign}${test.titlePath().at(-1)}${rest}` });

  class Reporter extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      runner.on(EVENT_SUITE_BEGIN, (suite) => suite.root || say(suite, ''));
      runner.on(EVENT_TEST_PASS, (test) => say(test, '✔ ', ` (${test.duration} ms)`));
      runner.on(EVENT_TEST_PENDING, (test) => say(test, '- '));
      runner.on(EVENT_TEST_FAIL, (test, error) => say(test, '✖ ', `\n${error.stack ?? error.message}`));
    }
  }

  const grep = process.env.ASK_MODEL_HOST_GREP;
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, reporter: Reporter, grep });
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.cjs')) {
      mocha.addFile(join(__dirname, name));
    }
  }
  let passed = 0;
  let failed = 0;
  try {
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => resolve());
      runner.on(EVENT_TEST_PASS, () => passed++);
      runner.on(EVENT_TEST_FAIL, () => failed++);
    });
  } catch (error) {
    // A suite can't be loaded.
    failed++;
    send({ line: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  send({ passed, failed });
  await new Promise<void>((resolve) => {
    socket ? socket.end(resolve) : resolve();
  });
  if (failed > 0) {
    throw new Error(`${failed} of the tests failed.`);
  }
}
