import { listQuirks } from './chat/quirks.ts';
import { type CommandLine, CommandLineError, helpText, readCommandLine } from './commandLine.ts';
import { listFaults } from './faultTable.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { forwardTo, type Upstream } from './network/upstream.ts';
import { StateFileError } from './stateFile.ts';

const defaultPort = 8787;

function upstreamOf({ upstream }: CommandLine): Upstream | undefined {
  if (upstream === undefined) {
    return undefined;
  }
  const { baseUrl, keyVariable } = upstream;
  const key = keyVariable === undefined ? '' : process.env[keyVariable];
  if (key === undefined) {
    throw new CommandLineError(`The environment variable ${keyVariable} is not set.`);
  }
  return forwardTo(baseUrl, key);
}

function printStart(gateway: Gateway, { stateFile, upstream }: CommandLine): void {
  console.log(`Base URL  ${gateway.baseUrl}`);
  console.log(`Console   ${gateway.consoleUrl}`);
  console.log(`State     ${stateFile ?? 'in memory'}`);
  console.log(`Models    ${upstream === undefined ? 'scripts, free of charge' : `forwarded to ${upstream.baseUrl}`}`);
  if (gateway.isNew) {
    const { value } = gateway.createKey({ name: 'demo' });
    console.log(`Key       ${value}\n          named demo, in every group; shown this once`);
  }
  if (gateway.authority !== '') {
    console.log(`What signed its certificate, for clients to trust:\n${gateway.authority.trimEnd()}`);
  }
  console.log('Ctrl-C ends it.');
}

/** Resolves at the first SIGINT or SIGTERM. */
function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

async function run(line: CommandLine): Promise<void> {
  const gateway = await startGateway({
    ports: line.port === undefined ? Array.from({ length: 50 }, (_, index) => defaultPort + index) : [line.port],
    stateFile: line.stateFile,
    delayMs: line.delayMs,
    errorsAs200: line.errorsAs200,
    tls: line.tls,
    upstream: upstreamOf(line),
    recordedRequests: 0,
  });
  const ended = endSignal();
  printStart(gateway, line);
  await ended;
  await gateway.close();
}

try {
  const line = readCommandLine(process.argv.slice(2));
  if (line.action === 'run') {
    await run(line);
  } else {
    console.log(
      line.action === 'help'
        ? helpText
        : `${listFaults()}\n\nThe quirks, and the faults that show them:\n${listQuirks()}`,
    );
  }
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof CommandLineError || error instanceof StateFileError) {
    console.error(message);
  } else if (code === 'EADDRINUSE' || code === 'EACCES') {
    console.error(`The port can not be used: ${message}. Choose another one with --port.`);
  } else {
    console.error(error);
  }
  process.exitCode = 1;
}
