import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
 * Extensions that VS Code brings along and that work at each start of a window or at each file: other assistants,
 * accounts, source control, debuggers, task runners, services for languages (not their colours).
 */
const leftOut = [
  ...['copilot', 'git', 'git-base', 'github', 'github-authentication', 'microsoft-authentication'],
  ...['debug-auto-launch', 'debug-server-ready', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['ms-vscode.vscode-js-profile-table', 'grunt', 'gulp', 'jake', 'npm', 'emmet', 'merge-conflict'],
  ...['terminal-suggest', 'tunnel-forwarding', 'simple-browser', 'ipynb', 'notebook-renderers'],
  ...['typescript-language-features', 'json-language-features', 'css-language-features', 'html-language-features'],
  ...['php-language-features', 'markdown-language-features', 'configuration-editing', 'extension-editing'],
];

/** Fills `folder` with links to the extensions that come with VS Code in `from`, but for those that are left out. */
export function linkBuiltinExtensions(folder: string, from: string): void {
  if (existsSync(folder)) {
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(from).filter((each) => !leftOut.includes(each))) {
    // A junction needs no rights of an administrator on Windows; elsewhere the word is ignored.
    symlinkSync(join(from, name), join(folder, name), 'junction');
  }
}
