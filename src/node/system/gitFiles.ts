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
export async function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { paths } = await runGit(folder, list);
  // A file with conflicts is listed several times in a row. A set of all paths would hold the host up for longer.
  return paths.length > 0 ? paths.filter((path, index) => path !== paths[index - 1]) : undefined;
}

/**
 * Finds those of the paths that git ignores and does not track. Call it only for a trusted workspace.
 *
 * @param paths relative to the folder.
 * @returns undefined without git, outside of a repository, and in a folder that is ignored as a whole.
 */
export async function ignoredByGit(folder: string, paths: readonly string[]): Promise<readonly string[] | undefined> {
  // The prefix keeps git from reading a colon as the start of its own syntax.
  const asked = ['.', ...paths.map((path) => `./${path}`)];
  const { code, paths: ignored } = await runGit(folder, ['check-ignore', '-z', '--stdin'], asked.join('\0'));
  // It exits with 1 when no path is ignored.
  const isAnswered = code === 0 || code === 1;
  return isAnswered && !ignored.includes('.') ? ignored.map((path) => path.slice(2)) : undefined;
}

/** Runs git. @returns its exit code, undefined if it did not run to its end, and the paths that it wrote. */
function runGit(
  folder: string,
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number | undefined; readonly paths: readonly string[] }> {
  // Windows looks for a program in the working directory first, so that must not be the folder.
  const options = { cwd: homedir(), timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true };
  return new Promise((resolve) => {
    const git = execFile('git', ['-C', folder, '-c', 'core.fsmonitor=false', ...args], options, (error, output) => {
      const code = typeof error?.code === 'number' ? error.code : undefined;
      const paths = error ? [] : output.split('\0').filter((path) => path !== '');
      resolve({ code: error ? code : 0, paths });
    });
    // It may have ended before it read its input.
    git.stdin?.on('error', () => undefined);
    git.stdin?.end(input);
  });
}
