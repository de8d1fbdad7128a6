import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../src/core/base/clock.ts';
import type { ChatRequest } from '../../../src/core/client/chatRequest.ts';
import { GatewayClient, type ReplyEnd, type Target } from '../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../src/core/connections/baseUrl.ts';
import { GatewayError } from '../../../src/core/errors/gatewayProblem.ts';
import { defaultLimits, type TimerLimits } from '../../../src/core/http/requestTimers.ts';
import type { Transport } from '../../../src/core/http/transport.ts';
import type { Model } from '../../../src/core/models/list/model.ts';
import { systemClock } from '../../../src/node/system/systemClock.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';
import { leftOf } from '../core/secrets/spelledKeys.ts';
import { currentWire, plainWire, runOver } from './wire.ts';

const plainModel = 'deepseek-chat';
export const question = 'How are you, \u201cünï\u201d 漢字 \u{1f98a}?';

/** How the client under test is set up; everything can be left out. */
export interface ClientOptions {
  readonly clock?: Clock | undefined;
  readonly limits?: Partial<TimerLimits> | undefined;
  readonly transport?: Transport | undefined;
}

export function newClient({ clock = systemClock, limits = {}, transport }: ClientOptions = {}): GatewayClient {
  return new GatewayClient({
    transport: transport ?? currentWire().transport,
    clock,
    limits: { ...defaultLimits, ...limits },
    userAgent: 'ask-model/1.0',
    random: () => 0.5,
  });
}

export function targetOf(address: string, key: string): Target {
  const url = parseBaseUrl(address);
  if (!url.ok) {
    throw new Error(url.reason);
  }
  return { url: url.value, key };
}

/** A gateway of one test alone, with one key that may do everything. */
export interface OwnGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly key: string;
  /** The address that asks for this fault, or for none. */
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

export interface Heard {
  readonly text: string;
  readonly reasoning: string;
  readonly end: ReplyEnd;
}

/** A reply that is still arriving. */
export interface Listening {
  readonly text: string;
  readonly isSettled: boolean;
  readonly heard: Promise<Heard>;
}

/** Asks the question and collects what comes. */
export function listen(
  client: GatewayClient,
  target: Target,
  signal: AbortSignal = new AbortController().signal,
  request: Partial<ChatRequest> = {},
): Listening {
  const state = { text: '', reasoning: '', isSettled: false };
  const heard = client
    .chat(
      target,
      { model: plainModel, messages: [{ role: 'user', content: question }], ...request },
      (delta) => {
        state.text += delta.text;
        state.reasoning += delta.reasoning;
      },
      signal,
    )
    .then((end) => ({ text: state.text, reasoning: state.reasoning, end }))
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
    heard,
  };
}

const answers = new Map<string, Promise<Heard>>();

/** What a gateway without a fault answers to the same question; asked once for each model. */
export function faultless(model = plainModel): Promise<Heard> {
  const known = answers.get(model);
  if (known !== undefined) {
    return known;
  }
  const asked = runOver(plainWire, async () => {
    await using own = await ownGateway();
    return await listen(newClient(), own.target(), undefined, { model }).heard;
  });
  answers.set(model, asked);
  return asked;
}

/** A reply beside the faultless one, in words that make a short table. */
export async function pictureOf(heard: Heard, own: OwnGateway, model?: string): Promise<Record<string, unknown>> {
  const { gateway } = own;
  const whole = await faultless(model);
  await gateway.settled();
  const { problem, ...end } = heard.end;
  const logged = gateway.usageLog().at(-1)?.requestId;
  return {
    outcome: end.outcome,
    kind: problem?.kind,
    text: beside(heard.text, whole.text),
    reasoning: heard.reasoning === whole.reasoning ? 'same' : heard.reasoning,
    finishReason: end.finishReason,
    model: end.model === whole.end.model ? 'same' : end.model,
    usage: isDeepStrictEqual(end.usage, whole.end.usage) ? 'same' : end.usage,
    requestId: end.requestId !== undefined && end.requestId === logged ? 'same' : end.requestId,
    posts: gateway.postCount(),
    foreign: gateway.foreign.requests().length,
    hasKey: holdsKey(heard, own.key),
  };
}

function beside(text: string, whole: string): string {
  return text === whole ? 'whole' : text === '' ? 'none' : whole.startsWith(text) ? 'prefix' : text;
}

/** Whether any field holds the key in any spelling, or the part of it that masked spellings show. */
export function holdsKey(value: unknown, key: string): boolean {
  const text = JSON.stringify(value);
  return text.includes(key.slice(0, 6)) || leftOf({ key, secret: key.replace(/^sk-/, '') }, text) !== undefined;
}

/** What came of reading the model list. */
export type Listed =
  | { readonly models: readonly Model[]; readonly dropped: number; readonly withKey?: number }
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
