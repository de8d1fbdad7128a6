import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statedWindow } from '../../../../../src/core/chat/conversation/requestParts.ts';

test('reads the context window from what a gateway says when it refuses a request for its length', () => {
  const stated: Readonly<Record<string, number | undefined>> = {
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.": 8_192,
    'The prompt is too long: 9000 tokens > 8192 maximum': 8_192,
    "Requested token count exceeds the model's maximum context length of 131,072 tokens. You requested 150,000.": 131_072,
    'the request exceeds the available context size (32768 tokens), try increasing it': 32_768,
    'the request exceeds the available context size, try increasing it': undefined,
    'Request too large. The maximum is 10 MB.': undefined,
    '': undefined,
  };
  for (const [words, tokens] of Object.entries(stated)) {
    assert.equal(statedWindow(words), tokens, words);
  }
  assert.equal(statedWindow(undefined), undefined);
});
