import { type ChatCase, complete, failed, type Made } from './chatCase.ts';

/** What the gateway counts for the question and its faultless answer. */
const prompt = 11;
const output = 107;
const counts = { promptTokens: prompt, completionTokens: output };
const total = prompt + output;

function counted(fault: string, usage: NonNullable<Made['usage']>): ChatCase {
  return { fault, also: 'Q27', made: complete({ usage }) };
}

/** Where the figures stand, and what they are called (section 1.4). */
export const usageCases: readonly ChatCase[] = [
  counted('usage-camel-case', counts),
  counted('usage-ollama', counts),
  counted('usage-other-names', { ...counts, cachedTokens: 8, reasoningTokens: 3 }),
  counted('usage-anthropic', { ...counts, cachedTokens: 8 }),
  counted('usage-deepseek', { ...counts, totalTokens: total, cachedTokens: 8 }),
  counted('usage-moonshot', { ...counts, totalTokens: total, cachedTokens: 8 }),
  counted('usage-odd-numbers', { reasoningTokens: 3 }),
  counted('cost-reported', { ...counts, totalTokens: total, cachedTokens: 8, reasoningTokens: 3, cost: 0.00042 }),
  counted('cost-object', { ...counts, totalTokens: total, cost: 0.0003 }),
  counted('cost-ticks', { ...counts, totalTokens: total + 40, reasoningTokens: 40 }),
  { fault: 'priced-per-call', made: complete() },
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
  const made = complete({ text: 'none', finishReason, usage });
  return { fault, also: 'Q35', asked: tools, made };
}

/** Calls of tools this client never offers: a reply of nothing else is a reply all the same. */
export const toolCases: readonly ChatCase[] = [
  ...['from-one', 'name-late', 'whole', 'object', 'no-index', 'wrong-index', 'interleaved', 'signature'].map((name) =>
    called(`tools-${name}`, 'tool_calls'),
  ),
  called('tools-cut', 'length'),
  called('tools-finish-stop', 'stop'),
  called('tools-legacy', 'function_call'),
  { fault: 'reasoning-required', made: complete() },
  { fault: 'stream-required', made: complete() },
  { fault: 'stream-required', also: 'Q24', asked: { stream: false }, made: failed('requestRejected', { status: 400 }) },
];
