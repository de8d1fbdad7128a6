import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { close } from '../../../src/node/undiciTransport.ts';
import { chatTest } from './chatCase.ts';
import { contentCases } from './contentCases.ts';
import { framingCases } from './framingCases.ts';
import { type QuirkTest, quirksOf } from './quirkTest.ts';
import { refusalCases } from './refusalCases.ts';
import { transportCases } from './transportCases.ts';
import { toolCases, usageCases } from './usageCases.ts';

after(close);

const chatCases = [...framingCases, ...contentCases, ...usageCases, ...toolCases, ...refusalCases, ...transportCases];

/** Every test has a gateway of its own, so they run beside each other. */
const tests: readonly QuirkTest[] = chatCases.map(chatTest);

describe('the client and the quirks of the wire', { concurrency: 16 }, () => {
  for (const { title, todo, run } of tests) {
    it(title, todo === undefined ? {} : { todo }, run);
  }
});
