import assert from 'node:assert/strict';
import { type Seen, streamedText } from '../askGateway.ts';

/** Looks at an answer and fails when it is not as it should be. */
export type Check = (seen: Seen) => void;

/** The body holds this. */
export const holds =
  (words: RegExp): Check =>
  ({ text }) =>
    assert.match(text, words);
/** One answer under this status, whole. */
export const answers =
  (status: number, words: RegExp): Check =>
  (seen) => {
    assert.equal(seen.status, status);
    assert.match(seen.text, words);
    assert.equal(seen.end, 'clean');
  };
/** The body ended so. */
export const ends =
  (end: Seen['end']): Check =>
  (seen) =>
    assert.equal(seen.end, end);
/** All of these. */
export const all =
  (...checks: Check[]): Check =>
  (seen) => {
    for (const check of checks) {
      check(seen);
    }
  };
/** The body does not hold this. */
export const lacks =
  (words: RegExp): Check =>
  ({ text }) =>
    assert.doesNotMatch(text, words);
/** The stream says this finish reason. */
export const finishes = (reason: string): Check => holds(new RegExp(`"finish_reason":"${reason}"`));
/** A redirect. */
export const moves =
  (status: number, to: RegExp): Check =>
  (seen) => {
    assert.equal(seen.status, status);
    assert.match(seen.headers.get('location') ?? '', to);
  };
/** The stream holds all of the text. */
export const wholeText: Check = (seen) => assert.match(streamedText(seen.text), /Asked, without the code/);
/** The content type. */
export const labelled =
  (type: string): Check =>
  (seen) =>
    assert.match(seen.headers.get('content-type') ?? '', new RegExp(`^${type}`));
/** Compressed so; whoever asked has unpacked it by now. */
export const unpacked =
  (encoding: string): Check =>
  (seen) => {
    assert.equal(seen.headers.get('content-encoding'), encoding);
    assert.match(streamedText(seen.text), /without the code/);
  };
