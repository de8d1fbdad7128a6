import { createHmac } from 'node:crypto';

/** Shorter than this is no secret, and the hash could be found again by trying keys. */
const minSecretChars = 16;

/**
 * Names a key without telling it: HMAC-SHA-256 under a secret of this installation, cut to 128 bits, in hex. Without
 * the secret nobody can test a guessed key against it, which a plain hash would allow.
 *
 * @param secret random, the same for as long as the installation lives; asked for once, again only after a failure.
 * @returns a function that rejects when there is no secret.
 */
export function keyFingerprint(secret: () => Promise<string>): (text: string) => Promise<string> {
  let known: Promise<string> | undefined;
  return async (text) => {
    known ??= secret();
    let value: string;
    try {
      value = await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
    if (value.length < minSecretChars) {
      known = undefined;
      throw new Error('The secret that fingerprints are made with is missing or too short.');
    }
    return createHmac('sha256', value).update(text, 'utf8').digest('hex').slice(0, 32);
  };
}
