import { mkdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { offlineVSCode } from './paths.ts';
import { startGroup, stopGroup } from './processes.ts';
import {
  linkBuiltInExtensions,
  type Settings,
  writeDisplayLanguage,
  writeInstalledExtensions,
  writeSettings,
} from './profile.ts';
import { openReverseProxy } from './reverseProxy.ts';
import { makeTemporary, removeTemporary } from './temporary.ts';

/** What to start VS Code with. All paths are absolute. */
export type ServerOptions = {
  /** Holds everything that this VS Code stores. */
  readonly profileDir: string;
  /** The folder, file or workspace file to open. */
  readonly open?: string;
  /** The first is under development, further ones are installed. If the first is empty, none is under development. */
  readonly extensionDevelopmentPaths?: readonly string[];
  readonly extensionTestsPath?: string;
  readonly userDataDir?: string;
  readonly extensionsDir?: string;
  /** Settings for a new profile; existing settings are left as they are. */
  readonly settings?: Settings;
  /** The display language, such as `zh-cn`; VS Code's own texts stay English. English by default. */
  readonly language?: string;
  /** Environment variables for the server and its extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** One more source of frames for the workbench, in the syntax of a content security policy. */
  readonly framesFrom?: string;
  /** Leaves out the built-in extensions that start programs or connect to services. */
  readonly isLight?: boolean;
};

/** A running offline VS Code. */
export type Server = {
  /** The URL to open in any browser on this machine. */
  readonly url: string;
  readonly profileDir: string;
  /** The id of the server's process. */
  readonly pid: number;
  /** The end of what the server has printed. */
  log(): string;
  /** Removes the settings and all stored state, for the next window. No window may be open. */
  startOver(options: Pick<ServerOptions, 'open' | 'settings'>): void;
  /** Ends the server, its extension hosts and the proxy in front of them. Safe to call twice. */
  dispose(): Promise<void>;
};

/** Without a gallery, VS Code doesn't look for the language pack there. */
const languageEnvironment = { EXTENSIONS_GALLERY: '{}' };

/** Starts the offline VS Code and resolves when it answers; rejects with its log when it doesn't within a minute. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { profileDir } = options;
  const userDataDir = options.userDataDir ?? join(profileDir, 'user');
  const extensionsDir = options.extensionsDir ?? join(profileDir, 'extensions');
  mkdirSync(profileDir, { recursive: true });
  const writeUser = (settings: Settings | undefined) => {
    writeSettings(userDataDir, settings);
    if (options.language !== undefined) {
      writeDisplayLanguage(userDataDir, options.language);
    }
  };
  writeUser(options.settings);
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
      ...(options.isLight ? ['--builtin-extensions-dir', linkBuiltInExtensions(join(profileDir, 'built-in'))] : []),
    ],
    {
      env: cleanEnvironment({ ...options.env, ...(options.language && languageEnvironment) }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = `${log}${withoutStacks(text)}`.slice(-8_000);
    });
  }
  let opened = options;
  const reverseProxy = await openReverseProxy(
    socketPath,
    profileDir,
    (host) => workbenchAddress(host, opened),
    options.framesFrom,
  );
  const dispose = async () => {
    await Promise.all([reverseProxy.close(), stopGroup(child)]);
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
    writeUser(settings);
    opened = { ...options, open };
  };
  return { url: reverseProxy.url, profileDir, pid: child.pid ?? 0, log: () => log, startOver, dispose };
}

/** Returns the full URL of the workbench, with what to open and which extension and tests to load. */
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
  if (options.open?.endsWith('.code-workspace')) {
    query.set('workspace', pathToFileURL(options.open).pathname);
  } else if (options.open && statSync(options.open).isDirectory()) {
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

/** Removes stack traces and the server's repeated messages that its native log module is missing, which is intended. */
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
 * Returns the environment without variables that would change the VS Code: those of Node, of a test runner, and of
 * another VS Code that this process may run in.
 */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const isForeign = (name: string) =>
    /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|NODE_COMPILE_CACHE$)/.test(name);
  const own = Object.entries(process.env).filter(([name]) => !isForeign(name));
  return { ...Object.fromEntries(own), ...extra };
}
