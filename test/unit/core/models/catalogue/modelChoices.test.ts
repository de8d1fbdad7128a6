import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  manualId,
  noChoices,
  readChoices,
  withFavourite,
  withManual,
  withoutManual,
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
  assert.deepEqual(readChoices({ manual: ['ok', ' ok', '', 'a\nb', 'x'.repeat(257)] }).manual, ['ok']);
  for (const stored of [undefined, null, 'text', 5, [], {}, () => 1]) {
    assert.deepEqual(readChoices(stored), noChoices, String(stored));
  }
});

test('limits the number of favourites, recent models and manually added ids', () => {
  const many = Array.from({ length: 600 }, (_, index) => `m${index}`);
  const choices = readChoices({ favourites: many, recent: many, manual: many });
  assert.deepEqual([choices.favourites.length, choices.recent.length, choices.manual.length], [500, 8, 500]);
  assert.equal(withFavourite(choices, 'one more', true), choices);
  assert.equal(withManual(choices, 'one more'), choices);
  assert.equal(withFavourite(choices, 'm3', false).favourites.length, 499);
});

test('changes one choice, and returns the same object when nothing changes', () => {
  const one = withFavourite(noChoices, 'a', true);
  assert.deepEqual(one, { ...noChoices, favourites: ['a'] });
  assert.equal(withFavourite(one, 'a', true), one);
  assert.equal(withFavourite(one, 'b', false), one);
  assert.deepEqual(withFavourite(one, 'a', false), noChoices);
  assert.equal(withoutManual(one, 'x'), one);
  assert.deepEqual(withoutManual(withManual(noChoices, 'x'), 'x'), noChoices);
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
