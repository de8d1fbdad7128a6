import { readdirSync, readFileSync } from 'node:fs';

type ProcessInfo = { readonly pid: number; readonly parent: number; readonly command: string };

/**
 * Returns the process ids of the extension hosts that the server with this process id has started. It follows the chain
 * of parents, so that extension hosts of other VS Codes on the machine are left out. Linux only: it reads `/proc`.
 */
export function extensionHosts(server: number): number[] {
  const found = processes();
  const parents = new Map(found.map(({ pid, parent }) => [pid, parent]));
  const isOfServer = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) {
      if (at === server) {
        return true;
      }
    }
    return false;
  };
  return found
    .filter(({ pid, command }) => command.split('\0').includes('--type=extensionHost') && isOfServer(pid))
    .map(({ pid }) => pid);
}

function processes(): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name of the program is in parentheses and may contain any character, including parentheses.
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(parent), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        // The process has ended in the meantime.
        return [];
      }
    });
}
