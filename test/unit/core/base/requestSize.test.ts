import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestSizeTexts } from '../../../../src/core/base/requestSize.ts';

test('says which part of the context window a request takes, and whether it fits', () => {
  const window = { size: 400_000, prompt: 300_000 };
  assert.deepEqual(requestSizeTexts(3, window), ['≈ 3 tokens', 'under 1% of 400K']);
  assert.deepEqual(requestSizeTexts(36_000, window), ['≈ 36,000 tokens', '9% of 400K']);
  assert.deepEqual(requestSizeTexts(320_000, window), ['≈ 320,000 tokens', '80% of 400K', "doesn't fit"]);
});
