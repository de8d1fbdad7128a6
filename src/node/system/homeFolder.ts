import { homedir } from 'node:os';

/** Where dialogs for files begin when nothing better is known. */
export function homeFolder(): string {
  return homedir();
}
