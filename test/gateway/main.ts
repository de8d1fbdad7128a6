/** Runs the local gateway until Ctrl-C. Its models are scripts and say so; nothing costs money. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { listFaults } from './faultTable.ts';
import { startGateway } from './gateway.ts';
import { type TlsKind, tlsKinds } from './network/certificate.ts';

const kinds = Object.entries(tlsKinds).map(([kind, about]) => `                    ${kind.padEnd(17)} ${about}`);

const helpText = `A model-access service on 127.0.0.1 with a web console: npm run gateway -- [options]

  --port N        port to listen on; without it 8787, or the next free one
  --state FILE    file to keep keys, wallet and log in; without it in memory
  --delay-ms N    milliseconds between deltas (default 20)
  --tls KIND      serve over TLS with a certificate that is one of:
${kinds.join('\n')}
  --list-faults   list the faults it can show, and end
  --help          show this, and end

A fault is asked for by the base URL http://127.0.0.1:PORT/fault/NAME/v1, or on the page of a key. NAME:NUMBER sets its number, NAME@chat or NAME@models its endpoint.`;

async function run(port: string | undefined, stateFile: string | undefined, delayMs: string, tls: string | undefined) {
  if (tls !== undefined && !Object.hasOwn(tlsKinds, tls)) {
    throw new Error(`--tls needs one of ${Object.keys(tlsKinds).join(', ')}, not '${tls}'.`);
  }
  const gateway = await startGateway({
    ports: port === undefined ? Array.from({ length: 50 }, (_, index) => 8787 + index) : [Number(port)],
    stateFile,
    delayMs: Number(delayMs),
    tls: tls as TlsKind | undefined,
    recordedRequests: 0,
  });
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  console.log(`Base URL  ${gateway.baseUrl}\nConsole   ${gateway.consoleUrl}`);
  if (gateway.isNew) {
    console.log(`Key       ${gateway.createKey({ name: 'demo' }).value}\n          in every group; shown this once`);
  }
  if (gateway.authority !== '') {
    console.log(`What signed its certificate, for clients to trust:\n${gateway.authority.trimEnd()}`);
  }
  console.log('Ctrl-C ends it.');
  await ended;
  await gateway.close();
}

try {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    options: {
      port: text,
      state: text,
      'delay-ms': { ...text, default: '20' },
      tls: text,
      'list-faults': flag,
      help: { ...flag, short: 'h' },
    },
  });
  if (values.help === true || values['list-faults'] === true) {
    console.log(values.help === true ? helpText : listFaults());
  } else {
    await run(values.port, values.state, values['delay-ms'], values.tls);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
