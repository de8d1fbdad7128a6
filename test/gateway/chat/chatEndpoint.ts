import { admitKey, admitModel, faultFor, keyValueOf } from '../admission.ts';
import type { ChosenFault, FaultContext } from '../fault.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import { type Exchange, isAnswered, readBody } from '../network/exchange.ts';
import { Production } from '../production.ts';
import { Refusal } from '../refusal.ts';
import type { Settings } from '../settings.ts';
import { type ChatCall, openCall } from './chatCall.ts';
import { type ChatRequest, parseChatRequest } from './chatRequest.ts';
import { costMicroUsd, estimatePromptTokens } from './metering.ts';
import { scriptedAnswer } from './scriptedAnswer.ts';
import { sendReply } from './sendReply.ts';

/**
 * Answers `POST /v1/chat/completions`. Every POST adds one line to the usage log, even if it fails. A call that reached
 * a model is charged for the tokens produced, even if the client disconnects before the end.
 */
export async function answerChat(exchange: Exchange, settings: Settings): Promise<void> {
  const { account } = settings;
  const call = openCall(exchange.requestId, settings.now());
  account.countPost();
  try {
    await converse(exchange, settings, call);
  } catch (error) {
    call.entry.state = exchange.gone.aborted && call.entry.state !== 'ok' ? 'client_gone' : call.entry.state;
    call.entry.code = error instanceof Refusal ? error.code : call.entry.code;
    throw error;
  } finally {
    if (call.entry.state !== 'error') {
      call.entry.code = null;
    }
    call.entry.tookMs = Math.max(0, Math.round(settings.now() - Date.parse(call.entry.time)));
    account.settle(call.entry, call.key);
  }
}

async function converse(exchange: Exchange, settings: Settings, call: ChatCall): Promise<void> {
  const { request } = exchange;
  const body = await readBody(request);
  settings.recorder.add(request, body ?? '');
  const key = admitKey(settings.account, request);
  call.key = key;
  call.entry.keyName = key.name;
  call.entry.keyId = key.id;
  if (body === undefined) {
    throw new Refusal(413, 'request_too_large', 'The request body is larger than 10 MB.');
  }
  const chat = parseChatRequest(body);
  call.entry.model = chat.model;
  call.entry.isStream = chat.isStream;
  const upstream = settings.upstream;
  const model = upstream === undefined ? admitModel(chat.model, key) : undefined;
  call.entry.group = key.groups.find((group) => model?.groups.includes(group) ?? true);
  call.entry.groupRatio = model && settings.groupRatios[call.entry.group ?? ''];
  admitLength(chat, settings.contextTokens ?? model?.contextTokens);
  settings.account.requireFunds(key);
  const chosen = faultFor('chat', exchange, key, settings.fault);
  const context: FaultContext = {
    exchange,
    amount: chosen?.amount ?? 0,
    keyValue: keyValueOf(request),
    model: chat.model,
    body,
    foreignOrigin: settings.foreignOrigin,
  };
  if (chosen?.fault.instead !== undefined) {
    call.entry.code = chosen.fault.name;
    await chosen.fault.instead(context);
    if (isAnswered(exchange)) {
      if (chosen.fault.isCharged === true && model !== undefined) {
        await chargeUnsent(model, chat, call, exchange.gone);
      }
      return;
    }
    call.entry.code = 'interrupted';
  }
  if (model === undefined) {
    await upstream?.chat(exchange, body, chat, call);
  } else {
    await sendScripted(model, chat, chosen, context, settings, call);
  }
}

/** Throws a Refusal when the prompt, with room for one token of an answer, is longer than the model's context. */
function admitLength({ messages }: ChatRequest, contextTokens = Number.POSITIVE_INFINITY): void {
  const tokens = estimatePromptTokens(messages);
  if (tokens >= contextTokens) {
    const message = `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens} tokens.`;
    throw new Refusal(400, 'context_length_exceeded', message, 'messages');
  }
}

/** Sends the answer of a scripted model and charges for what it produced. */
async function sendScripted(
  model: CatalogueModel,
  chat: ChatRequest,
  chosen: ChosenFault | undefined,
  context: FaultContext,
  settings: Settings,
  call: ChatCall,
): Promise<void> {
  const { exchange } = context;
  const { fixedDelayMs, deltasPerPause } = model.traits;
  const pace = () => ({ delayMs: fixedDelayMs ?? settings.delayMs, deltasPerPause });
  const production = new Production(scriptedAnswer(model, chat), chat.maxTokens, pace, exchange.gone);
  const head = {
    id: `chatcmpl-${exchange.requestId.slice(4)}`,
    created: Math.floor(settings.now() / 1000),
    model: model.traits.echoedModel,
  };
  try {
    await sendReply(production, { head, chat, fault: chosen?.fault, context });
  } finally {
    if (chosen?.fault.runsOn === true && exchange.gone.aborted) {
      await chargeUnsent(model, chat, call, new AbortController().signal);
    } else {
      meter(model, chat, production.completionTokens, call);
    }
    if (chosen?.fault.isPricedPerCall === true) {
      call.entry.costMicroUsd = Math.round(chosen.amount * (call.entry.groupRatio ?? 1));
    }
    call.entry.state = production.isFinished ? 'ok' : 'error';
    if (!production.isFinished && chosen !== undefined) {
      call.entry.code = chosen.fault.name;
    }
  }
}

/** Charges a whole reply without sending it. */
async function chargeUnsent(
  model: CatalogueModel,
  chat: ChatRequest,
  call: ChatCall,
  gone: AbortSignal,
): Promise<void> {
  const answer = scriptedAnswer(model, chat);
  const production = new Production(answer, chat.maxTokens, () => ({ delayMs: 0, deltasPerPause: 1e9 }), gone);
  try {
    for await (const _ of production) {
      // The deltas are counted, not sent.
    }
  } finally {
    meter(model, chat, production.completionTokens, call);
  }
}

function meter(model: CatalogueModel, chat: ChatRequest, completionTokens: number, { entry }: ChatCall): void {
  entry.promptTokens = estimatePromptTokens(chat.messages);
  entry.completionTokens = completionTokens;
  entry.costMicroUsd = costMicroUsd(model, entry.promptTokens, completionTokens, entry.groupRatio);
}
