import { isRecord, parseJson } from '../base/loose.ts';
import type { Sender } from '../chat/sending/chatPorts.ts';
import type { ChatRequest } from '../client/chatRequest.ts';
import type { ReplyEnd } from '../client/gatewayClient.ts';
import type { ToolCall } from '../reply/toolCalls.ts';
import type { ToolCallMemory } from './toolCallMemory.ts';

/** A piece of a reply for another extension. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly input: object };

export type LanguageReply = ReplyEnd & {
  /** The tool whose call can not be read; no call was handed on then, and all of them went out as text. */
  readonly brokenCall?: string;
  /** Text or reasoning was handed on. */
  readonly hasArrived?: boolean;
};

/**
 * Sends a request once and hands on what comes, as it comes; calls of tools when the reply is over and all of them can
 * be read. Calls of a reply that was cut or stopped may not be whole, and are not handed on. A call that was left out
 * because the key is in it is told of in the text.
 */
export async function streamReply(
  sender: Pick<Sender, 'send'>,
  request: ChatRequest,
  report: (part: ReplyPart) => void,
  memory: ToolCallMemory,
  signal: AbortSignal,
): Promise<LanguageReply> {
  let thought = '';
  let hasArrived = false;
  const end = await sender.send(
    request,
    ({ text, reasoning }) => {
      hasArrived = true;
      if (reasoning !== '') {
        thought += reasoning;
        report({ type: 'thinking', text: reasoning });
      }
      if (text !== '') {
        report({ type: 'text', text });
      }
    },
    signal,
  );
  if (end.outcome !== 'complete') {
    return { ...end, hasArrived };
  }
  if (end.callsWithKey !== undefined) {
    report({ type: 'text', text: `\n\n${leftOut(end.callsWithKey)}\n` });
  }
  if (end.toolCalls === undefined) {
    return { ...end, hasArrived };
  }
  const calls = end.toolCalls.map((call) => ({ call, input: readInput(call) }));
  const broken = calls.find(({ input }) => input === undefined);
  if (broken) {
    report({ type: 'text', text: `\n\n${end.toolCalls.map(inWords).join('\n')}\n` });
    return { ...end, brokenCall: broken.call.name };
  }
  for (const { call, input = {} } of calls) {
    report({ type: 'toolCall', id: memory.remember(call, thought), name: call.name, input });
  }
  return end;
}

/** @returns undefined when it is not an object in JSON; no text at all means none. */
function readInput({ arguments: text }: ToolCall): object | undefined {
  const value = text.trim() === '' ? {} : parseJson(text);
  return isRecord(value) ? value : value === null ? {} : undefined;
}

function leftOut(calls: number): string {
  return calls === 1
    ? 'One tool call was left out because it contained the key of this connection.'
    : `${calls} tool calls were left out because they contained the key of this connection.`;
}

function inWords({ name, arguments: text }: ToolCall): string {
  return `${name}(${text})`;
}
