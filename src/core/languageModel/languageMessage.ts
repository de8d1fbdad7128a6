import * as l10n from '@vscode/l10n';
import { isRecord, recordOf } from '../base/loose.ts';

/** A part of a message from another extension, in our own format. */
export type LanguagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly base64: string }
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

/** Thrown before anything is sent, for content that a chat request can't contain. */
export class UnsendablePart extends Error {
  constructor(mimeType: string) {
    super(l10n.t('Ask Model can send text, images, and tools, but not data of type {0}.', mimeType));
    this.name = 'UnsendablePart';
  }
}

/** `LanguageModelChatMessageRole`; the third is the system role, which is not part of the stable API. */
const roles = { 1: 'user', 2: 'assistant', 3: 'system' } as const;

/**
 * Reads a message of `vscode.lm` by its shape, because newer versions of VS Code have parts that the typings lack.
 *
 * @throws UnsendablePart for content that a chat request can't contain.
 */
export function readMessage(message: unknown, reading: PartReading): LanguageMessage {
  const { role, content } = isRecord(message) ? message : {};
  const known = role === 2 || role === 3 ? roles[role] : roles[1];
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
    return [{ type: 'image', mimeType, base64: base64(data) }];
  }
  if (mimeType.startsWith('text/') || /^application\/(?:[\w.-]+\+)?json$/.test(mimeType)) {
    return [{ type: 'text', text: new TextDecoder().decode(data) }];
  }
  if (mimeType.includes('/')) {
    throw new UnsendablePart(mimeType);
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
