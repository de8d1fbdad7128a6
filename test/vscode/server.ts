import { mkdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openFrontDoor } from './frontDoor.ts';
import { offlineVSCode } from './paths.ts';
import { startGroup, stopGroup } from './processes.ts';
import { linkBuiltInExtensions, type Settings, writeInstalledExtensions, writeSettings } from './profile.ts';
import { makeTemporary, removeTemporary } from './temporary.ts';

/** Which VS Code to start, and with what in it. All paths are absolute. */
export type ServerOptions = {
  /** Everything this VS Code remembers. */
  readonly profileDir: string;
  /** The folder it opens; or a file. */
  readonly open?: string | undefined;
  /** The first is under development, further ones are installed. An empty first one is none. */
  readonly extensionDevelopmentPaths?: readonly string[] | undefined;
  readonly extensionTestsPath?: string | undefined;
  readonly userDataDir?: string | undefined;
  readonly extensionsDir?: string | undefined;
  /** For a new profile; one that has settings keeps them. */
  readonly settings?: Settings | undefined;
  /** For the server and the extension host in it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** One more source of frames for the workbench, as in a content policy. */
  readonly framesFrom?: string | undefined;
  /** Those to keep of the built-in extensions that start programs or connect to services; all when it is not said. */
  readonly heavyExtensions?: readonly string[] | undefined;
};

/** A running offline VS Code. */
export type Server = {
  /** Opens in any browser of this machine. */
  readonly url: string;
  readonly profileDir: string;
  /** Of the server's process. */
  readonly pid: number;
  /** The end of what the server has printed. */
  log(): string;
  /** Forgets the settings and all that was remembered, for the next window. No window may be open. */
  startOver(options: Pick<ServerOptions, 'open' | 'settings'>): void;
  /** Ends the server, its extension hosts and the way to them. Safe to call twice. */
  dispose(): Promise<void>;
};

/** Starts the offline VS Code and resolves when it answers; rejects with its log when it does not in a minute. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { profileDir, heavyExtensions } = options;
  const userDataDir = options.userDataDir ?? join(profileDir, 'user');
  const extensionsDir = options.extensionsDir ?? join(profileDir, 'extensions');
  mkdirSync(profileDir, { recursive: true });
  writeSettings(userDataDir, options.settings);
  writeInstalledExtensions(extensionsDir, options.extensionDevelopmentPaths?.slice(1) ?? []);

  const socketDir = makeTemporary('socket');
  const socketPath =
    process.platform === 'win32' ? `\\\\.\\pipe\\${socketDir.replaceAll(/\W/g, '-')}` : join(socketDir, 's');
  const child = startGroup(
    process.execPath,
    [
      join(offlineVSCode(), 'out', 'server-main.js'),
      ...['--socket-path', socketPath],
      ...['--without-connection-token', '--accept-server-license-terms'],
      '--disable-telemetry',
      ...['--server-data-dir', join(profileDir, 'server')],
      ...['--user-data-dir', userDataDir],
      ...['--extensions-dir', extensionsDir],
      ...(heavyExtensions === undefined
        ? []
        : ['--builtin-extensions-dir', linkBuiltInExtensions(join(profileDir, 'built-in'), heavyExtensions)]),
    ],
    { env: cleanEnvironment(options.env), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = `${log}${withoutStacks(text)}`.slice(-8_000);
    });
  }
  let opened = options;
  const frontDoor = await openFrontDoor(
    socketPath,
    profileDir,
    (host) => workbenchAddress(host, opened),
    options.framesFrom,
  );
  const dispose = async () => {
    await Promise.all([frontDoor.close(), stopGroup(child)]);
    removeTemporary(socketDir);
  };
  try {
    const until = Date.now() + 60_000;
    while (!(await answers(socketPath))) {
      if (child.exitCode !== null || Date.now() > until) {
        throw new Error(`The offline VS Code did not start (exit code ${child.exitCode}).\n${log}`);
      }
      await delay(50);
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  const startOver = ({ open, settings }: Pick<ServerOptions, 'open' | 'settings'>) => {
    rmSync(join(userDataDir, 'User'), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    writeSettings(userDataDir, settings);
    opened = { ...options, open };
  };
  return { url: frontDoor.url, profileDir, pid: child.pid ?? 0, log: () => log, startOver, dispose };
}

/** The whole address of the workbench: what to open, and which extension and tests to load into it. */
function workbenchAddress(host: string, options: ServerOptions): string {
  const remote = (path: string) => `vscode-remote://${host}${pathToFileURL(path).pathname}`;
  const payload = [['skipWelcome', 'true']];
  const [extension] = options.extensionDevelopmentPaths ?? [];
  if (extension) {
    payload.push(['extensionDevelopmentPath', remote(extension)]);
  }
  if (options.extensionTestsPath) {
    payload.push(['extensionTestsPath', remote(options.extensionTestsPath)]);
  }
  const query = new URLSearchParams();
  if (options.open && statSync(options.open).isDirectory()) {
    query.set('folder', pathToFileURL(options.open).pathname);
  } else {
    query.set('ew', 'true');
    if (options.open) {
      payload.push(['openFile', remote(options.open)]);
    }
  }
  query.set('payload', JSON.stringify(payload));
  return `/?${query}`;
}

/** The server tells at length, and often, that its native log is missing, which is on purpose. */
function withoutStacks(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s|^[{}\]]|spdlog|Could not locate the bindings file/.test(line));
  return lines.join('\n');
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    request({ socketPath, path: '/version', timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false))
      .end();
  });
}

/**
 * The environment without what would change the VS Code inside: settings of a Node, a test runner or another
 * VS Code that this process happens to run in.
 */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const isForeign = (name: string) =>
    /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|NODE_COMPILE_CACHE$)/.test(name);
  const kept = Object.entries(process.env).filter(([name]) => !isForeign(name));
  return { ...Object.fromEntries(kept), ...extra };
}
