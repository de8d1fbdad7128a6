import { execFile } from 'node:child_process';
import { homedir } from 'node:os';

const timeoutMs = 10_000;
const maxBytes = 64 * 2 ** 20;

/**
 * Lists the files of a folder that git tracks, and those it neither tracks nor ignores. Call it only for a trusted
 * workspace, whose repository may configure programs for git to run.
 *
 * @returns paths relative to the folder, with forward slashes; undefined without git and outside of a repository.
 */
export function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  const args = ['-C', folder, '-c', 'core.fsmonitor=false'];
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  // Windows looks for a program in the working directory first, so that must not be the folder.
  const options = { cwd: homedir(), timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true };
  return new Promise((resolve) => {
    execFile('git', [...args, ...list], options, (error, output) => {
      const paths = error ? [] : [...new Set(output.split('\0'))].filter((path) => path !== '');
      resolve(paths.length > 0 ? paths : undefined);
    });
  });
}
