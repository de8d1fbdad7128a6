import { once } from 'node:events';
import type { ChatCall } from '../chat/chatCall.ts';
import type { ChatRequest } from '../chat/chatRequest.ts';
import { costMicroUsd, estimatePromptTokens, estimateTokens } from '../chat/metering.ts';
import { ReportedUsage } from '../chat/reportedUsage.ts';
import { catalogue } from '../models/catalogue.ts';
import type { ModelList } from '../models/modelList.ts';
import { Refusal } from '../refusal.ts';
import type { Exchange } from './exchange.ts';

/** A real OpenAI-compatible service behind this gateway. */
export interface Upstream {
  models(signal: AbortSignal): Promise<ModelList>;
  chat(exchange: Exchange, body: string, chat: ChatRequest, call: ChatCall): Promise<void>;
}

/** The price of models that aren't in the catalogue: one and four USD per million tokens. */
const unknownPrice = { inputNanoUsd: 1000, outputNanoUsd: 4000 };

/** Forwards to the service at this base URL (with its version path). The key is sent to that service only. */
export function forwardTo(baseUrl: string, key: string): Upstream {
  const base = baseUrl.replace(/\/+$/, '');
  const authorization: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };

  async function reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, { ...init, redirect: 'manual' });
    } catch (error) {
      if (init.signal?.aborted === true) {
        throw error;
      }
      const cause = (error as Error).cause;
      const reason = cause instanceof Error ? cause.message : (error as Error).message;
      throw new Refusal(502, 'upstream_unreachable', `The upstream service could not be reached: ${reason}.`);
    }
  }

  return {
    async models(signal) {
      const response = await reach('/models', { headers: authorization, signal });
      const text = await response.text();
      try {
        return JSON.parse(text) as ModelList;
      } catch {
        throw new Refusal(502, 'upstream_failed', `The upstream service answered ${response.status} without JSON.`);
      }
    },
    async chat({ response, gone }, body, chat, call) {
      const headers = { ...authorization, 'content-type': 'application/json' };
      const answer = await reach('/chat/completions', { method: 'POST', headers, body, signal: gone });
      const type = answer.headers.get('content-type');
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
      const reported = new ReportedUsage();
      try {
        for await (const bytes of answer.body ?? []) {
          reported.add(bytes);
          if (!response.write(bytes)) {
            await once(response, 'drain', { signal: gone });
          }
        }
        reported.end();
        response.end();
        call.entry.state = reported.hasFailed ? 'error' : 'ok';
        call.entry.code = 'upstream_failed';
      } finally {
        if (!reported.hasFailed) {
          const price = catalogue.find((model) => model.id === chat.model) ?? unknownPrice;
          call.entry.promptTokens = reported.promptTokens ?? estimatePromptTokens(chat.messages);
          call.entry.completionTokens = reported.completionTokens ?? estimateTokens(reported.text);
          call.entry.costMicroUsd = costMicroUsd(price, call.entry.promptTokens, call.entry.completionTokens);
        }
      }
    },
  };
}
