import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startGroup, stopGroup } from '../vscode/processes.ts';
import { writeInstalledExtensions, writeSettings } from '../vscode/profile.ts';
import { cleanEnvironment, type Server, startServer } from '../vscode/server.ts';

/** What to open, and where to store its profile. */
export type OpenOptions = {
  readonly home: string;
  readonly workspace: string;
  /** The folders of the extensions. */
  readonly extensions: readonly string[];
  /** Environment variables for the extension host. */
  readonly env: Readonly<Record<string, string>>;
};

/** A VS Code that is open. */
export type Opened = {
  /** A message for the person about it. */
  readonly message: string;
  /** Resolves when the person has closed it; never for a page in a browser. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/** Opens the desktop VS Code `program` with its own window and profile. */
export async function openDesktop(program: string, { home, workspace, extensions, env }: OpenOptions): Promise<Opened> {
  const profile = join(home, 'desktop');
  writeSettings(join(profile, 'user'));
  // Only the first window has the extensions under development.
  writeInstalledExtensions(join(profile, 'extensions'), extensions);
  const isRoot = process.getuid?.() === 0;
  const child = startGroup(
    program,
    [
      ...extensions.map((folder) => `--extensionDevelopmentPath=${folder}`),
      `--user-data-dir=${join(profile, 'user')}`,
      `--extensions-dir=${join(profile, 'extensions')}`,
      '--new-window',
      '--skip-welcome',
      // On Linux without a keyring VS Code would first ask how to store secrets; this profile has only a test key.
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
    throw new Error(`VS Code couldn't be started: ${error.message}`);
  });
  return { message: `VS Code opens in its own window (${program}).`, closed, close: () => stopGroup(child) };
}

/** Starts the offline VS Code and, when there is a display, opens it in the person's browser. */
export async function openOffline({
  home,
  workspace,
  extensions,
  env,
}: OpenOptions): Promise<Opened & { readonly server: Server }> {
  const server = await startServer({
    profileDir: join(home, 'offline'),
    open: workspace,
    // The companion connects the first extension in the first window, where that is under development. All are installed
    // too, because a window that opens another folder has only those.
    extensionDevelopmentPaths: [extensions[0] ?? '', ...extensions],
    env,
  });
  const hasDisplay = process.platform !== 'linux' || !!process.env.DISPLAY || !!process.env.WAYLAND_DISPLAY;
  if (hasDisplay) {
    showInBrowser(server.url);
  }
  const lines = [
    `VS Code is running at ${server.url}`,
    hasDisplay ? 'It opens in your browser.' : 'Open this address in a browser on this computer.',
    "A desktop VS Code wasn't found. To use one, set ASK_MODEL_VSCODE to its path.",
  ];
  return { message: lines.join('\n'), closed: new Promise(() => undefined), close: () => server.dispose(), server };
}

/** Opens a URL in the person's browser, which keeps running when this process ends. */
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
