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

test('reads what was kept, and leaves out a part that is wrong', () => {
  const good = { defaultModel: 'a', favourites: ['b', 'c'], recent: ['d'], manual: ['e'] };
  assert.deepEqual(readChoices(good), good);
  assert.deepEqual(readChoices({ ...good, more: 1 }), good);
  assert.deepEqual(readChoices({ ...good, defaultModel: 7 }), { favourites: ['b', 'c'], recent: ['d'], manual: ['e'] });
  assert.deepEqual(readChoices({ ...good, favourites: 'b' }).favourites, []);
  assert.deepEqual(readChoices({ ...good, recent: { length: 1 } }), { ...good, recent: [] });
  assert.deepEqual(readChoices({ favourites: [null, 'x', 7, '', 'x', {}, 'y', ' '] }).favourites, ['x', 'y', ' ']);
  assert.deepEqual(readChoices({ manual: ['ok', ' ok', '', 'a\nb', 'x'.repeat(257)] }).manual, ['ok']);
  for (const kept of [undefined, null, 'text', 5, [], {}, () => 1]) {
    assert.deepEqual(readChoices(kept), noChoices, String(kept));
  }
});

test('takes names of the prototype for ids like any other', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const choices = readChoices(
    JSON.parse('{"defaultModel":"__proto__","favourites":["__proto__","constructor","toString"]}'),
  );
  assert.deepEqual([choices.defaultModel, choices.favourites], ['__proto__', names]);
  assert.deepEqual(readChoices(JSON.parse('{"__proto__":{"defaultModel":"evil","favourites":["evil"]}}')), noChoices);
});

test('holds no more than anybody chooses', () => {
  const many = Array.from({ length: 600 }, (_, index) => `m${index}`);
  const choices = readChoices({ favourites: many, recent: many, manual: many });
  assert.deepEqual([choices.favourites.length, choices.recent.length, choices.manual.length], [500, 8, 500]);
  assert.equal(withFavourite(choices, 'one more', true), choices);
  assert.equal(withManual(choices, 'one more'), choices);
  assert.equal(withFavourite(choices, 'm3', false).favourites.length, 499);
});

test('changes one thing, and nothing when there is nothing to change', () => {
  const one = withFavourite(noChoices, 'a', true);
  assert.deepEqual(one, { ...noChoices, favourites: ['a'] });
  assert.equal(withFavourite(one, 'a', true), one);
  assert.equal(withFavourite(one, 'b', false), one);
  assert.deepEqual(withFavourite(one, 'a', false), noChoices);
  assert.equal(withoutManual(one, 'x'), one);
  assert.deepEqual(withoutManual(withManual(noChoices, 'x'), 'x'), noChoices);
});

test('keeps the last eight models that were asked, the newest first and each once', () => {
  let choices = noChoices;
  for (let index = 0; index < 10; index++) {
    choices = withRecent(choices, `m${index}`);
  }
  assert.deepEqual(choices.recent, ['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2']);
  choices = withRecent(choices, 'm5');
  assert.deepEqual(choices.recent, ['m5', 'm9', 'm8', 'm7', 'm6', 'm4', 'm3', 'm2']);
  assert.equal(withRecent(choices, 'm5'), choices);
});

test('takes for an id what can be one', () => {
  assert.equal(manualId('  vendor/model:free \n'), 'vendor/model:free');
  assert.equal(manualId('模型 β'), '模型 β');
  assert.equal(manualId('x'.repeat(256)), 'x'.repeat(256));
  for (const typed of ['', '  ', 'a\nb', 'a\u0000', 'a\u007fb', 'a\u0085b', 'x'.repeat(257)]) {
    assert.equal(manualId(typed), undefined, JSON.stringify(typed));
  }
});
