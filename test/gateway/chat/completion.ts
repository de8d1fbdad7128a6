import type { Delta, Production } from '../production.ts';
import type { StreamItem } from './streamItem.ts';

/** Token counts with their names on the wire. */
export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** The fields that all chunks of a reply, or its completion, have in common. */
export interface ReplyHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** One streamed chunk as OpenAI sends it. */
export interface Chunk extends ReplyHead {
  readonly object: 'chat.completion.chunk';
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Readonly<Record<string, unknown>>;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: WireUsage;
}

/** A completion in a single body. */
export interface Completion extends ReplyHead {
  readonly object: 'chat.completion';
  readonly choices: readonly {
    readonly index: number;
    readonly message: Readonly<Record<string, unknown>>;
    readonly finish_reason: string | null;
  }[];
  readonly usage: WireUsage;
}

/** The usage of a reply so far. */
export function wireUsage(promptTokens: number, completionTokens: number): WireUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Makes a chunk with one delta. */
export function deltaChunk(head: ReplyHead, delta: Chunk['choices'][0]['delta'], finishReason: string | null): Chunk {
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

/** Yields a stream in OpenAI's order: role, deltas, finish reason, usage if requested, `[DONE]`. */
export async function* completionStream(
  head: ReplyHead,
  production: Production,
  promptTokens: number,
  includeUsage: boolean,
): AsyncGenerator<StreamItem> {
  yield { chunk: deltaChunk(head, { role: 'assistant', content: '' }, null) };
  for await (const delta of production) {
    yield { chunk: deltaChunk(head, wireDelta(head, delta), null) };
  }
  yield { chunk: deltaChunk(head, {}, production.finishReason) };
  if (includeUsage) {
    const usage = wireUsage(promptTokens, production.completionTokens);
    yield { chunk: { ...head, object: 'chat.completion.chunk', choices: [], usage } };
  }
  yield { done: true };
}

/** Returns a whole reply in one body. */
export async function completionBody(
  head: ReplyHead,
  production: Production,
  promptTokens: number,
): Promise<Completion> {
  const text = { reasoning: '', content: '' };
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
  for await (const delta of production) {
    if (delta.kind !== 'tool') {
      text[delta.kind] += delta.text;
    } else if (delta.name !== undefined) {
      calls.push({ id: callId(head, delta.index), type: 'function', function: { name: delta.name, arguments: '' } });
    } else {
      const call = calls[delta.index];
      if (call !== undefined) {
        call.function.arguments += delta.text;
      }
    }
  }
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : text.content,
    ...(text.reasoning === '' ? {} : { reasoning_content: text.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: production.finishReason }],
    usage: wireUsage(promptTokens, production.completionTokens),
  };
}

function wireDelta(head: ReplyHead, delta: Delta): Readonly<Record<string, unknown>> {
  if (delta.kind !== 'tool') {
    return { [delta.kind === 'reasoning' ? 'reasoning_content' : 'content']: delta.text };
  }
  const { index, name, text } = delta;
  const first = { index, id: callId(head, index), type: 'function', function: { name, arguments: '' } };
  return { tool_calls: [name === undefined ? { index, function: { arguments: text } } : first] };
}

function callId(head: ReplyHead, index: number): string {
  return `call_${head.id.slice(-8)}_${index}`;
}
