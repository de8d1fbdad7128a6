import { parseArgs } from 'node:util';
import { StateFileError } from './account.ts';
import { listFaults } from './faultTable.ts';
import { startGateway } from './gateway.ts';
import { type TlsKind, tlsKinds } from './network/certificate.ts';

const kinds = Object.entries(tlsKinds).map(
  ([kind, about]) => `                            ${kind.padEnd(17)} ${about}`,
);

const helpText = `The local gateway: a model-access service on 127.0.0.1 with a web console.
Its models are scripts and say so; nothing costs money.

npm run gateway -- [options]

  --port N                port to listen on; without it 8787, or the next free one
  --state FILE            file the state is kept in (default .vscode-test/gateway-state.json)
  --memory                keep the state in memory only
  --delay-ms N            milliseconds between deltas (default 20)
  --errors-as-200         every failure comes under status 200
  --tls KIND              serve over TLS with a certificate that is one of:
${kinds.join('\n')}
  --list-faults           list the faults it can show, and end
  --help                  show this, and end

A fault is asked for by the header "x-fault: NAME", by the base URL http://127.0.0.1:PORT/fault/NAME/v1,
or on the page of a key. NAME:NUMBER sets its number, NAME@chat or NAME@models its endpoint.`;

/** A command line that can't be used; the message says why. */
class CommandLineError extends Error {}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string' },
        state: { type: 'string', default: '.vscode-test/gateway-state.json' },
        memory: { type: 'boolean' },
        'delay-ms': { type: 'string', default: '20' },
        'errors-as-200': { type: 'boolean' },
        tls: { type: 'string' },
        'list-faults': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new CommandLineError(`${(error as Error).message}\n--help lists the options.`);
  }
}

function wholeNumber(option: string, text: string, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most) {
    throw new CommandLineError(`${option} needs a whole number from 0 to ${most}, not '${text}'.`);
  }
  return Number(text);
}

function isTlsKind(text: string): text is TlsKind {
  return Object.hasOwn(tlsKinds, text);
}

async function run({ port, tls, ...options }: ReturnType<typeof readOptions>): Promise<void> {
  if (tls !== undefined && !isTlsKind(tls)) {
    throw new CommandLineError(`--tls needs one of ${Object.keys(tlsKinds).join(', ')}, not '${tls}'.`);
  }
  const stateFile = options.memory === true ? undefined : options.state;
  const gateway = await startGateway({
    ports:
      port === undefined
        ? Array.from({ length: 50 }, (_, index) => 8787 + index)
        : [wholeNumber('--port', port, 65_535)],
    stateFile,
    delayMs: wholeNumber('--delay-ms', options['delay-ms'], 60_000),
    errorsAs200: options['errors-as-200'] ?? false,
    tls,
    recordedRequests: 0,
  });
  const ended = new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  console.log(`Base URL  ${gateway.baseUrl}`);
  console.log(`Console   ${gateway.consoleUrl}`);
  console.log(`State     ${stateFile ?? 'in memory'}`);
  if (gateway.isNew) {
    const { value } = gateway.createKey({ name: 'demo' });
    console.log(`Key       ${value}\n          named demo, in every group; shown this once`);
  }
  if (gateway.authority !== '') {
    console.log(`What signed its certificate, for clients to trust:\n${gateway.authority.trimEnd()}`);
  }
  console.log('Ctrl-C ends it.');
  await ended;
  await gateway.close();
}

try {
  const options = readOptions();
  if (options.help === true || options['list-faults'] === true) {
    console.log(options.help === true ? helpText : listFaults());
  } else {
    await run(options);
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
