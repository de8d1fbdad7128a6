import { realpath } from 'node:fs/promises';
import { arch, homedir, release, type } from 'node:os';

/** The folder where file dialogs start by default. */
export function homeFolder(): string {
  return homedir();
}

/** The path that remains when all links in a path are followed; undefined for one that leads nowhere. */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** The version of Node, for reports, such as `v22.20.0`. */
export function nodeVersion(): string {
  return process.version;
}

/** The operating system, for reports, such as `Linux 6.1.0 x64`. */
export function systemName(): string {
  return `${type()} ${release()} ${arch()}`;
}
