import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../base/localization.ts';
import { isRecord, parseJson } from '../base/loose.ts';
import type { CallOrigin } from '../chat/sending/callGate.ts';
import type { Sender } from '../chat/sending/chatPorts.ts';
import type { ChatRequest } from '../client/chatRequest.ts';
import type { ReplyEnd } from '../client/gatewayClient.ts';
import { hasPictureText, unreadText } from '../reply/replyOutcome.ts';
import type { ToolCall } from '../reply/toolCalls.ts';
import type { ToolCallMemory } from './toolCallMemory.ts';

/** A part of a reply to another extension. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly input: object }
  /** Token counts with the names that VS Code's Chat reads. */
  | { readonly type: 'usage'; readonly usage: TokenCounts };

type TokenCounts = Readonly<Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', number>>;

export type LanguageReply = ReplyEnd & {
  /** The tool whose call could not be read, empty if it has no name. Then all calls were reported, as text only. */
  readonly brokenCall?: string;
  /** Whether text or reasoning was reported. */
  readonly hasArrived?: boolean;
};

/**
 * Sends a request once and reports text and reasoning as they arrive. Tool calls are reported when the reply is
 * complete and all of them can be read; those of a reply that was cut or stopped may be incomplete and are not
 * reported. A note in the text says when a call was left out because it contains the key.
 * Token counts come last.
 */
export async function streamReply(
  sender: Pick<Sender, 'send'>,
  request: ChatRequest,
  origin: CallOrigin,
  report: (part: ReplyPart) => void,
  memory: ToolCallMemory,
  signal: AbortSignal,
): Promise<LanguageReply> {
  const reply = await streamContent(sender, request, origin, report, memory, signal);
  const { promptTokens, completionTokens, totalTokens } = reply.usage ?? {};
  if (promptTokens !== undefined && completionTokens !== undefined) {
    const total_tokens = totalTokens ?? promptTokens + completionTokens;
    report({
      type: 'usage',
      usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens },
    });
  }
  return reply;
}

async function streamContent(
  ...[sender, request, origin, report, memory, signal]: Parameters<typeof streamReply>
): Promise<LanguageReply> {
  let allReasoning = '';
  let hasArrived = false;
  const end = await sender.send(
    request,
    origin,
    ({ text, reasoning, allBefore }) => {
      hasArrived = true;
      if (reasoning !== '') {
        allReasoning += reasoning;
        report({ type: 'thinking', text: reasoning });
      }
      // Text that turns out to be reasoning was passed on already, which can't be taken back: it stays in the answer.
      const answer = (allBefore === 'text' ? allReasoning : '') + text;
      if (answer !== '') {
        report({ type: 'text', text: answer });
      }
    },
    signal,
  );
  for (const note of [end.unread && unreadText(), end.hasPicture && hasPictureText()]) {
    if (note) {
      report({ type: 'text', text: `\n\n${note}\n` });
    }
  }
  if (end.outcome !== 'complete') {
    return { ...end, hasArrived };
  }
  if (end.callsWithKey !== undefined) {
    report({ type: 'text', text: `\n\n${leftOutText(end.callsWithKey)}\n` });
  }
  if (end.toolCalls === undefined) {
    return { ...end, hasArrived };
  }
  const calls = end.toolCalls.map((call) => ({ call, input: readInput(call) }));
  const broken = calls.find(({ call, input }) => input === undefined || call.name === '');
  if (broken) {
    report({ type: 'text', text: `\n\n${end.toolCalls.map(callText).join('\n')}\n` });
    return { ...end, brokenCall: broken.call.name };
  }
  for (const { call, input = {} } of calls) {
    report({ type: 'toolCall', id: memory.remember(call, allReasoning), name: call.name, input });
  }
  return end;
}

/** Parses the arguments of a call; none means an empty object. @returns undefined when they are not a JSON object. */
function readInput({ arguments: text }: ToolCall): object | undefined {
  const value = text.trim() === '' ? {} : parseJson(text);
  return isRecord(value) ? value : value === null ? {} : undefined;
}

function leftOutText(calls: number): string {
  return plural(
    calls,
    l10n.t("One tool call was omitted because it contained this connection's key."),
    l10n.t("{0} tool calls were omitted because they contained this connection's key.", numberText(calls)),
  );
}

function callText({ name, arguments: text }: ToolCall): string {
  return `${name}(${text})`;
}
