import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

const timeoutMs = 10_000;
const maxBytes = 64 * 2 ** 20;

/**
 * Lists the files of a folder that git tracks, and those it neither tracks nor ignores, with those of submodules and
 * other repositories in it, which git itself lists as folders (claude-code#45601, nimbalyst#1449, cody#3098). Links are
 * listed as files, whatever they lead to. Call it only for a trusted workspace, whose repository may configure programs
 * for git to run.
 *
 * @returns paths relative to the folder, with forward slashes; undefined without git and outside of a repository.
 */
export async function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  const { paths: entries } = await runGit(folder, ['ls-files', '-z', '--stage', '--others', '--exclude-standard']);
  const files: string[] = [];
  const repositories = new Set<string>();
  for (const entry of entries) {
    const [, mode, tracked] = /^(\d{6}) [\da-f]+ \d\t(.*)$/s.exec(entry) ?? [];
    const path = tracked ?? entry;
    if (mode === '160000' || path.endsWith('/')) {
      repositories.add(path.replace(/\/$/, ''));
    } else if (path !== files.at(-1)) {
      // A file with conflicts is listed several times in a row. A set of all paths would hold the host up for longer.
      files.push(path);
    }
  }
  // In the folder of a submodule that was not checked out, git lists that folder.
  repositories.delete('.');
  for (const repository of repositories) {
    const found = await gitFiles(join(folder, repository));
    files.push(...(found ?? []).map((path) => `${repository}/${path}`));
  }
  return entries.length > 0 ? files : undefined;
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
