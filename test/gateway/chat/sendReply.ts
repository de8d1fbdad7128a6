import type { Fault, FaultContext } from '../fault.ts';
import { setHeaders } from '../network/exchange.ts';
import type { Production } from '../production.ts';
import { onePiece, sendPieces } from '../wire.ts';
import type { ChatRequest } from './chatRequest.ts';
import { completionBody, completionStream, type ReplyHead } from './completion.ts';
import { estimatePromptTokens } from './metering.ts';
import { frameItems } from './streamItem.ts';

/** What determines a reply besides the model's answer. */
export interface ReplyPlan {
  readonly head: ReplyHead;
  readonly chat: ChatRequest;
  readonly fault: Fault | undefined;
  readonly context: FaultContext;
}

/** Sends a reply as a stream or in one body. A fault may change each stage. */
export async function sendReply(production: Production, plan: ReplyPlan): Promise<void> {
  const { chat, fault, context } = plan;
  await fault?.before?.(context);
  const isStream = fault?.isStream ?? chat.isStream;
  const { exchange } = context;
  const { response } = exchange;
  response.statusCode = fault?.status ?? 200;
  response.setHeader('content-type', isStream ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8');
  response.setHeader('cache-control', 'no-cache');
  setHeaders(response, fault?.headers);
  if (isStream) {
    response.flushHeaders?.();
  }
  const text = isStream ? streamText(production, plan) : onePiece(await bodyText(production, plan));
  await sendPieces(exchange, fault?.wire?.(text, context) ?? text);
}

function streamText(production: Production, { head, chat, fault, context }: ReplyPlan): AsyncIterable<string> {
  // A stream that the request didn't ask for reports usage, as a reply in one body does.
  const includeUsage = chat.includeUsage || !chat.isStream;
  const items = completionStream(head, production, estimatePromptTokens(chat.messages), includeUsage);
  return frameItems(fault?.items?.(items, context) ?? items);
}

async function bodyText(production: Production, { head, chat, fault, context }: ReplyPlan): Promise<string> {
  const completion = await completionBody(head, production, estimatePromptTokens(chat.messages));
  return JSON.stringify(fault?.completion?.(completion, context) ?? completion);
}
