import { createHmac } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { arch, homedir, release, type } from 'node:os';
import type { Clock } from '../../core/base/clock.ts';

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    if (delayMs <= 0) {
      // A timer would wait at least 1 ms; this only lets events run that are already due.
      const immediate = setImmediate(run);
      return { dispose: () => clearImmediate(immediate) };
    }
    const timer = setTimeout(run, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** The folder where file dialogs start by default. */
export function homeFolder(): string {
  return homedir();
}

/** The path that remains when all links in a path are followed; undefined for one that leads nowhere. */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** The operating system, for reports, such as `Linux 6.1.0 x64`. */
export function systemName(): string {
  return `${type()} ${release()} ${arch()}`;
}

/**
 * Identifies a key without revealing it: HMAC-SHA-256 with a secret of this installation, cut to 128 bits, in hex.
 * Without the secret, a guessed key can't be tested against it, as it could be against a plain hash.
 *
 * @param secret gives a random secret that stays the same for this installation.
 * @returns a function that rejects when there is no secret.
 */
export function keyFingerprint(secret: () => Promise<string>): (text: string) => Promise<string> {
  return async (text) =>
    createHmac('sha256', await secret())
      .update(text, 'utf8')
      .digest('hex')
      .slice(0, 32);
}
