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
  counted('usage-deepseek', { ...counts, totalTokens: total, cachedTokens: 8 }),
  counted('usage-moonshot', { ...counts, totalTokens: total, cachedTokens: 8 }),
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
  called('tools-signature', 'tool_calls'),
  called('tools-cut', 'length'),
  { fault: 'reasoning-required', expected: complete() },
  { fault: 'stream-required', expected: complete() },
  {
    fault: 'stream-required',
    also: 'Q24',
    body: { stream: false },
    expected: failed('requestRejected', { status: 400 }),
  },
];
