import { type ChatCase, complete, type Expected, failed } from './chatCase.ts';

/** Token counts of the question and its faultless answer. */
const prompt = 11;
const output = 107;
const counts = { promptTokens: prompt, completionTokens: output };
const total = prompt + output;

function counted(fault: string, usage: NonNullable<Expected['usage']>): ChatCase {
  return { fault, also: 'Q27', expected: complete({ usage }) };
}

/** Fields and names of usage figures (wire 1.4). */
export const usageCases: readonly ChatCase[] = [
  counted('usage-camel-case', counts),
  counted('usage-ollama', counts),
  counted('usage-other-names', { ...counts, cachedTokens: 8, reasoningTokens: 3 }),
  counted('usage-anthropic', { ...counts, cachedTokens: 8, cacheWriteTokens: 2 }),
  counted('usage-deepseek', { ...counts, totalTokens: total, cachedTokens: 8 }),
  counted('usage-moonshot', { ...counts, totalTokens: total, cachedTokens: 8 }),
  counted('usage-odd-numbers', { reasoningTokens: 3 }),
  counted('cost-reported', { ...counts, totalTokens: total, cachedTokens: 8, reasoningTokens: 3, cost: 0.00042 }),
  counted('cost-object', { ...counts, totalTokens: total, cost: 0.0003 }),
  counted('cost-ticks', { ...counts, totalTokens: total + 40, reasoningTokens: 40, cost: 0.00042 }),
  { fault: 'priced-per-call', expected: complete() },
];

const tools = {
  tools: [
    { type: 'function', function: { name: 'find' } },
    { type: 'function', function: { name: 'open' } },
  ],
  messages: [{ role: 'user', content: 'Please find {"word": "a"} and open {"file": "b c"}' }],
};

function called(fault: string, finishReason: string): ChatCase {
  const usage = { promptTokens: 17, completionTokens: 7, totalTokens: 24 };
  const expected = complete({ text: 'none', finishReason, usage });
  return { fault, also: 'Q35', body: tools, expected };
}

/** Tool calls: a reply with nothing else is complete. */
export const toolCases: readonly ChatCase[] = [
  ...['from-one', 'name-late', 'whole', 'object', 'no-index', 'wrong-index', 'interleaved', 'signature'].map((name) =>
    called(`tools-${name}`, 'tool_calls'),
  ),
  called('tools-cut', 'length'),
  called('tools-finish-stop', 'stop'),
  called('tools-legacy', 'function_call'),
  { fault: 'reasoning-required', expected: complete() },
  { fault: 'stream-required', expected: complete() },
  {
    fault: 'stream-required',
    also: 'Q24',
    body: { stream: false },
    expected: failed('requestRejected', { status: 400 }),
  },
];
