import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startGroup, stopGroup } from '../vscode/processes.ts';
import { writeSettings } from '../vscode/profile.ts';
import { cleanEnvironment, startServer } from '../vscode/server.ts';

/** What to open, and where it keeps what it remembers. */
export type Where = {
  readonly home: string;
  readonly workspace: string;
  /** Extensions under development. */
  readonly extensions: readonly string[];
  /** For the extension host. */
  readonly env: Readonly<Record<string, string>>;
};

/** A VS Code that is open. */
export type Opened = {
  /** What to tell the person about it. */
  readonly words: string;
  /** Resolves when the person has closed it; never where that can not be seen. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/** Opens the desktop VS Code `program` in a window and a profile of its own. */
export async function openDesktop(program: string, { home, workspace, extensions, env }: Where): Promise<Opened> {
  const profile = join(home, 'desktop');
  writeSettings(join(profile, 'user'));
  const isRoot = process.getuid?.() === 0;
  const child = startGroup(
    program,
    [
      ...extensions.map((folder) => `--extensionDevelopmentPath=${folder}`),
      `--user-data-dir=${join(profile, 'user')}`,
      `--extensions-dir=${join(profile, 'extensions')}`,
      '--new-window',
      '--skip-welcome',
      // On Linux without a keyring VS Code would first ask how to keep secrets; this profile has a play key only.
      ...(process.platform === 'linux' ? ['--password-store=basic'] : []),
      ...(isRoot ? ['--no-sandbox'] : []),
      workspace,
    ],
    { env: cleanEnvironment(env), stdio: 'ignore' },
  );
  const closed = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  await once(child, 'spawn').catch((error: Error) => {
    throw new Error(`VS Code could not be started: ${error.message}`);
  });
  return { words: `VS Code opens in a window of its own (${program}).`, closed, close: () => stopGroup(child) };
}

/** Opens the offline VS Code; a browser shows it, the person's own where there is a display. */
export async function openOffline({ home, workspace, extensions, env }: Where): Promise<Opened> {
  const server = await startServer({
    profileDir: join(home, 'offline'),
    open: workspace,
    extensionDevelopmentPaths: extensions,
    env,
  });
  const hasDisplay = process.platform !== 'linux' || !!process.env.DISPLAY || !!process.env.WAYLAND_DISPLAY;
  if (hasDisplay) {
    showInBrowser(server.url);
  }
  const words = [
    `VS Code is at  ${server.url}`,
    hasDisplay ? 'and opens in your browser.' : 'Open that address in a browser on this machine.',
    'No desktop VS Code was found here; ASK_MODEL_VSCODE can name one. This is the same VS Code, shown by a browser.',
  ];
  return { words: words.join('\n'), closed: new Promise(() => undefined), close: () => server.dispose() };
}

/** The browser is the person's: it is not ended with the rest. */
function showInBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
