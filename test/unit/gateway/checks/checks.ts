import assert from 'node:assert/strict';
import { type Answer, streamedText } from '../askGateway.ts';

/** Checks an answer and throws an assertion error when it is wrong. */
export type Check = (answer: Answer) => void;

/** The body contains these words. */
export const holds =
  (words: RegExp): Check =>
  ({ text }) =>
    assert.match(text, words);
/** A complete answer with this status that contains these words. */
export const answers =
  (status: number, words: RegExp): Check =>
  (answer) => {
    assert.equal(answer.status, status);
    assert.match(answer.text, words);
    assert.equal(answer.end, 'clean');
  };
/** The body ended in this way. */
export const ends =
  (end: Answer['end']): Check =>
  (answer) =>
    assert.equal(answer.end, end);
/** All of these checks pass. */
export const all =
  (...checks: Check[]): Check =>
  (answer) => {
    for (const check of checks) {
      check(answer);
    }
  };
/** The body doesn't contain these words. */
export const lacks =
  (words: RegExp): Check =>
  ({ text }) =>
    assert.doesNotMatch(text, words);
/** The stream contains this finish reason. */
export const finishes = (reason: string): Check => holds(new RegExp(`"finish_reason":"${reason}"`));
/** A redirect with this status to this location. */
export const moves =
  (status: number, to: RegExp): Check =>
  (answer) => {
    assert.equal(answer.status, status);
    assert.match(answer.headers.get('location') ?? '', to);
  };
/** The stream contains the whole text. */
export const wholeText: Check = (answer) => assert.match(streamedText(answer.text), /Asked, without the code/);
/** The answer has this content type. */
export const labelled =
  (type: string): Check =>
  (answer) =>
    assert.match(answer.headers.get('content-type') ?? '', new RegExp(`^${type}`));
/** The answer was compressed with this encoding, and the client has decompressed it. */
export const unpacked =
  (encoding: string): Check =>
  (answer) => {
    assert.equal(answer.headers.get('content-encoding'), encoding);
    assert.match(streamedText(answer.text), /without the code/);
  };
