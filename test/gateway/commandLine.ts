import { parseArgs } from 'node:util';
import { isTlsKind, type TlsKind, tlsKinds } from './network/tlsIdentity.ts';

/** The options and the action that the command line gives. */
export interface CommandLine {
  readonly port: number | undefined;
  readonly stateFile: string | undefined;
  readonly delayMs: number;
  readonly errorsAs200: boolean;
  readonly tls: TlsKind | undefined;
  readonly upstream: { readonly baseUrl: string; readonly keyVariable: string | undefined } | undefined;
  readonly action: 'run' | 'help' | 'listFaults';
}

/** An invalid command line; the message says why. */
export class CommandLineError extends Error {}

/** The text that `--help` prints. */
export const helpText = `The local gateway: a model-access service on 127.0.0.1 with a web console.
Its models are scripts and say so; nothing costs money.

npm run gateway -- [options]

  --port N                port to listen on; without it 8787, or the next free one
  --state FILE            file the state is kept in (default .vscode-test/gateway-state.json)
  --memory                keep the state in memory only
  --delay-ms N            milliseconds between deltas (default 20)
  --errors-as-200         every failure comes under status 200
  --tls KIND              serve over TLS with a certificate that is one of:
${Object.entries(tlsKinds)
  .map(([kind, about]) => `                            ${kind.padEnd(17)} ${about}`)
  .join('\n')}
  --upstream URL          forward to a real OpenAI-compatible service, such as https://host/v1
  --upstream-key-env NAME environment variable that holds the key for it
  --list-faults           list the faults it can show, and end
  --help                  show this, and end

A fault is asked for by the header "x-fault: NAME", by the base URL http://127.0.0.1:PORT/fault/NAME/v1,
or on the page of a key. NAME:NUMBER sets its number, NAME@chat or NAME@models its endpoint.`;

/** Reads the arguments; throws a CommandLineError for unknown options and invalid values. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const values = parse(args);
  if (values['upstream-key-env'] !== undefined && values.upstream === undefined) {
    throw new CommandLineError('--upstream-key-env needs --upstream.');
  }
  if (values.upstream !== undefined && !/^https?:\/\//.test(values.upstream)) {
    throw new CommandLineError(`--upstream needs an http or https address, not '${values.upstream}'.`);
  }
  if (values.memory === true && values.state !== undefined) {
    throw new CommandLineError('--memory and --state exclude each other.');
  }
  return {
    port: values.port === undefined ? undefined : wholeNumber('--port', values.port, 65_535),
    stateFile: values.memory === true ? undefined : (values.state ?? '.vscode-test/gateway-state.json'),
    delayMs: values['delay-ms'] === undefined ? 20 : wholeNumber('--delay-ms', values['delay-ms'], 60_000),
    errorsAs200: values['errors-as-200'] ?? false,
    tls: values.tls === undefined ? undefined : tlsKind(values.tls),
    upstream:
      values.upstream === undefined ? undefined : { baseUrl: values.upstream, keyVariable: values['upstream-key-env'] },
    action: values.help === true ? 'help' : values['list-faults'] === true ? 'listFaults' : 'run',
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        state: { type: 'string' },
        memory: { type: 'boolean' },
        'delay-ms': { type: 'string' },
        'errors-as-200': { type: 'boolean' },
        tls: { type: 'string' },
        upstream: { type: 'string' },
        'upstream-key-env': { type: 'string' },
        'list-faults': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new CommandLineError(`${(error as Error).message}\n--help lists the options.`);
  }
}

function tlsKind(text: string): TlsKind {
  if (!isTlsKind(text)) {
    throw new CommandLineError(`--tls needs one of ${Object.keys(tlsKinds).join(', ')}, not '${text}'.`);
  }
  return text;
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > most) {
    throw new CommandLineError(`${option} needs a whole number from 0 to ${most}, not '${text}'.`);
  }
  return number;
}
