import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { knownCost } from '../../../../src/core/reply/cost.ts';
import { inputTokens, outputTokens, readUsage, type Usage, withHeaderCost } from '../../../../src/core/reply/usage.ts';
import { chunk, completion, done, readText, stop, text } from './replyFixture.ts';

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
    { cacheReadInputTokens: 4, cacheWriteInputTokens: 2 },
    { cachedTokens: 4, cacheWriteTokens: 2 },
  ],
  [{ cachedInputTokens: 4 }, { cachedTokens: 4 }],
  [{ num_cached_tokens: 4 }, { cachedTokens: 4 }],
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
  [{ cost: '0.0012', currency: 'USD' }, { cost: 0.0012 }],
  [{ cost: 0.0012, currency: 'CNY' }, undefined],
  [{ total_cost: 2 }, { cost: 2 }],
  [{ cost_usd_total: 2, cost_usd_input: 1 }, { cost: 2 }],
  [{ cost_usd: 2 }, { cost: 2 }],
  [{ cost_in_usd_ticks: 232_856_000 }, { cost: 0.0232856 }],
  [{ cost: 0 }, { cost: 0 }],
  [{ prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 4 }, { cachedTokens: 4 }],
  [
    { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 6 },
    { promptTokens: 1, completionTokens: 2, totalTokens: 6, reasoningTokens: 3 },
  ],
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

test('tells what is written to a cache from what is read where the usual field has both (maximhq/bifrost#4816)', () => {
  const details = { cached_tokens: 50, cached_read_tokens: 0, cached_write_tokens: 50 };
  assert.deepEqual(readUsage({ prompt_tokens: 60, prompt_tokens_details: details }), {
    promptTokens: 60,
    cachedTokens: 0,
    cacheWriteTokens: 50,
  });
});

test('takes no figure for tokens or a cost that no call can have', () => {
  assert.deepEqual(readUsage({ prompt_tokens: 1, completion_tokens: 1e300, cost: 1e308 }), { promptTokens: 1 });
  assert.deepEqual(readUsage({ prompt_tokens: 1, cost: '1e12', total_cost: 0.5 }), { promptTokens: 1, cost: 0.5 });
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
    [usage, '1e308', usage],
    [usage, '0.1, 0.2', usage],
    [undefined, '0', undefined],
  ] as const) {
    assert.deepEqual(withHeaderCost(before, { 'x-litellm-response-cost': header }), expected, header);
  }
  assert.equal(withHeaderCost(undefined, {}), undefined);
});

const reportFile = (name: string) =>
  readFileSync(new URL(`../../../fixtures/reports/${name}`, import.meta.url), 'utf8');

/** The usage of a reply whose chunks have these fields besides their text. */
const usageOf = (...chunks: Record<string, unknown>[]): Usage | undefined =>
  readText([text('Hi.'), ...chunks.map((more) => chunk({}, null, more)), stop, done].join('')).verdict.usage;

test('reads usage inside a choice (earendil-works/pi#2017, maximhq/bifrost#6942, Portkey-AI/gateway#1210)', () => {
  const { usage } = readText(reportFile('17-usage-inside-choice.sse')).verdict;
  assert.deepEqual(usage, { promptTokens: 812, completionTokens: 37, totalTokens: 849, cachedTokens: 512 });
  assert.equal(outputTokens(usage), 37);
});

test('reads usage of a delta, a message, a start of one, and in the fields of Gemini (earendil-works/pi#2017)', () => {
  const [figures, usage] = [
    { prompt_tokens: 8, completion_tokens: 3 },
    { promptTokens: 8, completionTokens: 3 },
  ];
  assert.deepEqual(readText(text('Hi.') + chunk({ usage: figures }, 'stop') + done).verdict.usage, usage);
  assert.deepEqual(
    readText(completion({ content: 'Hi.', usage: figures }, 'stop', { usage: null })).verdict.usage,
    usage,
  );
  assert.deepEqual(usageOf({ message: { usage: figures } }), usage);
  assert.deepEqual(usageOf({ x_groq: { usage: figures } }), usage);
  assert.deepEqual(usageOf({ usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 3 } }), usage);
});

test('merges usage that comes in parts (Portkey-AI/gateway#496, deepset-ai/haystack-core-integrations#1992)', () => {
  const { usage } = readText(reportFile('120b-usage-split.sse')).verdict;
  assert.deepEqual([usage?.promptTokens, usage?.completionTokens, usage?.cachedTokens], [412, 57, 300]);
  assert.equal(outputTokens(usage), 57);
});

test('loses no figure to a later 0 or null, and adds nothing up (BerriAI/litellm#32130, atopos31/llmio#71)', () => {
  assert.deepEqual(
    usageOf(
      { usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 }, cost: 0.5 } },
      { usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } },
      { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: null, cost: 0 } },
    ),
    { promptTokens: 9, completionTokens: 2, totalTokens: 11, cachedTokens: 4, cost: 0.5 },
  );
});

test('takes the output as it is stated, whatever the total is (Portkey-AI/gateway#1210)', () => {
  assert.equal(outputTokens({ promptTokens: 800, completionTokens: 37, totalTokens: 5_000 }), 37);
  assert.equal(outputTokens({ promptTokens: 800, completionTokens: 37, reasoningTokens: 30, totalTokens: 837 }), 37);
  assert.equal(outputTokens({ promptTokens: 800, totalTokens: 837 }), 37, 'not stated');
  const beside = { promptTokens: 1_000, cachedTokens: 300, completionTokens: 50, totalTokens: 1_350 };
  assert.deepEqual([inputTokens(beside), outputTokens(beside)], [1_300, 50]);
});

test('adds reasoning that is counted beside the output (Wei-Shaw/sub2api#5771, vercel/ai#12425)', () => {
  const counted = { promptTokens: 10_120, completionTokens: 1_499, totalTokens: 14_428, cachedTokens: 128 };
  assert.equal(outputTokens({ ...counted, reasoningTokens: 2_809 }), 4_308);
  assert.equal(outputTokens({ completionTokens: 2, reasoningTokens: 317 }), 319);
});

test('takes a cost of 0 beside what the vendor charges for no cost (tailcallhq/forgecode#1641)', () => {
  const { usage } = readText(reportFile('120h-byok.sse')).verdict;
  assert.equal(usage?.cost, 0.0361);
  assert.deepEqual(knownCost({ usage }), { amount: 0.0361, unit: 'USD', source: 'upstream' });
});

test('adds the charge of the vendor to the fee of the gateway only for an own key (cline/cline#9053)', () => {
  const costOf = (usage: object) => usageOf({ usage: { ...usage, cost_details: { upstream_inference_cost: 0.5 } } });
  assert.deepEqual(costOf({ cost: 0.25, is_byok: true }), { cost: 0.75, costSource: 'upstream' });
  assert.deepEqual(costOf({ cost: 0.5, is_byok: false }), { cost: 0.5 });
  assert.deepEqual(costOf({}), { cost: 0.5, costSource: 'upstream' });
});

test('reads a cost that the gateway calls an estimate, and says so (anomalyco/opencode#45483)', () => {
  const { usage } = readText(reportFile('120j-estimated-cost.sse')).verdict;
  assert.deepEqual(knownCost({ usage }), { amount: 0.00042, unit: 'USD', source: 'estimated' });
  assert.deepEqual(usageOf({ usage: { estimated_cost: 0.1 } }, { usage: { cost: 0.2 } }), { cost: 0.2 });
});

test('reads a cost that is stated beside the usage (earendil-works/pi#6877, team-mirai/mirai-gikai#172, anomalyco/opencode#39061)', () => {
  assert.deepEqual(usageOf({ usage: { prompt_tokens: 5 } }, { choices: [], cost: '0.0012' }), {
    promptTokens: 5,
    cost: 0.0012,
  });
  assert.deepEqual(usageOf({ usage: { prompt_tokens: 5, cost: 2 }, cost: 9 }), { promptTokens: 5, cost: 2 });
  assert.equal(usageOf({ cost: 0.5, currency: 'CNY' }), undefined);
  const { usage } = readText(
    text('Hi.') + chunk({ provider_metadata: { gateway: { cost: '0.0091', marketCost: '0.0091' } } }, 'stop') + done,
  ).verdict;
  assert.deepEqual(usage, { cost: 0.0091 });
  assert.deepEqual(usageOf({ x_nanogpt_pricing: { cost: 0.002, currency: 'USD', inputTokens: 5, outputTokens: 6 } }), {
    promptTokens: 5,
    completionTokens: 6,
    cost: 0.002,
  });
});
