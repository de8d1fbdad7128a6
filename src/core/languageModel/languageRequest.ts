import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { isRecord, jsonToSend, recordOf } from '../base/loose.ts';
import { pictureKind } from '../base/pictures.ts';
import type { ChatRequest, ContentPart, WireMessage } from '../client/gatewayClient.ts';
import type { CallFacts } from './languageReply.ts';

/** A part of a message from another extension: what is sent as it is, and what the wire has elsewhere. */
export type LanguagePart =
  | ContentPart
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'toolResult'; readonly id: string; readonly parts: readonly LanguagePart[] };

export type LanguageMessage = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly LanguagePart[];
};

export type PartReading = {
  /** Whether a part is of VS Code's class for thinking, which otherwise has the shape of a text part. */
  readonly isThinking: (part: unknown) => boolean;
  readonly base64: (bytes: Uint8Array) => string;
};

/**
 * Reads a message of `vscode.lm` by its shape, because newer versions of VS Code have parts that the typings lack.
 *
 * @throws for content that a chat request can't contain, before anything is sent.
 */
export function readMessage(message: unknown, reading: PartReading): LanguageMessage {
  const { role, content } = isRecord(message) ? message : {};
  // `LanguageModelChatMessageRole`; 3 is the system role, which is not part of the stable API.
  const known = role === 2 ? 'assistant' : role === 3 ? 'system' : 'user';
  const parts = typeof content === 'string' ? [{ value: content }] : Array.isArray(content) ? content : [];
  return { role: known, parts: parts.flatMap((part) => readPart(part, reading)) };
}

function readPart(part: unknown, reading: PartReading): LanguagePart[] {
  if (typeof part === 'string') {
    return [{ type: 'text', text: part }];
  }
  if (!isRecord(part)) {
    return [];
  }
  const { value, callId, name, input, content, mimeType, data } = part;
  if (typeof callId === 'string' && Array.isArray(content)) {
    return [{ type: 'toolResult', id: callId, parts: content.flatMap((each) => readPart(each, reading)) }];
  }
  if (typeof callId === 'string' && typeof name === 'string') {
    return [{ type: 'toolCall', id: callId, name, input: isRecord(input) ? input : {} }];
  }
  if (typeof mimeType === 'string' && data instanceof Uint8Array) {
    return readData(mimeType, data, reading);
  }
  if (reading.isThinking(part)) {
    const text = Array.isArray(value) ? value.join('') : value;
    return typeof text === 'string' ? [{ type: 'thinking', text }] : [];
  }
  if (typeof value === 'string') {
    return [{ type: 'text', text: value }];
  }
  return value === undefined ? [] : [{ type: 'text', text: promptText(value) }];
}

function readData(mimeType: string, data: Uint8Array, { base64 }: PartReading): LanguagePart[] {
  if (mimeType.startsWith('image/')) {
    const encoded = base64(data);
    // Callers go by the name of a file; vendors reject an image of another kind.
    const type = pictureKind(encoded)?.type ?? mimeType;
    return [{ type: 'image_url', image_url: { url: `data:${type};base64,${encoded}` } }];
  }
  if (mimeType.startsWith('text/') || /^application\/(?:[\w.-]+\+)?json$/.test(mimeType)) {
    return [{ type: 'text', text: new TextDecoder().decode(data) }];
  }
  if (mimeType.includes('/')) {
    throw new Error(l10n.t('Ask Model can send text, images, and tools, but not data of type {0}.', mimeType));
  }
  // Markers of Chat for its own service, such as `cache_control`, which mean nothing to a model.
  return [];
}

/** `PromptNodeType.Text` of @vscode/prompt-tsx; the other nodes hold children. */
const textNode = 2;

/** The text of a tool result that was written with @vscode/prompt-tsx; any other value as JSON. */
function promptText(value: unknown): string {
  const { node } = recordOf(value);
  return isRecord(node) ? nodeText(node).trimStart() : JSON.stringify(value);
}

function nodeText(node: unknown): string {
  const { type, text, lineBreakBefore, children } = recordOf(node);
  if (type === textNode) {
    return `${lineBreakBefore ? '\n' : ''}${typeof text === 'string' ? text : ''}`;
  }
  return Array.isArray(children) ? children.map(nodeText).join('') : '';
}

/** Models that reject a tool call of an earlier answer without the reasoning before it (wire Q59). */
const needsReasoning = /deepseek|mimo|kimi(?!-k2-(?:instruct|0))/i;

export type LanguageRequest = {
  /** Exact id. */
  readonly model: string;
  readonly messages: readonly LanguageMessage[];
  readonly tools: readonly vscode.LanguageModelChatTool[];
  /** Whether the model must call one of the tools. */
  readonly isToolRequired: boolean;
  /** As the caller gave them, of any shape. */
  readonly modelOptions: unknown;
  /** The model rejected `reasoning_content` before. */
  readonly leavesOutReasoning?: boolean;
};

/** Whether a gateway's message says that it doesn't take the reasoning of an earlier answer, as Groq and Cerebras do (wire Q59). */
export function rejectsReasoning(words = ''): boolean {
  return /reasoning_content/.test(words) && !/missing|passed back|required/.test(words);
}

/** Makes the chat request for a request of another extension. @returns the request, or why it can't be sent. */
export function chatRequestOf(
  { model, messages, tools, isToolRequired, modelOptions, leavesOutReasoning }: LanguageRequest,
  factsOf: (id: string) => CallFacts | undefined,
): ChatRequest | string {
  const hasTools = tools.length > 0;
  const sent = leavesOutReasoning ? 'none' : hasTools && needsReasoning.test(model) ? 'each' : 'known';
  const wire = wireMessages(messages, factsOf, sent, model);
  if (wire.length === 0) {
    return l10n.t('The request contains no text, so nothing was sent.');
  }
  const given = Object.entries(recordOf(modelOptions)).filter(
    ([name, value]) => optionNames.has(name) && value != null,
  );
  const { parallel_tool_calls, ...options } = Object.fromEntries(given);
  return {
    model,
    messages: wire,
    options: {
      ...options,
      // Without tools it means nothing, and some gateways reject it.
      ...(hasTools && parallel_tool_calls !== undefined && { parallel_tool_calls }),
    },
    ...(hasTools && {
      // Some vendors reject two of one name.
      tools: [...new Map(tools.map((tool) => [wireName(tool.name), tool]))].map(
        ([name, { description, inputSchema }]) => ({
          type: 'function' as const,
          function: { name, description, parameters: { ...noParameters, ...inputSchema } },
        }),
      ),
      tool_choice: isToolRequired ? ('required' as const) : ('auto' as const),
    }),
  };
}

/** The name of a tool as it is sent: most vendors accept 64 characters, and VS Code makes longer ones, which differ at their ends. */
export function wireName(name: string): string {
  return name.slice(-64);
}

/**
 * The id of a call as a model accepts it: Mistral takes nine letters or digits, others up to 40 characters. A longer id stays
 * for Gemini and for the model that made the call, because gateways put data into it that the model requires back
 * (BerriAI/litellm#37849).
 *
 * @param maker the model that made the call, if known.
 */
function wireId(id: string, model: string, maker: string | undefined): string {
  const isAccepted = /mi(?:s|x|nis)tral|(?:code|dev|magi|pix)s?tral/i.test(model)
    ? /^[a-z\d]{9}$/i.test(id)
    : id.length <= 40 || maker === model || /gemini/i.test(model);
  return isAccepted
    ? id
    : id
        .replace(/[^a-z\d]/gi, '')
        .slice(-9)
        .padStart(9, '0');
}

/** Many vendors require all of this, even for a tool without parameters; MCP requires none of it. */
const noParameters = { type: 'object', properties: {} };

/** The options of a caller that are sent, as it gave them. VS Code's Chat adds others, which no gateway knows. */
const optionNames: ReadonlySet<string> = new Set([
  ...['temperature', 'top_p', 'top_k', 'min_p', 'max_tokens', 'max_completion_tokens', 'stop', 'seed'],
  ...['frequency_penalty', 'presence_penalty', 'logit_bias', 'parallel_tool_calls', 'reasoning_effort', 'verbosity'],
  'response_format',
]);

/**
 * Converts the messages of other extensions into the order that gateways require: tool results directly after the
 * calls, then the rest of the user's turn. Images of tool results and of the model are sent with the next user message,
 * because only user messages may contain images. Blank texts and messages are left out, and a blank tool result gets a
 * word, because vendors reject requests with blank text (wire section 4).
 *
 * @param factsOf what is remembered about a call, by its id.
 * @param sentReasoning `each`: the vendor rejects an answer without its reasoning.
 */
export function wireMessages(
  messages: readonly LanguageMessage[],
  factsOf: (id: string) => CallFacts | undefined,
  sentReasoning: 'none' | 'known' | 'each' = 'known',
  model = '',
): WireMessage[] {
  const wire: WireMessage[] = [];
  let images: ContentPart[] = [];
  let turn: ContentPart[][] = [];
  const endTurn = () => {
    for (const content of images.length > 0 ? [images, ...turn] : turn) {
      wire.push({ role: 'user', content: plain(content) });
    }
    images = [];
    turn = [];
  };
  for (const { role, parts } of messages) {
    const text = textOf(parts);
    switch (role) {
      case 'system':
        endTurn();
        if (text !== undefined) {
          wire.push({ role, content: text });
        }
        break;
      case 'user':
        for (const part of parts) {
          if (part.type === 'toolResult') {
            wire.push({
              role: 'tool',
              tool_call_id: wireId(part.id, model, factsOf(part.id)?.model),
              content: textOf(part.parts) ?? '(no text)',
            });
            images.push(...imagesOf(part.parts));
          }
        }
        turn.push(...[contentOf(parts)].filter((content) => content.length > 0));
        break;
      case 'assistant':
        endTurn();
        wire.push(...assistant(parts, text, factsOf, sentReasoning, model));
        images.push(...imagesOf(parts));
        break;
      default:
        role satisfies never;
    }
  }
  endTurn();
  return wire;
}

function assistant(
  parts: readonly LanguagePart[],
  text: string | undefined,
  factsOf: (id: string) => CallFacts | undefined,
  sentReasoning: 'none' | 'known' | 'each',
  model: string,
): WireMessage[] {
  const calls = parts.flatMap((part) => (part.type === 'toolCall' ? [{ ...part, ...factsOf(part.id) }] : []));
  const givenReasoning = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
  const known = givenReasoning || calls.find((call) => call.reasoning)?.reasoning;
  // A blank passes for reasoning, an empty text doesn't (wire Q59).
  const reasoning = { none: undefined, known, each: known || ' ' }[sentReasoning];
  if (calls.length === 0) {
    const sent = sentReasoning === 'each' && { reasoning_content: reasoning };
    return text === undefined ? [] : [{ role: 'assistant', content: text, ...sent }];
  }
  return [
    {
      role: 'assistant',
      content: text ?? null,
      ...(reasoning && { reasoning_content: reasoning }),
      tool_calls: calls.map(({ id, name, input, extra, model: maker }) => ({
        id: wireId(id, model, maker),
        type: 'function',
        function: { name: wireName(name), arguments: jsonToSend(input) },
        ...(extra && { extra_content: extra }),
      })),
    },
  ];
}

/** @returns undefined when the text is blank. */
function textOf(parts: readonly LanguagePart[]): string | undefined {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return text.trim() === '' ? undefined : text;
}

function imagesOf(parts: readonly LanguagePart[]): ContentPart[] {
  return contentOf(parts).filter(({ type }) => type === 'image_url');
}

/** The texts and images of a message; adjacent texts are joined. */
function contentOf(parts: readonly LanguagePart[]): ContentPart[] {
  const content: ContentPart[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    if (part.type === 'text' && last?.type === 'text') {
      content[content.length - 1] = { type: 'text', text: last.text + part.text };
    } else if (part.type === 'text' || part.type === 'image_url') {
      content.push(part);
    }
  }
  return content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
}

/** Sends text alone as a string, because lists of parts break older gateways (wire section 4). */
function plain(content: readonly ContentPart[]): string | readonly ContentPart[] {
  const [first, second] = content;
  return first?.type === 'text' && second === undefined ? first.text : content;
}
