import { createHash, randomInt, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './http.ts';

/** A stored key: its SHA-256 and its last four characters, not the value itself. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly lastFour: string;
  readonly groups: readonly string[];
  /** Null: no limit. */
  readonly quotaMicroUsd: number | null;
  usedMicroUsd: number;
  /** Milliseconds since 1970, or null for never. */
  readonly expiresAt: number | null;
  readonly fault: string | null;
}

/** One line of the usage log, for one POST to the chat endpoint. It contains no content and no key. */
export interface UsageEntry {
  readonly time: string;
  readonly requestId: string;
  keyName: string;
  keyId?: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  costMicroUsd: number;
  state: 'ok' | 'client_gone' | 'error';
  code: string | null;
  isStream: boolean;
  /** The group in which the key could use the model, and its factor of the prices. */
  group?: string;
  groupRatio?: number;
  /** From the request to the end of the answer. */
  tookMs?: number;
}

/** What a person chooses for a key. Without further options it has no quota and never expires. */
export interface KeyOptions {
  readonly name: string;
  readonly groups: readonly string[];
  readonly quotaMicroUsd?: number | null;
  readonly expiresAt?: number | null;
  readonly fault?: string | null;
}

/** Everything that is stored across restarts. */
interface State {
  readonly version: 1;
  walletMicroUsd: number;
  postCount: number;
  keys: KeyRecord[];
  usage: UsageEntry[];
}

/** The usage log holds this many lines at most, so that the state file stays small. The POST count is not limited. */
const usageLimit = 10_000;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The gateway's only account: its wallet, its keys and its usage log, in memory or in a file. */
export class Account {
  readonly #state: State;
  readonly #now: () => number;
  readonly #file: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether there was no stored state. */
  readonly isNew: boolean;

  constructor(file: string | undefined, walletMicroUsd: number, now: () => number) {
    const stored = file === undefined || !existsSync(file) ? undefined : readState(file);
    this.isNew = stored === undefined;
    this.#state = stored ?? { version: 1, walletMicroUsd, postCount: 0, keys: [], usage: [] };
    this.#file = file;
    this.#now = now;
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
    const value = `sk-${Array.from({ length: 48 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
    const hidden = { id: randomUUID(), sha256: sha256(value), lastFour: value.slice(-4), usedMicroUsd: 0 };
    const { name, groups, quotaMicroUsd = null, expiresAt = null, fault = null } = options;
    const record: KeyRecord = { name, groups, quotaMicroUsd, expiresAt, fault, ...hidden };
    this.#state.keys.push(record);
    this.#save();
    return { record, value };
  }

  keyById(id: string | undefined): KeyRecord | undefined {
    return this.#state.keys.find((key) => key.id === id);
  }

  /** The key with this value, even if it is expired or used up. */
  keyByValue(value: string): KeyRecord | undefined {
    const hash = sha256(value);
    return this.#state.keys.find((key) => key.sha256 === hash);
  }

  setWallet(microUsd: number): void {
    this.#state.walletMicroUsd = microUsd;
    this.#save();
  }

  /** Returns the key with this value; throws a Refusal when there is none or it may not be used now. */
  admit(value: string): KeyRecord {
    if (value === '') {
      throw new Refusal(401, 'missing_api_key', 'No API key was provided.');
    }
    const key = this.keyByValue(value);
    if (key === undefined) {
      throw new Refusal(401, 'invalid_api_key', 'Invalid API key. Create one in the console, and copy all of it.');
    }
    if (key.expiresAt !== null && key.expiresAt <= this.#now()) {
      throw new Refusal(401, 'expired_api_key', 'This API key has expired.');
    }
    return key;
  }

  /** Throws a Refusal when the key's quota or the wallet is used up. The last call may exceed both a little. */
  requireFunds({ quotaMicroUsd, usedMicroUsd }: KeyRecord): void {
    if (quotaMicroUsd !== null && usedMicroUsd >= quotaMicroUsd) {
      throw new Refusal(403, 'token_quota_exhausted', 'This token quota is exhausted. Raise it in the console.');
    }
    if (this.#state.walletMicroUsd <= 0) {
      throw new Refusal(402, 'insufficient_quota', 'Insufficient balance: the wallet is empty.');
    }
  }

  countPost(): void {
    this.#state.postCount += 1;
    this.#save();
  }

  /** Adds one call to the usage log and charges its cost to the wallet and the key. */
  settle(entry: UsageEntry, key: KeyRecord | undefined): void {
    this.#state.usage.push(entry);
    this.#state.usage.splice(0, this.#state.usage.length - usageLimit);
    this.#state.walletMicroUsd -= entry.costMicroUsd;
    if (key !== undefined) {
      key.usedMicroUsd += entry.costMicroUsd;
    }
    this.#save();
  }

  /** Writes the latest state at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#file !== undefined) {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      // Write beside it, then rename: a gateway that is killed leaves the old state or the new one.
      writeFileSync(`${this.#file}.tmp`, `${JSON.stringify(this.#state, null, 1)}\n`, { mode: 0o600 });
      renameSync(`${this.#file}.tmp`, this.#file);
    }
  }

  #save(): void {
    if (this.#file !== undefined) {
      this.#timer ??= setTimeout(() => this.flush(), 100);
    }
  }
}

function readState(file: string): State {
  let state: Partial<State> | undefined;
  try {
    state = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // It is not JSON.
  }
  if (state?.version !== 1 || !Array.isArray(state.keys) || !Array.isArray(state.usage)) {
    const remedy = 'Move it away to start afresh, or name another one with --state.';
    throw new Error(`${file} is not the state of a gateway. It was left untouched. ${remedy}`);
  }
  return state as State;
}
