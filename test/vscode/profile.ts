import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { offlineVSCode } from './paths.ts';

/** Settings that turn off release notes, tips, updates and telemetry. */
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
  // With more than 20 ports to forward, VS Code would change the user settings.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
};

/** Settings by their dotted names, as in `settings.json`. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * Writes the user settings of a new profile: the quiet ones above, overridden by `settings`. Existing settings are left
 * as they are, because the person may have changed them.
 */
export function writeSettings(userDataDir: string, settings: Settings = {}): void {
  const file = join(userDataDir, 'User', 'settings.json');
  if (!existsSync(file)) {
    mkdirSync(join(userDataDir, 'User'), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ ...quietSettings, ...settings }, null, 2)}\n`);
  }
}

/**
 * Makes `language`, such as `zh-cn`, the display language of a new profile. VS Code's own texts stay English, because
 * the language pack in the profile is empty; extensions get the language, and their translations for it.
 */
export function writeDisplayLanguage(userDataDir: string, language: string): void {
  const translations = join(userDataDir, 'main.i18n.json');
  const pack = {
    hash: 'empty',
    label: language,
    // Without an extension here, VS Code doesn't load any other extension either.
    extensions: [{ extensionIdentifier: { id: 'empty.language-pack' }, version: '1.0.0' }],
    translations: { vscode: translations },
  };
  mkdirSync(join(userDataDir, 'User'), { recursive: true });
  writeFileSync(join(userDataDir, 'User', 'argv.json'), JSON.stringify({ locale: language }));
  writeFileSync(translations, JSON.stringify({ version: '1.0.0', contents: {} }));
  writeFileSync(join(userDataDir, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/**
 * Lists `folders` as the extensions installed in `extensionsDir`, without copying them. The web workbench accepts only
 * one extension under development (its payload is a map), so further ones are installed like this.
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
 * them. Without them a window opens and reloads in three quarters of the time. For one that also runs in a browser,
 * VS Code shows a notification that it wasn't found there. VS Code shows only three notifications at a time, so
 * TypeScript is the only one of that kind in this list.
 */
const heavyExtensions = new Set([
  ...['copilot', 'github', 'microsoft-authentication', 'tunnel-forwarding'],
  ...['typescript-language-features', 'php-language-features', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['debug-auto-launch', 'debug-server-ready', 'terminal-suggest', 'grunt', 'gulp', 'jake', 'notebook-renderers'],
]);

/** Creates `folder` with links to the built-in extensions of the offline VS Code except the heavy ones, unless it exists. */
export function linkBuiltInExtensions(folder: string): string {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const builtIn = join(offlineVSCode(), 'extensions');
    for (const name of readdirSync(builtIn)) {
      if (!heavyExtensions.has(name)) {
        symlinkSync(join(builtIn, name), join(folder, name), 'junction');
      }
    }
  }
  return folder;
}
