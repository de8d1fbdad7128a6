import type { FoundSecret, SecretKind } from './secretRules.ts';

const names: Readonly<Record<SecretKind, string>> = {
  privateKey: 'PRIVATE_KEY',
  key: 'KEY',
  token: 'TOKEN',
  password: 'PASSWORD',
};
/** No mask is longer, so at most this much of an answer is held back. */
const maxLength = 64;

/** Whether a text begins with something that looks like a mask, of this conversation or of an earlier one. */
export function isMask(text: string): boolean {
  return /^MASKED_[A-Z_]{1,40}_\d/.test(text);
}

/**
 * The masks of a conversation: a mask such as `MASKED_PASSWORD_1` is sent and stored in place of a secret, and the
 * secret is put back wherever the person sees or uses an answer. A mask is a name in most programming languages, so
 * that models repeat it unchanged. The same secret always has the same mask. The secrets are in memory only: after a
 * restart, masks stay as they are.
 */
export class Masks {
  readonly #withoutKeys: (secret: string) => string;
  readonly #secrets = new Map<string, string>();
  readonly #masks = new Map<string, string>();
  /** Finds all masks. A mask is not the start of one with a longer number. */
  #pattern = /(?!)/g;
  readonly #firstNumber: number;

  /**
   * @param firstNumber in the names of the masks.
   * @param withoutKeys removes connection keys, also those that were masked before they were stored.
   */
  constructor(firstNumber = 1, withoutKeys: (secret: string) => string = (secret) => secret) {
    this.#firstNumber = firstNumber;
    this.#withoutKeys = withoutKeys;
  }

  /** The number of secrets that are masked. */
  get size(): number {
    return this.#secrets.size;
  }

  get all(): readonly string[] {
    return [...this.#secrets.keys()];
  }

  /**
   * Masks the secrets in a text.
   *
   * @param found as of `findSecrets` for this text.
   */
  mask(text: string, found: readonly FoundSecret[]): string {
    let masked = '';
    let at = 0;
    for (const { kind, vendor, start, end } of found) {
      masked += text.slice(at, start) + this.#maskOf(text.slice(start, end), kind, vendor, text);
      at = end;
    }
    return masked + text.slice(at);
  }

  /** Puts the secrets back. A mask that is not from this conversation stays. */
  restore(text: string): string {
    return text.replace(this.#pattern, (mask) => this.#withoutKeys(this.#secrets.get(mask) ?? mask));
  }

  /** Whether a text has a mask that is not from this conversation as it is in memory. */
  hasUnknown(text: string): boolean {
    return [...text.matchAll(/MASKED_[A-Z_]{1,40}_\d{1,9}/g)].some(([mask]) => !this.#secrets.has(mask));
  }

  /** The length of the end of a text that may be the start of a mask, or a mask whose number continues. */
  heldLength(text: string): number {
    for (let at = Math.max(0, text.length - maxLength); at < text.length; at++) {
      const end = text.slice(at);
      if (text[at] === 'M' && this.#mayBecomeMask(end)) {
        return end.length;
      }
    }
    return 0;
  }

  /** Forgets these masks and their secrets, where they are in no text that remains. */
  drop(masks: readonly string[]): void {
    for (const mask of masks) {
      this.#masks.delete(this.#secrets.get(mask) ?? '');
      this.#secrets.delete(mask);
    }
    this.#findMasks();
  }

  #findMasks(): void {
    this.#pattern = this.size === 0 ? /(?!)/g : new RegExp(`(?:${this.all.join('|')})(?!\\d)`, 'g');
  }

  #mayBecomeMask(end: string): boolean {
    return this.all.some((mask) => mask.startsWith(end));
  }

  #maskOf(secret: string, kind: SecretKind, vendor: string, text: string): string {
    const known = this.#masks.get(secret);
    if (known !== undefined) {
      return known;
    }
    const owner = vendor === '' ? '' : `${vendor.toUpperCase().replace(/[^A-Z]/g, '_')}_`;
    const name = `MASKED_${owner}${names[kind]}_`;
    let number = this.#firstNumber + this.size;
    while (this.#secrets.has(`${name}${number}`) || text.includes(`${name}${number}`)) {
      number++;
    }
    const mask = `${name}${number}`;
    this.#masks.set(secret, mask);
    this.#secrets.set(mask, secret);
    this.#findMasks();
    return mask;
  }
}

/** Puts secrets back into a text that arrives in pieces. The result doesn't depend on where the text was cut. */
export class MaskRestorer {
  readonly #masks: Masks;
  #held = '';

  constructor(masks: Masks) {
    this.#masks = masks;
  }

  /** @returns the text that can be shown so far. */
  push(piece: string): string {
    const text = this.#held + piece;
    const ready = text.length - this.#masks.heldLength(text);
    this.#held = text.slice(ready);
    return this.#masks.restore(text.slice(0, ready));
  }

  /** Ends the text. @returns what was held back. */
  end(): string {
    const rest = this.#masks.restore(this.#held);
    this.#held = '';
    return rest;
  }
}
