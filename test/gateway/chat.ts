import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { UsageEntry } from './account.ts';
import { type CatalogueModel, catalogue, isOpenTo } from './catalogue.ts';
import { type Call, type ChosenFault, sendAnswer } from './faults/fault.ts';
import {
  type Chunk,
  type Completion,
  deltaChunk,
  doneEvent,
  estimateTokens,
  frame,
  type Item,
  wireUsage,
} from './faults/items.ts';
import { faultFor } from './faultTable.ts';
import type { Settings } from './gateway.ts';
import { type Exchange, isAnswered, keyValueOf, Refusal, readBody, sendPieces } from './http.ts';
import { type ChatMessage, pieces, type ScriptedAnswer, scriptedAnswer } from './scriptedAnswer.ts';

/** A valid chat request. */
type ChatRequest = ReturnType<typeof parseChatRequest>;

/** Estimates the prompt tokens of a conversation: the text of each message, plus four tokens per message. */
function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message.text) + 4, 0);
}

/** Calculates the charge in whole micro-USD, with integers, rounded up once for the whole call. */
export function costMicroUsd(
  price: Pick<CatalogueModel, 'inputNanoUsd' | 'outputNanoUsd'>,
  promptTokens: number,
  completionTokens: number,
  groupRatio = 1,
): number {
  const nanoUsd = promptTokens * price.inputNanoUsd + completionTokens * price.outputNanoUsd;
  return Math.ceil((nanoUsd * groupRatio) / 1000);
}

/**
 * Answers `POST /v1/chat/completions`. Every POST adds one line to the usage log, even if it fails. A call that reached
 * a model is charged for the tokens produced, even if the client disconnects before the end.
 */
export async function answerChat(exchange: Exchange, settings: Settings): Promise<void> {
  const { account } = settings;
  const entry: UsageEntry = {
    time: new Date(settings.now()).toISOString(),
    requestId: exchange.requestId,
    keyName: '',
    model: '',
    promptTokens: 0,
    completionTokens: 0,
    costMicroUsd: 0,
    state: 'error',
    code: 'interrupted',
    isStream: false,
  };
  account.countPost();
  try {
    await converse(exchange, settings, entry);
  } catch (error) {
    entry.state = exchange.gone.aborted && entry.state !== 'ok' ? 'client_gone' : entry.state;
    entry.code = error instanceof Refusal ? error.code : entry.code;
    throw error;
  } finally {
    if (entry.state !== 'error') {
      entry.code = null;
    }
    entry.tookMs = Math.max(0, Math.round(settings.now() - Date.parse(entry.time)));
    account.settle(entry, account.keyById(entry.keyId));
  }
}

async function converse(exchange: Exchange, settings: Settings, entry: UsageEntry): Promise<void> {
  const { request } = exchange;
  const body = await readBody(request);
  settings.record(request, body ?? '');
  const key = settings.account.admit(keyValueOf(request));
  entry.keyName = key.name;
  entry.keyId = key.id;
  if (body === undefined) {
    throw new Refusal(413, 'request_too_large', 'The request body is larger than 10 MB.');
  }
  const chat = parseChatRequest(body);
  entry.model = chat.model;
  entry.isStream = chat.isStream;
  const { foreignOrigin } = settings;
  const model = findModel(chat.model, key.groups);
  entry.group = key.groups.find((group) => model.groups.includes(group));
  entry.groupRatio = settings.groupRatios[entry.group ?? ''];
  requireRoom(chat, settings.contextTokens ?? model.contextTokens);
  settings.account.requireFunds(key);
  const chosen = faultFor('chat', exchange, key, settings.fault);
  const amount = chosen?.amount ?? 0;
  const call: Call = { exchange, amount, keyValue: keyValueOf(request), model: chat.model, body, foreignOrigin };
  if (chosen?.fault.answer !== undefined) {
    entry.code = chosen.fault.name;
    await sendAnswer(chosen.fault.answer, call);
    if (isAnswered(exchange)) {
      if (chosen.fault.isCharged === true) {
        await chargeUnsent(model, chat, entry, exchange.gone);
      }
      return;
    }
    entry.code = 'interrupted';
  }
  await sendScripted(model, chat, chosen, call, settings, entry);
}

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().regex(/^(?:https?:\/\/|data:image\/[\w.+-]+;base64,[\w+/=]+$)/) }),
});

const chatBody = z.looseObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        // Null in an assistant message that only calls tools.
        content: z.union([z.string(), z.array(z.union([textPart, imagePart])), z.null()]).optional(),
        tool_calls: z.array(z.looseObject({ id: z.string().optional() })).nullish(),
        tool_call_id: z.string().nullish(),
      }),
    )
    .min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).nullish(),
});

/** Reads the body of a chat request; throws a Refusal that names the first invalid field. */
function parseChatRequest(text: string) {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_json', 'The request body is not valid JSON.');
  }
  const parsed = chatBody.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'unusable' };
    const param = path.map(String).join('.');
    throw new Refusal(400, 'invalid_value', `Invalid value for '${param}': ${message}.`, param || null);
  }
  const body = parsed.data;
  if (!hasResultsAfterCalls(body.messages)) {
    const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.`;
    throw new Refusal(400, 'invalid_value', message, 'messages');
  }
  return {
    model: body.model,
    messages: body.messages.map(
      ({ role, content }): ChatMessage => ({
        role,
        text: typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join(''),
      }),
    ),
    isStream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    tools: (body.tools ?? []).map((tool) => tool.function.name),
  };
}

/** Whether results of tools stand right after their calls, as OpenAI requires. Without ids any order is accepted. */
function hasResultsAfterCalls(messages: z.infer<typeof chatBody>['messages']): boolean {
  let open = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      if (typeof tool_call_id === 'string' && !open.delete(tool_call_id)) {
        return false;
      }
    } else if (open.size > 0) {
      return false;
    } else {
      open = new Set((tool_calls ?? []).flatMap(({ id }) => id ?? []));
    }
  }
  return open.size === 0;
}

/** Returns the chat model with this id; throws a Refusal that says what to send instead when the key can't use it. */
function findModel(id: string, groups: readonly string[]): CatalogueModel {
  const model = catalogue.find((each) => each.id === id);
  if (model === undefined) {
    throw new Refusal(404, 'model_not_found', `The model '${id}' does not exist.`, 'model');
  }
  if (!isOpenTo(model, groups)) {
    const open = model.groups.join(', ');
    const message = `This key has no access to model '${id}': it is open to the groups ${open}, and the key is in ${groups.join(', ') || 'none'}.`;
    throw new Refusal(403, 'model_not_allowed', message, 'model');
  }
  if (model.kind !== 'chat') {
    throw new Refusal(400, 'model_not_chat', `The model '${id}' is not for chat: it is for ${model.kind}.`, 'model');
  }
  return model;
}

/** Throws a Refusal when the prompt, with room for one token of an answer, is longer than the model's context. */
function requireRoom({ messages }: ChatRequest, contextTokens: number): void {
  const tokens = estimatePromptTokens(messages);
  if (tokens >= contextTokens) {
    const message = `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens} tokens.`;
    throw new Refusal(400, 'context_length_exceeded', message, 'messages');
  }
}

/** Sends the answer of a scripted model, as a stream or in one body, and charges for what it produced. */
async function sendScripted(
  model: CatalogueModel,
  chat: ChatRequest,
  chosen: ChosenFault | undefined,
  call: Call,
  settings: Settings,
  entry: UsageEntry,
): Promise<void> {
  const { exchange } = call;
  const { response } = exchange;
  const fault = chosen?.fault;
  const slowMs = model.id.endsWith('-slow') ? 150 : undefined;
  const perPause = model.id.endsWith('-long') ? 40 : 1;
  const production = new Production(model, chat, () => slowMs ?? settings.delayMs, perPause, exchange.gone);
  const head = {
    id: `chatcmpl-${exchange.requestId.slice(4)}`,
    created: Math.floor(settings.now() / 1000),
    // As on many gateways, some replies name another model than the requested one.
    model: model.id.startsWith('gpt-') ? `${model.id}-2026-04-14` : model.id,
  };
  const promptTokens = estimatePromptTokens(chat.messages);
  try {
    await fault?.before?.(call);
    const isStream = fault?.isStream ?? chat.isStream;
    response.statusCode = fault?.status ?? 200;
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.setHeader('cache-control', 'no-cache');
    setHeaders(exchange, fault?.headers);
    let text: AsyncIterable<string>;
    if (isStream) {
      response.flushHeaders();
      // A stream that the request didn't ask for reports usage, as a reply in one body does.
      const items = completionItems(head, production, promptTokens, chat.includeUsage || !chat.isStream);
      text = framed(fault?.items?.(items, call) ?? items);
    } else {
      const completion = await wholeCompletion(head, production, promptTokens);
      text = onePiece(JSON.stringify(fault?.completion?.(completion, call) ?? completion));
    }
    await sendPieces(exchange, fault?.wire?.(text, call) ?? text);
  } finally {
    if (fault?.runsOn === true && exchange.gone.aborted) {
      await chargeUnsent(model, chat, entry, new AbortController().signal);
    } else {
      meter(model, chat, production, entry);
    }
    if (fault?.isPricedPerCall === true) {
      entry.costMicroUsd = Math.round(call.amount * (entry.groupRatio ?? 1));
    }
    entry.state = production.isFinished ? 'ok' : 'error';
    if (!production.isFinished && fault !== undefined) {
      entry.code = fault.name;
    }
  }
}

/** Sets headers; null removes one. */
export function setHeaders({ response }: Exchange, headers: Readonly<Record<string, string | null>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    value === null ? response.removeHeader(name) : response.setHeader(name, value);
  }
}

/** Yields one text as the only piece. */
export async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

async function* framed(items: AsyncIterable<Item>): AsyncGenerator<string> {
  for await (const item of items) {
    yield frame(item);
  }
}

/** Charges a whole reply without sending it. */
async function chargeUnsent(model: CatalogueModel, chat: ChatRequest, entry: UsageEntry, gone: AbortSignal) {
  const production = new Production(model, chat, () => 0, 1e9, gone);
  try {
    for await (const _ of production.deltas()) {
      // The deltas are counted, not sent.
    }
  } finally {
    meter(model, chat, production, entry);
  }
}

function meter(model: CatalogueModel, { messages }: ChatRequest, { text }: Production, entry: UsageEntry): void {
  entry.promptTokens = estimatePromptTokens(messages);
  entry.completionTokens = estimateTokens(text);
  entry.costMicroUsd = costMicroUsd(model, entry.promptTokens, entry.completionTokens, entry.groupRatio);
}

/** A few words of a reply, or a piece of a tool call; the first piece of a call has its name. */
interface Delta {
  readonly kind: 'reasoning_content' | 'content' | 'tool';
  readonly text: string;
  readonly index: number;
  readonly name?: string;
}

/** Produces one reply, and keeps what was produced so far, which is charged. */
class Production {
  readonly #deltas: readonly Delta[];
  readonly #delayMs: () => number;
  readonly #perPause: number;
  readonly #gone: AbortSignal;
  /** `length` when the request's own limit cuts the answer, `tool_calls` when it ends with calls, else `stop`. */
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  text = '';
  isFinished = false;

  constructor(model: CatalogueModel, chat: ChatRequest, delayMs: () => number, perPause: number, gone: AbortSignal) {
    const answer: ScriptedAnswer = scriptedAnswer(model, chat.messages, chat.tools);
    const limit = chat.maxTokens === undefined ? Number.POSITIVE_INFINITY : chat.maxTokens * 4;
    const reasoning = answer.reasoning.slice(0, limit);
    const text = answer.text.slice(0, Math.max(0, limit - reasoning.length));
    const isCut = reasoning.length + text.length < answer.reasoning.length + answer.text.length;
    this.finishReason = isCut ? 'length' : answer.toolCalls.length > 0 ? 'tool_calls' : 'stop';
    this.#deltas = [
      ...pieces(reasoning).map((piece): Delta => ({ kind: 'reasoning_content', text: piece, index: 0 })),
      ...pieces(text).map((piece): Delta => ({ kind: 'content', text: piece, index: 0 })),
      ...answer.toolCalls.flatMap((call, index): Delta[] => [
        { kind: 'tool', text: '', index, name: call.name },
        ...pieces(call.arguments).map((piece): Delta => ({ kind: 'tool', text: piece, index })),
      ]),
    ];
    this.#delayMs = delayMs;
    this.#perPause = perPause;
    this.#gone = gone;
  }

  /** Produces the deltas, each at the current pace; throws the signal's reason when the client has disconnected. */
  async *deltas(): AsyncGenerator<Delta> {
    for (const [index, delta] of this.#deltas.entries()) {
      if (index % this.#perPause === 0) {
        const delayMs = this.#delayMs();
        await (delayMs > 0
          ? sleep(delayMs, undefined, { signal: this.#gone })
          : nextTurn(undefined, { signal: this.#gone }));
      }
      this.text += delta.text;
      yield delta;
    }
    this.isFinished = true;
  }
}

type Head = Pick<Chunk, 'id' | 'created' | 'model'>;

function toolCall(head: Head, { index, name = '' }: Delta) {
  return { id: `call_${head.id.slice(-8)}_${index}`, type: 'function' as const, function: { name, arguments: '' } };
}

/** Yields a stream in OpenAI's order: role, deltas, finish reason, usage if requested, `[DONE]`. */
async function* completionItems(
  head: Head,
  production: Production,
  promptTokens: number,
  includeUsage: boolean,
): AsyncGenerator<Item> {
  yield deltaChunk(head, { role: 'assistant', content: '' }, null);
  for await (const delta of production.deltas()) {
    const { kind, text, index, name } = delta;
    const call = name === undefined ? { index, function: { arguments: text } } : { index, ...toolCall(head, delta) };
    yield deltaChunk(head, kind === 'tool' ? { tool_calls: [call] } : { [kind]: text }, null);
  }
  yield deltaChunk(head, {}, production.finishReason);
  if (includeUsage) {
    const usage = wireUsage(promptTokens, estimateTokens(production.text));
    yield { ...head, object: 'chat.completion.chunk', choices: [], usage };
  }
  yield doneEvent;
}

/** Returns a whole reply in one body. */
async function wholeCompletion(head: Head, production: Production, promptTokens: number): Promise<Completion> {
  const text = { reasoning_content: '', content: '' };
  const calls: ReturnType<typeof toolCall>[] = [];
  for await (const delta of production.deltas()) {
    const call = calls[delta.index];
    if (delta.kind !== 'tool') {
      text[delta.kind] += delta.text;
    } else if (call === undefined) {
      calls.push(toolCall(head, delta));
    } else {
      call.function.arguments += delta.text;
    }
  }
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : text.content,
    ...(text.reasoning_content !== '' && { reasoning_content: text.reasoning_content }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: production.finishReason }],
    usage: wireUsage(promptTokens, estimateTokens(production.text)),
  };
}
