/** The replies that the benchmarks read: chat chunks in the format of real gateways, the same in every run. */

/** The fields of every chunk, in the order and of the length that gateways send. */
const head = {
  id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
  object: 'chat.completion.chunk',
  created: 1_741_570_283,
  model: 'gpt-4o-mini-2024-07-18',
  system_fingerprint: 'fp_06737a9306',
};
const words = [' the', ' function', ' returns', ' a', ' list', ',\n', ' `items`', ' of', ' "names"', '.'];
const chineseWords = ['这', '函数', '返回', '一个', '列表', '，\n', ' `items`', '的', ' "names"', '。'];
const usage = { prompt_tokens: 1_024, completion_tokens: 50_000, total_tokens: 51_024 };

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function delta(content: string, more: object = {}): string {
  return event({ ...head, ...more, choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }] });
}

/** `same`: chunks that differ only in their English text; `chinese`: only in Chinese text; `different`: also in ids. */
export type StreamKind = 'same' | 'chinese' | 'different';

/** The first event of `streamOf`, which has text. */
export const firstEvent = delta('Hello');

/** The events after the text: finish reason, usage and end marker. */
export const lastEvents =
  event({ ...head, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }] }) +
  event({ ...head, choices: [], usage }) +
  'data: [DONE]\n\n';

/** Makes a stream of `chunks` deltas; `units` is the length of its text in UTF-16 units. */
export function streamOf(chunks: number, kind: StreamKind = 'same'): { readonly body: string; readonly units: number } {
  const texts = kind === 'chinese' ? chineseWords : words;
  let body = firstEvent;
  let units = 'Hello'.length;
  for (let index = 1; index < chunks; index++) {
    const text = texts[index % texts.length] ?? '';
    body += delta(text, kind === 'different' ? { id: `${head.id}-${index}` } : {});
    units += text.length;
  }
  return { body: body + lastEvents, units };
}

/** Makes a stream of about `bytes` bytes. */
export function streamOfBytes(bytes: number): Buffer {
  return Buffer.from(streamOf(Math.round(bytes / delta(' function').length)).body);
}

/** Makes a stream with one event of exactly `bytes` bytes, and the end. */
export function oneEvent(bytes: number): Buffer {
  const frame = Buffer.byteLength(delta('').trimEnd());
  return Buffer.from(delta('x'.repeat(bytes - frame)) + lastEvents);
}

/** Makes a completion as one JSON document of exactly `bytes` bytes. */
export function wholeAnswer(bytes: number): Buffer {
  const answer = (content: string) =>
    JSON.stringify({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage,
    });
  return Buffer.from(answer('x'.repeat(bytes - Buffer.byteLength(answer('')))));
}
