import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readUsage, withHeaderCost } from '../../../../src/core/reply/usage.ts';

/** One row for each form of usage (wire 1.4). */
for (const [value, expected] of [
  [
    { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  ],
  [
    { input_tokens: 1, output_tokens: 2 },
    { promptTokens: 1, completionTokens: 2 },
  ],
  [
    { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
    { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  ],
  [
    { prompt_eval_count: 1, eval_count: 2 },
    { promptTokens: 1, completionTokens: 2 },
  ],
  [{ prompt_tokens: '1', completion_tokens: null }, { promptTokens: 1 }],
  [
    { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 4 } },
    { promptTokens: 9, cachedTokens: 4 },
  ],
  [{ prompt_tokens_details: null, input_tokens_details: { cached_tokens: 4 } }, { cachedTokens: 4 }],
  [{ prompt_cache_hit_tokens: 4 }, { cachedTokens: 4 }],
  [{ cache_read_input_tokens: 4 }, { cachedTokens: 4 }],
  [
    { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 } },
    { promptTokens: 9, cachedTokens: 4, cacheWriteTokens: 2 },
  ],
  [{ prompt_tokens_details: { cached_creation_tokens: 2 } }, { cacheWriteTokens: 2 }],
  [{ prompt_tokens_details: { cache_creation_tokens: 2 } }, { cacheWriteTokens: 2 }],
  [{ cache_creation_input_tokens: 2 }, { cacheWriteTokens: 2 }],
  [{ completion_tokens_details: { reasoning_tokens: 5 } }, { reasoningTokens: 5 }],
  [{ output_tokens_details: { reasoning_tokens: 5 } }, { reasoningTokens: 5 }],
  [{ cost: 0.0012 }, { cost: 0.0012 }],
  [{ cost: { input_tokens_cost: 1, total_cost: 3 } }, { cost: 3 }],
  [
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
  ],
  [{ prompt_tokens: -1, completion_tokens: 'many', total_tokens: true, cost: 'NaN' }, undefined],
  [{}, undefined],
  [null, undefined],
  [[], undefined],
  ['x', undefined],
  [7, undefined],
] as const) {
  test(`reads ${JSON.stringify(value)}`, () => assert.deepEqual(readUsage(value), expected));
}

test('returns only finite figures of at least 0 for any value', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (one, two) => {
      for (const figure of Object.values(
        readUsage({ prompt_tokens: one, cost: two, prompt_tokens_details: one, completion_tokens: two }) ?? {},
      )) {
        assert.ok(Number.isFinite(figure) && Number(figure) >= 0);
      }
    }),
  );
});

test('1.4 reads the cost from a header when the body reports none, and 0 there as unknown', () => {
  const usage = { promptTokens: 1 };
  for (const [before, header, expected] of [
    [usage, '0.00042', { promptTokens: 1, cost: 0.00042 }],
    [undefined, '1e-5', { cost: 0.00001 }],
    [{ cost: 3 }, '5', { cost: 3 }],
    [{ cost: 0 }, '5', { cost: 0 }],
    [usage, '0.0', usage],
    [usage, '', usage],
    [usage, 'None', usage],
    [usage, '-1', usage],
    [usage, '0.1, 0.2', usage],
    [undefined, '0', undefined],
  ] as const) {
    assert.deepEqual(withHeaderCost(before, { 'x-litellm-response-cost': header }), expected, header);
  }
  assert.equal(withHeaderCost(undefined, {}), undefined);
});
