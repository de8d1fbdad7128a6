import { decodedUri } from '../../base/loose.ts';
import { type FoundSecret, type SecretKind, withoutOverlaps } from './secretRules.ts';

const names: Readonly<Record<SecretKind, string>> = {
  privateKey: 'PRIVATE_KEY',
  key: 'KEY',
  token: 'TOKEN',
  password: 'PASSWORD',
};
/** No mask is longer, so at most this much of an answer is held back. */
const maxLength = 96;
/** Secrets of these lengths are recognized wherever they are; longer ones have a format of their own. */
const minKnown = 6;
const maxKnown = 128;
/** As much as an address that can be opened may have. */
const maxAddress = 8_192;

/** A mask whose end is missing. */
const startOfMask = /^MASKED_[A-Z_]{0,40}(?:\d{1,9}(?:_[a-z\d]{0,11})?)?$/;

/** Whether a text looks like a mask, of this conversation or of an earlier one. It may be of an earlier version. */
export function isMask(text: string): boolean {
  return /^MASKED_[A-Z_]{1,40}_\d{1,9}(?:_[a-z\d]{12})?$/.test(text);
}

/**
 * The masks of a conversation: a mask such as `MASKED_PASSWORD_1_4f0c92d81b6e` is sent and stored in place of a secret,
 * and the secret is put back wherever the person sees or uses an answer. A mask is a name in most programming languages,
 * so that models repeat it unchanged. It ends with a random part, so that no file can have it. The same secret always
 * has the same mask. The secrets are in memory only: after a restart, masks stay as they are.
 */
export class Masks {
  readonly #suffix: string;
  readonly #withoutKeys: (secret: string) => string;
  readonly #secrets = new Map<string, string>();
  readonly #masks = new Map<string, string>();
  /** The lengths of the secrets that are recognized without their place, by their first units. */
  readonly #lengths = new Map<string, Set<number>>();
  /** The files that a secret was found in, by its mask. */
  readonly #files = new Map<string, Set<string>>();
  readonly #pattern: RegExp;

  /**
   * @param suffix the random part: 12 small letters and digits.
   * @param withoutKeys removes connection keys, also those that were masked before they were stored.
   */
  constructor(suffix: string, withoutKeys: (secret: string) => string = (secret) => secret) {
    this.#suffix = suffix;
    this.#pattern = new RegExp(`MASKED_[A-Z_]{1,40}_\\d{1,9}_${suffix}`, 'g');
    this.#withoutKeys = withoutKeys;
  }

  /** The number of secrets that are masked. With more, a text may have more to mask. */
  get size(): number {
    return this.#secrets.size;
  }

  /**
   * Masks what was found in a text, and returns it with every other place in it of a secret that is known by now, because a value is used
   * where nothing shows what it is.
   *
   * @param found as of `findSecrets` for this text.
   */
  everywhere(text: string, found: readonly FoundSecret[]): readonly FoundSecret[] {
    for (const { kind, vendor, start, end } of found) {
      this.#maskOf(text.slice(start, end), kind, vendor);
    }
    const again: FoundSecret[] = [];
    // Without secrets that are recognized anywhere, nothing is looked for.
    for (const { index: start } of this.#lengths.size === 0 ? [] : text.matchAll(/\b(?=\S)|(?<!\w)(?=[^\w\s])/g)) {
      for (const length of this.#lengths.get(text.slice(start, start + minKnown)) ?? []) {
        const end = start + length;
        if (this.#masks.has(text.slice(start, end)) && !/^\w\w$/.test(text.slice(end - 1, end + 1))) {
          again.push({ kind: 'token', vendor: '', start, end });
        }
      }
    }
    return again.length === 0 ? found : withoutOverlaps([...found, ...again]);
  }

  /** The mask of a secret, if it has one. */
  of(secret: string): string | undefined {
    return this.#masks.get(secret);
  }

  /**
   * Masks the secrets in a text.
   *
   * @param found as of `findSecrets` for this text.
   * @param path of the file or folder that the text is from, if it is from one.
   */
  mask(text: string, found: readonly FoundSecret[], path = ''): string {
    let masked = '';
    let at = 0;
    for (const { kind, vendor, start, end } of found) {
      const mask = this.#maskOf(text.slice(start, end), kind, vendor);
      this.#files.set(mask, (this.#files.get(mask) ?? new Set()).add(path));
      masked += text.slice(at, start) + mask;
      at = end;
    }
    return masked + text.slice(at);
  }

  /**
   * Puts the secrets back into an answer. A mask that is not from this conversation stays. What is sent or stored may
   * have a mask of an answer that was copied, so it never comes from here.
   */
  restore(text: string): string {
    return text.replace(this.#pattern, (mask) => this.#value(mask));
  }

  /**
   * Like `restore`, except in addresses of links, where a click would send them.
   *
   * @param isGrowing leaves out an end of the text that may become a mask.
   */
  restoreShown(text: string, isGrowing = false): string {
    const ready = isGrowing ? text.slice(0, text.length - heldLength(text)) : text;
    return ready.replace(this.#pattern, (mask, at: number) =>
      isInAddress(ready.slice(0, at)) ? mask : this.#value(mask),
    );
  }

  #value(mask: string): string {
    return this.#withoutKeys(this.#secrets.get(mask) ?? mask);
  }

  /** Whether an address has a secret in it, in any case, as it is or escaped. */
  isIn(address: string): boolean {
    const decoded = address.replace(/(?:%[\da-f]{2})+/gi, decodedUri);
    const texts = [address, decoded].map((text) => text.toLowerCase());
    return [...this.#masks.keys()].some((secret) => texts.some((text) => text.includes(secret.toLowerCase())));
  }

  /** A file that a secret in a text is from, where that is neither this file nor one of what was typed. */
  otherFile(text: string, path: string): string | undefined {
    const known = this.everywhere(text, []).map(({ start, end }) => this.#masks.get(text.slice(start, end)) ?? '');
    const found = new Set([...known, ...(text.match(this.#pattern) ?? [])]);
    for (const [secret, mask] of this.#masks) {
      const files = [...(this.#files.get(mask) ?? [])];
      const isFromHere = files.some((each) => each === '' || each === path || path.startsWith(`${each}/`));
      if (!isFromHere && (found.has(mask) || (!isDistinct(secret) && text.includes(secret)))) {
        return files[0];
      }
    }
    return undefined;
  }

  #maskOf(secret: string, kind: SecretKind, vendor: string): string {
    const known = this.#masks.get(secret);
    if (known !== undefined) {
      return known;
    }
    const owner = vendor === '' ? '' : `${vendor.toUpperCase().replace(/[^A-Z]/g, '_')}_`;
    const mask = `MASKED_${owner}${names[kind]}_${this.#secrets.size + 1}_${this.#suffix}`;
    this.#masks.set(secret, mask);
    this.#secrets.set(mask, secret);
    if (isDistinct(secret)) {
      const start = secret.slice(0, minKnown);
      this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(secret.length));
    }
    return mask;
  }
}

/** The length of the end of a text that may be the start of a mask. */
function heldLength(text: string): number {
  for (let at = Math.max(0, text.length - maxLength); at < text.length; at++) {
    const end = text.slice(at);
    if (text[at] === 'M' && ('MASKED_'.startsWith(end) || startOfMask.test(end))) {
      return end.length;
    }
  }
  return 0;
}

/** Whether a secret is recognized wherever it is. A word or a number alone is in many texts by chance. */
function isDistinct(secret: string): boolean {
  return secret.length >= minKnown && secret.length <= maxKnown && !/^(?:[A-Za-z]?[a-z]+|[A-Z]+|\d+)$/.test(secret);
}

/** Whether what follows a text is in the address of a link: of a bare one, or of one in Markdown. */
function isInAddress(before: string): boolean {
  const lead = before.slice(-maxAddress);
  let word = lead.length;
  // In Markdown, an address ends only at ASCII blanks.
  while (word > 0 && lead.charCodeAt(word - 1) > 0x20) {
    word--;
  }
  if (/https?:|mailto:|\][(:]|^<[^<>]*$/i.test(lead.slice(word)) || isAfterLabel(lead, word)) {
    return true;
  }
  // An address in angle brackets may have blanks.
  const start = lead.lastIndexOf('\n') + 1;
  const line = lead.slice(start);
  const angle = line.indexOf('<');
  return angle >= 0 && (/\][(:]\s*</.test(line) || isAfterLabel(lead, start + angle));
}

/** Whether the address of a link may begin here: after `](` or `]:`, on the same line or the next, also in a quote. */
function isAfterLabel(text: string, at: number): boolean {
  let end = at;
  while (end > 0 && /[\s>]/.test(text.charAt(end - 1))) {
    end--;
  }
  return /\][(:]$/.test(text.slice(Math.max(0, end - 2), end));
}
