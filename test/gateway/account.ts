import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { AccountState, KeyRecord, UsageEntry } from './accountState.ts';
import { Refusal } from './refusal.ts';

/** What is chosen when a key is made. Left out: every group asked for is the caller's, no quota, never expires. */
export interface KeyWish {
  readonly name: string;
  readonly groups: readonly string[];
  readonly quotaMicroUsd?: number | null | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | null | undefined;
  readonly fault?: string | null | undefined;
  readonly errorsAs200?: boolean | undefined;
}

/** What can be changed on a key later. */
export type KeyChange = Partial<
  Pick<KeyRecord, 'groups' | 'quotaMicroUsd' | 'expiresAt' | 'isDisabled' | 'fault' | 'errorsAs200'>
>;

/** Lines the usage log keeps; older ones fall off so that the state file stays small. The POST count never forgets. */
const usageLimit = 10_000;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function newKeyValue(): string {
  return `sk-${Array.from({ length: 48 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The books of the one account: its wallet, its keys and its usage log. Calls `onChange` after every change. */
export class Account {
  readonly #state: AccountState;
  readonly #now: () => number;
  readonly #onChange: () => void;

  constructor(state: AccountState, now: () => number, onChange: () => void) {
    this.#state = state;
    this.#now = now;
    this.#onChange = onChange;
  }

  get walletMicroUsd(): number {
    return this.#state.walletMicroUsd;
  }

  get postCount(): number {
    return this.#state.postCount;
  }

  /** The keys, oldest first. */
  get keys(): readonly KeyRecord[] {
    return this.#state.keys;
  }

  /** The usage log, oldest first. */
  get usage(): readonly UsageEntry[] {
    return this.#state.usage;
  }

  /** Makes a key. The value is in the answer and is kept nowhere. */
  createKey(wish: KeyWish): { record: KeyRecord; value: string } {
    const value = newKeyValue();
    const record: KeyRecord = {
      id: randomUUID(),
      name: wish.name,
      sha256: sha256(value),
      lastFour: value.slice(-4),
      groups: [...wish.groups],
      quotaMicroUsd: wish.quotaMicroUsd ?? null,
      usedMicroUsd: 0,
      expiresAt: wish.expiresAt ?? null,
      createdAt: this.#now(),
      isDisabled: false,
      fault: wish.fault ?? null,
      errorsAs200: wish.errorsAs200 ?? false,
    };
    this.#state.keys.push(record);
    this.#onChange();
    return { record, value };
  }

  /** The key with this id, as the console names it. */
  keyById(id: string): KeyRecord | undefined {
    return this.#state.keys.find((key) => key.id === id);
  }

  /** The key with this value, whatever its condition. */
  keyByValue(value: string): KeyRecord | undefined {
    const hash = sha256(value);
    return this.#state.keys.find((key) => key.sha256 === hash);
  }

  changeKey(id: string, change: KeyChange): void {
    const key = this.keyById(id);
    if (key !== undefined) {
      Object.assign(key, change);
      this.#onChange();
    }
  }

  deleteKey(id: string): void {
    this.#state.keys = this.#state.keys.filter((key) => key.id !== id);
    this.#onChange();
  }

  topUp(microUsd: number): void {
    this.setWallet(this.#state.walletMicroUsd + microUsd);
  }

  setWallet(microUsd: number): void {
    this.#state.walletMicroUsd = microUsd;
    this.#onChange();
  }

  /** Throws a Refusal unless the key may be used now. */
  requireValid(key: KeyRecord): void {
    if (key.isDisabled) {
      throw new Refusal(401, 'disabled_api_key', 'This API key is disabled. Enable it in the console.');
    }
    if (key.expiresAt !== null && key.expiresAt <= this.#now()) {
      const day = new Date(key.expiresAt).toISOString();
      throw new Refusal(401, 'expired_api_key', `This API key has expired (${day}). Set its validity in the console.`);
    }
  }

  /** Throws a Refusal when the key's quota or the wallet is used up. The last call may overdraw both a little. */
  requireFunds(key: KeyRecord): void {
    if (key.quotaMicroUsd !== null && key.usedMicroUsd >= key.quotaMicroUsd) {
      const message = 'This token quota is exhausted: the API key has used all it was given. Raise it in the console.';
      throw new Refusal(403, 'token_quota_exhausted', message);
    }
    if (this.#state.walletMicroUsd <= 0) {
      throw new Refusal(
        402,
        'insufficient_quota',
        'Insufficient balance: the wallet is empty. Top it up in the console.',
      );
    }
  }

  /** Counts a POST to the chat endpoint the moment it arrives. */
  countPost(): void {
    this.#state.postCount += 1;
    this.#onChange();
  }

  /** Writes the line of one call and takes its cost from the wallet and the key. */
  settle(entry: UsageEntry, key: KeyRecord | undefined): void {
    this.#state.usage.push(entry);
    if (this.#state.usage.length > usageLimit) {
      this.#state.usage.splice(0, this.#state.usage.length - usageLimit);
    }
    this.#state.walletMicroUsd -= entry.costMicroUsd;
    if (key !== undefined) {
      key.usedMicroUsd += entry.costMicroUsd;
    }
    this.#onChange();
  }
}
