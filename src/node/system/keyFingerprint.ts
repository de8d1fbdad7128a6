import { createHmac } from 'node:crypto';

/**
 * Identifies a key without revealing it: HMAC-SHA-256 with a secret of this installation, cut to 128 bits, in hex.
 * Without the secret, a guessed key can't be tested against it, as it could be against a plain hash.
 *
 * @param secret gives a random secret that stays the same for this installation. It is called once, and again only
 * after a failure.
 * @returns a function that rejects when there is no secret.
 */
export function keyFingerprint(secret: () => Promise<string>): (text: string) => Promise<string> {
  let cached: Promise<string> | undefined;
  return async (text) => {
    cached ??= secret().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return createHmac('sha256', await cached)
      .update(text, 'utf8')
      .digest('hex')
      .slice(0, 32);
  };
}
