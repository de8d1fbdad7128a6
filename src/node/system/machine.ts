import { arch, homedir, release, type } from 'node:os';

/** Where dialogs for files begin when nothing better is known. */
export function homeFolder(): string {
  return homedir();
}

/** The system a report comes from, such as `Linux 6.1.0 x64`. */
export function systemName(): string {
  return `${type()} ${release()} ${arch()}`;
}
