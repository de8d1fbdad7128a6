import * as z from 'zod/mini';
import { estimateTokens } from '../../base/estimateTokens.ts';
import type { CountedInput } from '../tokenRatios.ts';

/**
 * What is stored of a call. Only numbers, without names, to be short; all but the first two and the messages are tokens.
 * The last three are parts of the estimate by kinds of text whose real count differs by tokenizer.
 */
export type MeteredCall = readonly [
  /** Unix milliseconds. */
  at: number,
  /** Identifies the main text. Calls with the same one say the same about a tokenizer, however many there are. */
  text: number,
  /** What the gateway reported. */
  reported: number,
  /** The estimate without system prompts, which are the same in most calls of a person. */
  varied: number,
  messages: number,
  estimate: number,
  /** Chinese, Japanese and Korean characters. */
  eastAsian: number,
  /** Other scripts than Latin, and encoded data such as Base64. */
  rare: number,
  /** Punctuation, of which code has the most. */
  marks: number,
];

const count = z.number().check(z.nonnegative());

export const meteredCall = z.tuple([count, count, count, count, count, count, count, count, count]);

/** The part of a chat request that the meter reads. */
export type MeteredRequest = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
};

const eastAsian = /[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;
const rare = /[^\s!-~\u00a0-\u024f\u2010-\u2027\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|[\w+/=,;]{25,}/g;
/** A prime number. */
const hashModulus = 9_999_991;
const marks = /[!-/:-@[-`{-~]+/g;

/** What is stored of a call, or undefined when images, tools or cached tokens make its report ambiguous. */
export function meteredCallOf(
  { messages }: MeteredRequest,
  { estimate, reported, isOnlyText, isCached }: CountedInput,
  at: number,
): MeteredCall | undefined {
  if (!isOnlyText || isCached || !(estimate > 0) || !(reported !== undefined && reported > 0 && reported < Infinity)) {
    return undefined;
  }
  const textOf = (isWanted: (role: string) => boolean) =>
    messages.flatMap(({ role, content }) => (isWanted(role) && typeof content === 'string' ? content : [])).join('\n');
  const all = textOf(() => true);
  const tokensOf = (kind: RegExp) => estimateTokens(all.match(kind)?.join('') ?? '');
  return [
    at,
    mainText(textOf((role) => role !== 'system')),
    reported,
    Math.max(0, estimate - estimateTokens(textOf((role) => role === 'system'))),
    messages.length,
    estimate,
    tokensOf(eastAsian),
    tokensOf(rare),
    tokensOf(marks),
  ];
}

/**
 * The least hash of three lines in sequence. It mostly stays the same while a conversation grows or a file is asked about
 * again, but not when other texts begin with the same instruction (MinHash, Broder 1997).
 */
function mainText(text: string): number {
  const hashes = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : hashOf(line)));
  return hashes.reduce(
    (least, hash, at) =>
      at > 0 && at + 3 > hashes.length
        ? least
        : Math.min(least, (hash * 961 + (hashes[at + 1] ?? 0) * 31 + (hashes[at + 2] ?? 0)) % hashModulus),
    hashModulus,
  );
}

function hashOf(line: string): number {
  let hash = 0;
  for (let at = 0; at < line.length; at++) {
    hash = (hash * 31 + line.charCodeAt(at)) % hashModulus;
  }
  return hash;
}
