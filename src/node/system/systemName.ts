import { arch, release, type } from 'node:os';

/** The system a report comes from, such as `Linux 6.1.0 x64`. */
export function systemName(): string {
  return `${type()} ${release()} ${arch()}`;
}
