import { execFile } from 'node:child_process';
import { homedir } from 'node:os';

const timeoutMs = 10_000;
const maxBytes = 64 * 2 ** 20;

/**
 * Finds those of the paths that git ignores and does not track. Call it only for a trusted workspace.
 *
 * @param paths relative to the folder.
 * @returns undefined without git, outside of a repository, and in a folder that is ignored as a whole.
 */
export function ignoredByGit(folder: string, paths: readonly string[]): Promise<readonly string[] | undefined> {
  // The prefix keeps git from reading a colon as the start of its own syntax.
  const asked = ['.', ...paths.map((path) => `./${path}`)];
  const args = ['-C', folder, '-c', 'core.fsmonitor=false', 'check-ignore', '-z', '--stdin'];
  // Windows looks for a program in the working directory first, so that must not be the folder.
  const options = { cwd: homedir(), timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true };
  return new Promise((resolve) => {
    const git = execFile('git', args, options, (error, output) => {
      // It exits with 1 when no path is ignored.
      const ignored = error?.code === 1 ? [] : output.split('\0').filter((path) => path !== '');
      const isAnswered = error === null || error.code === 1;
      resolve(isAnswered && !ignored.includes('.') ? ignored.map((path) => path.slice(2)) : undefined);
    });
    // It may have ended before it read its input.
    git.stdin?.on('error', () => undefined);
    git.stdin?.end(asked.join('\0'));
  });
}
