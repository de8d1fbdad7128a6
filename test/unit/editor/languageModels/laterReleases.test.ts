import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeVSCode } from '../fakeVSCode.ts';

// The oldest supported VS Code, and a later one with the class.
const releases = {
  oldest: 'data:text/javascript,export const window = {};',
  later: 'data:text/javascript,export class LanguageModelThinkingPart { constructor(value) { this.value = value; } }',
};
const path = '../../../../src/editor/languageModels/laterReleases.ts';
fakeVSCode(import.meta, releases.oldest);
const oldest: typeof import('../../../../src/editor/languageModels/laterReleases.ts') = await import(path);
fakeVSCode(import.meta, releases.later);
const later: typeof oldest = await import(`${path}?later`);

test('finds the class of reasoning parts if VS Code has one', () => {
  assert.equal(oldest.ThinkingPart, undefined);
  assert.ok(later.ThinkingPart);
  assert.equal(new later.ThinkingPart('hm').value, 'hm');
});

test('returns the caller if VS Code names it', () => {
  const options = { toolMode: 1 };
  assert.equal(oldest.callerOf(options), undefined);
  assert.equal(oldest.callerOf(Object.assign({ requestInitiator: 'a.b' }, options)), 'a.b');
  assert.equal(oldest.callerOf(Object.assign({ requestInitiator: 7 }, options)), undefined);
});
