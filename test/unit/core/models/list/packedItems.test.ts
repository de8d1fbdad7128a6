import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PackedItems } from '../../../../../src/core/models/list/packedItems.ts';

test('gives each text back as it came, whatever it is made of', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), {
        selector: ([id]) => id,
      }),
      (texts) => {
        const items = new PackedItems();
        for (const [id, text] of texts) {
          items.add(id, text);
        }
        assert.deepEqual(
          texts.map(([id]) => items.get(id)),
          texts.map(([, text]) => text),
        );
        assert.equal(items.get('not there '.repeat(30)), undefined);
      },
    ),
  ));

test('holds texts of any length across its pieces', () => {
  const lengths = [262_143, 0, 1, 2, 262_144, 100_000, 100_000, 100_000, 1_000_000, 5];
  for (const character of ['x', 'ü', '表', '💬']) {
    const items = new PackedItems();
    const texts = lengths.map((length) => character.repeat(length));
    for (const [index, text] of texts.entries()) {
      items.add(`${index}`, text);
    }
    for (const [index, text] of texts.entries()) {
      assert.equal(items.get(`${index}`), text, `${character} ${index}`);
    }
  }
});

test('gives all items of an id that comes more than once, up to 16, as an array', () => {
  const items = new PackedItems();
  for (let index = 0; index < 20; index++) {
    items.add('a', `{"n":${index}}`);
    items.add(`b${index}`, `${index}`);
  }
  assert.deepEqual(
    JSON.parse(items.get('a') ?? ''),
    Array.from({ length: 16 }, (_, n) => ({ n })),
  );
  assert.equal(items.get('b19'), '19');
});
