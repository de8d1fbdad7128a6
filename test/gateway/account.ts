import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { AccountState, KeyRecord, UsageEntry } from './accountState.ts';
import { Refusal } from './refusal.ts';

/** Options of a new key. Without further options it has no quota and never expires. */
export interface KeyOptions {
  readonly name: string;
  readonly groups: readonly string[];
  readonly quotaMicroUsd?: number | null;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | null;
  readonly fault?: string | null;
  readonly errorsAs200?: boolean;
}

/** The fields of a key that can be changed later. */
export type KeyChange = Partial<
  Pick<KeyRecord, 'groups' | 'quotaMicroUsd' | 'expiresAt' | 'isDisabled' | 'fault' | 'errorsAs200'>
>;

/** The usage log holds this many lines at most, so that the state file stays small. The POST count is not limited. */
const usageLimit = 10_000;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function newKeyValue(): string {
  return `sk-${Array.from({ length: 48 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The gateway's only account: its wallet, its keys and its usage log. Calls `onChange` after every change. */
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

  /** Makes a key. Its value is returned and not stored. */
  createKey(options: KeyOptions): { record: KeyRecord; value: string } {
    const value = newKeyValue();
    const record: KeyRecord = {
      id: randomUUID(),
      name: options.name,
      sha256: sha256(value),
      lastFour: value.slice(-4),
      groups: [...options.groups],
      quotaMicroUsd: options.quotaMicroUsd ?? null,
      usedMicroUsd: 0,
      expiresAt: options.expiresAt ?? null,
      createdAt: this.#now(),
      isDisabled: false,
      fault: options.fault ?? null,
      errorsAs200: options.errorsAs200 ?? false,
    };
    this.#state.keys.push(record);
    this.#onChange();
    return { record, value };
  }

  /** The key with this id, which the console uses in its URLs. */
  keyById(id: string): KeyRecord | undefined {
    return this.#state.keys.find((key) => key.id === id);
  }

  /** The key with this value, even if it is disabled, expired or used up. */
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

  /** Throws a Refusal when the key's quota or the wallet is used up. The last call may exceed both a little. */
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

  /** Counts a POST to the chat endpoint when it arrives. */
  countPost(): void {
    this.#state.postCount += 1;
    this.#onChange();
  }

  /** Adds one call to the usage log and charges its cost to the wallet and the key. */
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
