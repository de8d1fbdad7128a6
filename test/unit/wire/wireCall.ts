import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../src/core/base/clock.ts';
import { replacePictures } from '../../../src/core/base/pictures.ts';
import {
  type ChatRequest,
  defaultLimits,
  GatewayClient,
  type ReplyEnd,
  type Target,
  type TimerLimits,
} from '../../../src/core/client/gatewayClient.ts';
import { GatewayError } from '../../../src/core/errors/gatewayProblem.ts';
import type { Transport } from '../../../src/core/http/transport.ts';
import type { Model } from '../../../src/core/models/list/model.ts';
import { withDelta } from '../../../src/core/reply/replyContent.ts';
import { systemClock } from '../../../src/node/system/machine.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';
import { urlOf } from '../core/connections/connectionTo.ts';
import { leakedKey } from '../core/secrets/spelledKeys.ts';
import { currentWire, plainWire, runOver } from './wire.ts';

const plainModel = 'deepseek-chat';
export const question = 'How are you, \u201cünï\u201d 漢字 \u{1f98a}?';

/** Options of the client under test. */
export interface ClientOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<TimerLimits>;
  readonly transport?: Transport;
}

export function newClient({ clock = systemClock, limits = {}, transport }: ClientOptions = {}): GatewayClient {
  return new GatewayClient({
    transport: transport ?? currentWire().transport,
    clock,
    limits: { ...defaultLimits, ...limits },
    userAgent: 'ask-model/1.0',
  });
}

export function targetOf(address: string, key: string): Target {
  return { url: urlOf(address), key };
}

/** A gateway for one test, with one unrestricted key. */
export interface OwnGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly key: string;
  /** The address of this fault, or of the gateway without a fault. */
  target(fault?: string): Target;
}

export async function ownGateway(options: GatewayOptions = {}): Promise<OwnGateway> {
  const wire = currentWire();
  const gateway = await startGateway({ delayMs: 0, ...wire.gateway, ...options });
  const attached = await wire.attach(gateway);
  const key = gateway.createKey({ name: 'quirks' }).value;
  return {
    gateway,
    key,
    target: (fault) => targetOf(fault === undefined ? gateway.baseUrl : `${gateway.consoleUrl}/fault/${fault}/v1`, key),
    async [Symbol.asyncDispose]() {
      await attached[Symbol.asyncDispose]();
      await gateway.close();
    },
  };
}

export interface Received {
  readonly text: string;
  readonly reasoning: string;
  readonly end: ReplyEnd;
}

/** A reply that is still arriving. */
export interface PendingReply {
  readonly text: string;
  readonly isSettled: boolean;
  readonly received: Promise<Received>;
}

/** Sends the question and collects the reply. */
export function listen(
  client: GatewayClient,
  target: Target,
  signal: AbortSignal = new AbortController().signal,
  request: Partial<ChatRequest> = {},
): PendingReply {
  const state = { text: '', reasoning: '', isSettled: false };
  const received = client
    .chat(
      target,
      { model: plainModel, messages: [{ role: 'user', content: question }], ...request },
      (delta) => {
        Object.assign(state, withDelta(state, delta));
      },
      signal,
    )
    .then((end) => ({
      text: replacePictures(state.text, (name) => `![](${name.replace(/.*\./, '*.')})`),
      reasoning: state.reasoning,
      end,
    }))
    .finally(() => {
      state.isSettled = true;
    });
  return {
    get text() {
      return state.text;
    },
    get isSettled() {
      return state.isSettled;
    },
    received,
  };
}

const answers = new Map<string, Promise<Received>>();

/** The answer of a gateway without a fault to the same question; requested once for each model. */
export function faultless(model = plainModel): Promise<Received> {
  const cached = answers.get(model);
  if (cached !== undefined) {
    return cached;
  }
  const answer = runOver(plainWire, async () => {
    await using own = await ownGateway();
    return await listen(newClient(), own.target(), undefined, { model }).received;
  });
  answers.set(model, answer);
  return answer;
}

/** Compares a reply with the faultless one, in short words for `deepEqual`. */
export async function pictureOf(received: Received, own: OwnGateway, model?: string): Promise<Record<string, unknown>> {
  const { gateway } = own;
  const whole = await faultless(model);
  await gateway.settled();
  const { problem, ...end } = received.end;
  const logged = gateway.usageLog().at(-1)?.requestId;
  return {
    outcome: end.outcome,
    kind: problem?.kind,
    text: compareTexts(received.text, whole.text),
    reasoning: received.reasoning === whole.reasoning ? 'same' : received.reasoning,
    finishReason: end.finishReason,
    model: end.model === whole.end.model ? 'same' : end.model,
    usage: isDeepStrictEqual(end.usage, whole.end.usage) ? 'same' : end.usage,
    requestId: end.requestId !== undefined && end.requestId === logged ? 'same' : end.requestId,
    posts: gateway.postCount(),
    foreign: gateway.foreign.requests().length,
    hasKey: holdsKey(received, own.key),
  };
}

function compareTexts(text: string, whole: string): string {
  return text === whole ? 'whole' : text === '' ? 'none' : whole.startsWith(text) ? 'prefix' : text;
}

/** Whether any field contains the key in any spelling, or the part of it that masked keys show. */
export function holdsKey(value: unknown, key: string): boolean {
  const text = JSON.stringify(value);
  return text.includes(key.slice(0, 6)) || leakedKey(key, text) !== undefined;
}

/** The model list as read, or the problem. */
export type Listed =
  | { readonly models: readonly Model[]; readonly dropped: number }
  | { readonly problem: Readonly<Record<string, unknown>> };

export async function readList(client: GatewayClient, target: Target, retries = 0): Promise<Listed> {
  try {
    return await client.listModels(target, new AbortController().signal, retries);
  } catch (error) {
    if (error instanceof GatewayError) {
      return { problem: { ...error.problem } };
    }
    throw error;
  }
}
