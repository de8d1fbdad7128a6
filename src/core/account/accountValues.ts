import { amountOf, isRecord, recordOf } from '../base/loose.ts';
import { keyMark } from '../secrets/keyFilter.ts';
import { redact } from '../secrets/redact.ts';
import type { AccountAmount, AccountFacts } from './accountFacts.ts';

/** Values of an account as they come over the wire: any JSON, hostile or not. */

/** Sums beyond this are no money and no quota. */
const maxAmount = 1e15;
const maxUnixSeconds = 1e11;

/** Leaves out what is not known; undefined when nothing is. */
export function factsOf(draft: {
  readonly source: AccountFacts['source'];
  readonly remaining?: AccountAmount | undefined;
  readonly used?: AccountAmount | undefined;
  readonly unlimited?: boolean;
  readonly expiresAt?: number | undefined;
  readonly keyStatus?: AccountFacts['keyStatus'] | undefined;
  readonly name?: string | undefined;
}): AccountFacts | undefined {
  const { source, remaining, used, unlimited, expiresAt, keyStatus, name } = draft;
  if (remaining === undefined && used === undefined && unlimited !== true && expiresAt === undefined) {
    return undefined;
  }
  return {
    source,
    ...(remaining !== undefined && { remaining }),
    ...(used !== undefined && { used }),
    ...(unlimited && { unlimited }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(keyStatus !== undefined && { keyStatus }),
    ...(name !== undefined && { name }),
  };
}

/** These services wrap what they say in `data`, beside a word on whether it went well. */
export function dataOf(body: unknown) {
  return recordOf(isFailure(body) ? undefined : recordOf(body).data);
}

/** Errors come under any status, 200 included. */
export function isFailure(body: unknown): boolean {
  const { success, error, status } = recordOf(body);
  return !isRecord(body) || success === false || status === false || (error !== undefined && error !== null);
}

/** A sum of a size that money can have; `factor` turns what came into its unit. */
export function sum(amount: number | undefined, unit: string | undefined, factor = 1): AccountAmount | undefined {
  // A sum of floating point numbers such as 10 - 9.9 has a tail that nobody paid.
  const rounded = amount === undefined ? Number.NaN : Number((amount * factor).toPrecision(12));
  return Math.abs(rounded) <= maxAmount ? { amount: rounded, ...(unit !== undefined && { unit }) } : undefined;
}

/** As `amountOf`, below zero as well: accounts can be overdrawn. */
export function signedOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Spent, or more than that. */
export function isNothing(amount: number | undefined): boolean {
  return amount !== undefined && amount <= 0;
}

/** @param at Unix milliseconds. */
export function isPast(at: number | undefined, now: number): boolean {
  return at !== undefined && at <= now;
}

/** Unix seconds in milliseconds; zero and minus one mean never. */
export function unixSeconds(value: unknown): number | undefined {
  const seconds = amountOf(value);
  return seconds !== undefined && seconds > 0 && seconds < maxUnixSeconds ? seconds * 1_000 : undefined;
}

/** A date and time as text, in Unix milliseconds. */
export function isoTime(value: unknown): number | undefined {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** A short name in one line; none when a key, or a part of one, is in it. */
export function label(value: unknown, maxChars = 60): string | undefined {
  const text = typeof value === 'string' ? value.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() : '';
  const holdsKey = text.includes(keyMark) || redact(text) !== text;
  return text === '' || holdsKey ? undefined : Array.from(text).slice(0, maxChars).join('');
}
