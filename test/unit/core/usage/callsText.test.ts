import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf, callsText } from '../../../../src/core/usage/callsText.ts';

test('says tokens and a cost only if they are known, and how many calls the cost leaves out', () => {
  const none = { calls: 1, tokens: 0, costs: new Map(), unpriced: 1 };
  assert.equal(callsText(none), '1 call');
  assert.equal(callsText({ ...none, calls: 3, tokens: 1_234 }), '3 calls, 1.2K tokens');
  const costs = new Map([['USD', 0.0423]]);
  assert.equal(callsOf('gpt-5', { calls: 3, tokens: 5, costs, unpriced: 0 }), 'gpt-5: 3 calls, 5 tokens, $0.042');
  assert.equal(callsText({ calls: 3, tokens: 5, costs, unpriced: 2 }), '3 calls, 5 tokens, $0.042 (2 not priced)');
});
