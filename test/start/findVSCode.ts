import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/**
 * Finds the program of a desktop VS Code on this machine, not its command-line script: ending the script wouldn't end
 * the program. `ASK_MODEL_VSCODE` takes precedence. Undefined when there is no VS Code, or no display to show it on.
 */
export function findVSCode(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.ASK_MODEL_VSCODE) {
    return env.ASK_MODEL_VSCODE;
  }
  if (process.platform === 'darwin') {
    const applications = ['/Applications', join(env.HOME ?? '', 'Applications')];
    const programs = applications.map((folder) => join(folder, 'Visual Studio Code.app', 'Contents', 'MacOS'));
    return programs
      .flatMap((folder) => [join(folder, 'Code'), join(folder, 'Electron')])
      .find((path) => existsSync(path));
  }
  if (process.platform === 'win32') {
    const folders = [join(env.LocalAppData ?? '', 'Programs'), env.ProgramFiles ?? '', env['ProgramFiles(x86)'] ?? ''];
    return folders.map((folder) => join(folder, 'Microsoft VS Code', 'Code.exe')).find((path) => existsSync(path));
  }
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) {
    return undefined;
  }
  const scripts = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'code'));
  const installed = scripts.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  // `…/bin/code` is the script that belongs to the program in `…`. A `code` in another folder belongs to a remote or a
  // Windows VS Code.
  const programs = installed
    .filter((path) => basename(dirname(path)) === 'bin')
    .map((path) => join(dirname(dirname(path)), 'code'));
  return [...programs, '/usr/share/code/code', '/opt/visual-studio-code/code'].find((path) => existsSync(path));
}

// Run as a program by start.mjs, which can't import TypeScript.
if (import.meta.main) {
  const path = findVSCode();
  console.log(path ?? 'none');
  process.exitCode = path ? 0 : 1;
}
