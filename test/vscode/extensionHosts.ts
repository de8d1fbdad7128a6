import { readdirSync, readFileSync } from 'node:fs';

type Found = { readonly pid: number; readonly parent: number; readonly command: string };

/**
 * Ids of the extension hosts that the server of this id has started, by the chain of parents, so that no other
 * VS Code of the machine is among them. Linux alone, where the system tells it in files.
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

function processes(): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name of the program stands in brackets and may hold anything, brackets too.
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(parent), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
