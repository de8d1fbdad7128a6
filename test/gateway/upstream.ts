import { once } from 'node:events';
import type { UsageEntry } from './account.ts';
import { catalogue, type ModelList } from './catalogue.ts';
import { type ChatRequest, costMicroUsd, estimatePromptTokens } from './chat.ts';
import { estimateTokens, type WireUsage } from './faults/items.ts';
import { type Exchange, Refusal } from './http.ts';

/** A real OpenAI-compatible service behind this gateway. */
export interface Upstream {
  models(signal: AbortSignal): Promise<ModelList>;
  chat(exchange: Exchange, body: string, chat: ChatRequest, entry: UsageEntry): Promise<void>;
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
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
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
    async chat({ response, gone }, body, chat, entry) {
      const headers = { ...authorization, 'content-type': 'application/json' };
      const answer = await reach('/chat/completions', { method: 'POST', headers, body, signal: gone });
      const type = answer.headers.get('content-type');
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
      const parts: Uint8Array[] = [];
      entry.code = 'upstream_failed';
      try {
        for await (const bytes of answer.body ?? []) {
          parts.push(bytes);
          if (!response.write(bytes)) {
            await once(response, 'drain', { signal: gone });
          }
        }
        response.end();
        entry.state = 'ok';
      } finally {
        const { hasFailed, usage, text } = readReply(Buffer.concat(parts).toString());
        if (hasFailed) {
          entry.state = 'error';
        } else {
          const price = catalogue.find((model) => model.id === chat.model) ?? unknownPrice;
          entry.promptTokens = usage?.prompt_tokens ?? estimatePromptTokens(chat.messages);
          entry.completionTokens = usage?.completion_tokens ?? estimateTokens(text);
          entry.costMicroUsd = costMicroUsd(price, entry.promptTokens, entry.completionTokens);
        }
      }
    },
  };
}

interface LooseReply {
  readonly error?: unknown;
  readonly usage?: WireUsage | null;
  readonly choices?:
    | readonly {
        readonly delta?: { readonly content?: string | null };
        readonly message?: { readonly content?: string | null };
      }[]
    | null;
}

/** Reads a forwarded answer, streamed or whole: its usage, its text, and whether it failed. */
function readReply(answer: string): { hasFailed: boolean; usage: WireUsage | undefined; text: string } {
  const documents = answer.trimStart().startsWith('{') ? [answer] : answer.match(/(?<=^data:).*/gm);
  let text = '';
  let hasFailed = false;
  let usage: WireUsage | undefined;
  for (const document of documents ?? []) {
    let reply: LooseReply | undefined;
    try {
      reply = JSON.parse(document);
    } catch {
      // The end marker, or a line that a client that went away cut.
    }
    hasFailed ||= (reply?.error ?? null) !== null;
    usage = reply?.usage ?? usage;
    for (const { delta, message } of reply?.choices ?? []) {
      text += delta?.content ?? message?.content ?? '';
    }
  }
  return { hasFailed, usage, text };
}
