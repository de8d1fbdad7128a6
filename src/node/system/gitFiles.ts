import { execFile } from 'node:child_process';
import { homedir } from 'node:os';

const timeoutMs = 10_000;
const maxBytes = 64 * 2 ** 20;

/** What git printed; undefined when it ended with another code than the expected ones, or didn't run at all. */
type Printed = { readonly text: string; readonly code: number } | undefined;

/** Runs git in a folder, with nothing that another program has to be started for. Call it only for a trusted workspace. */
function run(
  program: string,
  folder: string,
  args: readonly string[],
  codes: readonly number[],
  input = '',
  encoding: 'utf8' | 'latin1' = 'utf8',
) {
  // Windows looks for a program in the working directory first, so that must not be the folder.
  const options = {
    cwd: homedir(),
    encoding,
    timeout: timeoutMs,
    maxBuffer: maxBytes,
    windowsHide: true,
    // What only reads must not wait for the person's own git, or keep it waiting.
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  };
  return new Promise<Printed>((resolve) => {
    const settings = ['core.fsmonitor=false', 'log.showSignature=false', 'i18n.logOutputEncoding=UTF-8'];
    const all = ['-C', folder, ...settings.flatMap((each) => ['-c', each]), ...args];
    const git = execFile(program, all, options, (error, text) => {
      const code = error === null ? 0 : Number(error.code);
      resolve(codes.includes(code) ? { text, code } : undefined);
    });
    // It may have ended before it read its input.
    git.stdin?.on('error', () => undefined);
    git.stdin?.end(input);
  });
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
  // It exits with 1 when no path is ignored.
  const printed = await run('git', folder, ['check-ignore', '-z', '--stdin'], [0, 1], asked.join('\0'));
  const ignored = printed?.code === 0 ? printed.text.split('\0').filter((path) => path !== '') : [];
  return printed === undefined || ignored.includes('.') ? undefined : ignored.map((path) => path.slice(2));
}

/**
 * Runs a command of git that only reads. Call it only for a trusted workspace.
 *
 * @param program the path of git.
 * @param input what it reads.
 * @param encoding `latin1` for one character per byte.
 * @returns what it printed; undefined when it failed. A difference that `--no-index` finds is no failure.
 */
export async function readGit(
  program: string,
  folder: string,
  args: readonly string[],
  input?: string,
  encoding?: 'latin1',
): Promise<string | undefined> {
  return (await run(program, folder, args, args.includes('--no-index') ? [0, 1] : [0], input, encoding))?.text;
}
