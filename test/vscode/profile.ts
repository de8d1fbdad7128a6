import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { offlineVSCode } from './paths.ts';

/** A VS Code that does nothing by itself: no news, no tips, no updates, no telemetry. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
};

/** Settings by their dotted names, as in `settings.json`. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * Writes the user settings of a new profile: quiet ones, with `settings` on top. A profile that has settings keeps
 * them, as they may be a person's by now.
 */
export function writeSettings(userDataDir: string, settings: Settings = {}): void {
  const file = join(userDataDir, 'User', 'settings.json');
  if (!existsSync(file)) {
    mkdirSync(join(userDataDir, 'User'), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ ...quietSettings, ...settings }, null, 2)}\n`);
  }
}

/**
 * Makes `folders` the extensions installed in `extensionsDir`, each where it is. The web workbench takes only one
 * extension under development (its payload is a map), so further ones come in this way.
 */
export function writeInstalledExtensions(extensionsDir: string, folders: readonly string[]): void {
  mkdirSync(extensionsDir, { recursive: true });
  const entries = folders.map((folder) => {
    const { publisher, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return {
      identifier: { id: `${publisher}.${name}` },
      version,
      location: { $mid: 1, path: pathToFileURL(folder).pathname, scheme: 'file' },
    };
  });
  writeFileSync(join(extensionsDir, 'extensions.json'), JSON.stringify(entries));
}

/**
 * Built-in extensions that start a program, read the folder or wait for a service in every window, though no test needs
 * them. Without them a window opens and reloads in three quarters of the time. One that also runs in a browser is looked
 * for there when it is left out, and a message says that it was not found; of messages only three are in sight. So of
 * those TypeScript alone is left out.
 */
const heavyExtensions = new Set([
  ...['copilot', 'github', 'microsoft-authentication', 'tunnel-forwarding'],
  ...['typescript-language-features', 'php-language-features', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['debug-auto-launch', 'debug-server-ready', 'terminal-suggest', 'grunt', 'gulp', 'jake', 'notebook-renderers'],
]);

/** Fills `folder` with links to the built-in extensions of the offline VS Code, without the heavy ones except `heavy`. */
export function linkBuiltInExtensions(folder: string, heavy: readonly string[]): string {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const builtIn = join(offlineVSCode(), 'extensions');
    for (const name of readdirSync(builtIn)) {
      if (!heavyExtensions.has(name) || heavy.includes(name)) {
        symlinkSync(join(builtIn, name), join(folder, name), 'junction');
      }
    }
  }
  return folder;
}
