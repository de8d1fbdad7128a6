import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '../../../../src/core/base/estimateTokens.ts';
import { wireMessages } from '../../../../src/core/languageModel/languageRequest.ts';
import { estimateRequest } from '../../../../src/core/usage/estimateRequest.ts';

test('estimates the text of all parts, a fixed number per image, and the delimiters', () => {
  const tokens = estimateTokens('abcdefg');
  assert.equal(
    estimateRequest({
      messages: wireMessages(
        [
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'abcdefg' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,' } },
              { type: 'toolResult', id: '', parts: [{ type: 'text', text: 'abcdefg' }] },
            ],
          },
        ],
        () => undefined,
      ),
    }),
    4 + tokens + 1_000 + 4 + tokens,
  );
});

test('estimates reasoning, calls of tools and the descriptions of tools', () => {
  const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } } as const;
  const bare = { role: 'assistant', content: null, tool_calls: [call] } as const;
  const tool = { type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: {} } } as const;
  const estimate = estimateRequest({ messages: [bare] });
  assert.ok(estimate > 4 + estimateTokens('read{"path":"a.ts"}'));
  assert.ok(estimateRequest({ messages: [{ ...bare, reasoning_content: 'I have to read the file.' }] }) > estimate + 4);
  assert.equal(estimateRequest({ messages: [bare], tools: [tool] }), estimate + estimateTokens(JSON.stringify([tool])));
});
