import { amountOf, isRecord, recordOf } from '../base/loose.ts';
import { keyMark } from '../secrets/keyRemover.ts';
import { redact } from '../secrets/redact.ts';
import type { AccountAmount, AccountFacts } from './accountFacts.ts';

/** Readers for account values, which may be any JSON. */

/** Larger amounts are neither money nor quota. */
const maxAmount = 1e15;
const maxUnixSeconds = 1e11;

/** Removes unknown facts; undefined when no balance, limit or expiry is known. */
export function factsOf(
  draft: {
    readonly [Fact in keyof AccountFacts]: AccountFacts[Fact] | undefined | false;
  },
): AccountFacts | undefined {
  const facts = Object.entries(draft).filter(([, fact]) => fact !== undefined && fact !== false);
  const isKnown = facts.some(([name]) => ['remaining', 'used', 'unlimited', 'expiresAt'].includes(name));
  return isKnown ? (Object.fromEntries(facts) as AccountFacts) : undefined;
}

/** The field `data`, in which these services wrap a successful answer; an empty record when there is none. */
export function dataOf(body: unknown) {
  return recordOf(isFailure(body) ? undefined : recordOf(body).data);
}

/** Whether a body is an error; errors come with any HTTP status, including 200. */
export function isFailure(body: unknown): boolean {
  const { success, error, status } = recordOf(body);
  return !isRecord(body) || success === false || status === false || (error !== undefined && error !== null);
}

/** An amount of plausible size; `factor` converts it to the unit. */
export function sum(amount: number | undefined, unit: string | undefined, factor = 1): AccountAmount | undefined {
  // Rounds off floating point errors such as that of 10 - 9.9.
  const rounded = amount === undefined ? Number.NaN : Number((amount * factor).toPrecision(12));
  return Math.abs(rounded) <= maxAmount ? { amount: rounded, ...(unit !== undefined && { unit }) } : undefined;
}

/** Like `amountOf`, but also accepts negative numbers: accounts can be overdrawn. */
export function signedOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Like `amountOf`, but undefined above `max`, which no plausible value exceeds. */
export function amountUpTo(value: unknown, max: number): number | undefined {
  const amount = amountOf(value);
  return amount !== undefined && amount <= max ? amount : undefined;
}

/** Whether an amount is used up or overdrawn. */
export function isUsedUp(amount: number | undefined): boolean {
  return amount !== undefined && amount <= 0;
}

/** @param at Unix milliseconds. */
export function isPast(at: number | undefined, now: number): boolean {
  return at !== undefined && at <= now;
}

/** Converts Unix seconds to milliseconds; 0 and -1 mean never. */
export function unixSeconds(value: unknown): number | undefined {
  const seconds = amountOf(value);
  return seconds !== undefined && seconds > 0 && seconds < maxUnixSeconds ? seconds * 1_000 : undefined;
}

/** Converts an ISO date and time to Unix milliseconds. */
export function isoTime(value: unknown): number | undefined {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** A short name in one line; undefined if it contains a key or a part of one. */
export function label(value: unknown, maxChars = 60): string | undefined {
  const text = typeof value === 'string' ? value.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() : '';
  const holdsKey = text.includes(keyMark) || redact(text) !== text;
  return text === '' || holdsKey ? undefined : Array.from(text).slice(0, maxChars).join('');
}
