import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  manualId,
  noChoices,
  readChoices,
  withChoice,
  withRecent,
} from '../../../../../src/core/models/catalogue/modelChoices.ts';

test('reads stored choices and leaves out any part that is invalid', () => {
  const good = { defaultModel: 'a', favourites: ['b', 'c'], recent: ['d'], manual: ['e'] };
  assert.deepEqual(readChoices(good), good);
  assert.deepEqual(readChoices({ ...good, more: 1 }), good);
  assert.deepEqual(readChoices({ ...good, defaultModel: 7 }), { favourites: ['b', 'c'], recent: ['d'], manual: ['e'] });
  assert.deepEqual(readChoices({ ...good, favourites: 'b' }).favourites, []);
  assert.deepEqual(readChoices({ ...good, recent: { length: 1 } }), { ...good, recent: [] });
  assert.deepEqual(readChoices({ favourites: [null, 'x', 7, '', 'x', {}, 'y', ' '] }).favourites, ['x', 'y', ' ']);
  assert.deepEqual(readChoices({ recent: Array.from({ length: 20 }, (_, index) => `m${index}`) }).recent.length, 8);
  for (const stored of [undefined, null, 'text', 5, [], {}, () => 1]) {
    assert.deepEqual(readChoices(stored), noChoices, String(stored));
  }
});

test('changes one choice, and returns the same object when nothing changes', () => {
  const one = withChoice(noChoices, 'favourites', 'a', true);
  assert.deepEqual(one, { ...noChoices, favourites: ['a'] });
  assert.equal(withChoice(one, 'favourites', 'a', true), one);
  assert.equal(withChoice(one, 'favourites', 'b', false), one);
  assert.deepEqual(withChoice(one, 'favourites', 'a', false), noChoices);
  assert.equal(withChoice(one, 'manual', 'x', false), one);
  assert.deepEqual(withChoice(one, 'manual', 'x', true), { ...one, manual: ['x'] });
});

test('keeps the last eight used models, newest first and each once', () => {
  let choices = noChoices;
  for (let index = 0; index < 10; index++) {
    choices = withRecent(choices, `m${index}`);
  }
  assert.deepEqual(choices.recent, ['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2']);
  choices = withRecent(choices, 'm5');
  assert.deepEqual(choices.recent, ['m5', 'm9', 'm8', 'm7', 'm6', 'm4', 'm3', 'm2']);
  assert.equal(withRecent(choices, 'm5'), choices);
});

test('accepts only text that can be an id', () => {
  assert.equal(manualId('  vendor/model:free \n'), 'vendor/model:free');
  assert.equal(manualId('模型 β'), '模型 β');
  assert.equal(manualId('x'.repeat(256)), 'x'.repeat(256));
  for (const typed of ['', '  ', 'a\nb', 'a\u0000', 'a\u007fb', 'a\u0085b', 'x'.repeat(257)]) {
    assert.equal(manualId(typed), undefined, JSON.stringify(typed));
  }
});
