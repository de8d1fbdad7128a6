import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faults } from '../../../gateway/faultTable.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../gateway/gateway.ts';
import { type Answer, type Ask, chatBody } from '../askGateway.ts';
import type { Check } from './checks.ts';
import { errorChecks } from './errorChecks.ts';
import { modelChecks } from './modelChecks.ts';
import { refusalChecks } from './refusalChecks.ts';
import { streamChecks } from './streamChecks.ts';
import { transportChecks } from './transportChecks.ts';

/** The check of each fault, for the chat endpoint, or for the model list if the fault applies only there. */
export const faultChecks: Readonly<Record<string, Check>> = {
  ...streamChecks,
  ...errorChecks,
  ...refusalChecks,
  ...transportChecks,
  ...modelChecks,
};

/** Request fields that make the model call two tools. */
const tools = {
  tools: [{ function: { name: 'find' } }, { function: { name: 'open' } }],
  messages: [{ role: 'user', content: 'Please find {"word": "a"} and open {"file": "b c"}' }],
};

/** Request fields that faults depend on. */
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'stream-for-plain': { stream: false },
  'stream-required': { stream: false },
  'finish-needs-usage': { stream_options: undefined },
  'extra-parameters-rejected': { temperature: 0.5 },
  'reasoning-required': {
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Seen.' },
    ],
  },
};

/** Faults with numbers that make the tests quick. */
const shorter: Readonly<Record<string, string>> = {
  slow: 'slow:2',
  'late-headers': 'late-headers:50',
  'late-first-event': 'late-first-event:50',
  'pings-only': 'pings-only:10',
  'pings-first': 'pings-first:2',
  'blank-lines-first': 'blank-lines-first:2',
  'stall-then-end': 'stall-then-end:50',
};

/** The text after which the response of a fault stays open without an end. */
const openAfter: Readonly<Record<string, RegExp>> = {
  'open-after-done': /\[DONE\]\n\n$/,
  'open-after-finish': /"finish_reason":"stop"/,
  stalled: /^data: \{/,
  'pings-only': /(?:: keep-alive\n\n){5}$/,
};

/** Sends a request with one fault. If the connection breaks before any answer, the result is a `broken` answer. */
export async function requestFault(
  ask: Ask,
  gateway: Gateway,
  key: string,
  name: string,
  endpoint: 'chat' | 'models',
): Promise<Answer> {
  const options = {
    headers: { 'x-fault': shorter[name] ?? name },
    timeoutMs: name === 'never-answers' ? 400 : 30_000,
    openAfter: openAfter[name],
  };
  const body = chatBody(name.startsWith('tools-') ? tools : bodies[name]);
  try {
    return endpoint === 'models'
      ? await ask(`${gateway.baseUrl}/models`, key, options)
      : await ask(`${gateway.baseUrl}/chat/completions`, key, { ...options, body });
  } catch (error) {
    const end = (error as Error).name === 'TimeoutError' ? 'open' : 'broken';
    return { status: 0, headers: new Headers(), text: '', bytes: new Uint8Array(), end };
  }
}

/** Registers a test for every fault, with one gateway for all. */
export function testEveryFault(options: GatewayOptions, askOf: (gateway: Gateway) => Ask): void {
  let gateway: Gateway;
  let key: string;

  before(async () => {
    gateway = await startGateway({ delayMs: 0, ...options });
    key = gateway.createKey({ name: 'test' }).value;
  });
  after(() => gateway.close());

  for (const { name, about, on } of faults) {
    it(`shows ${name}: ${about}`, async () => {
      const ask = askOf(gateway);
      const posts = gateway.postCount();
      const check = faultChecks[name] ?? assert.fail(`no check for ${name}`);
      check(await requestFault(ask, gateway, key, name, on === 'models' ? 'models' : 'chat'));
      if (on === 'both') {
        const answer = await requestFault(ask, gateway, key, name, 'models');
        assert.ok(answer.end !== 'open' || name === 'never-answers');
      }
      await gateway.settled();
      assert.equal(gateway.postCount() - posts, on === 'models' ? 0 : 1);
      assert.equal(gateway.usageLog().length, gateway.postCount());
      if (name === 'closed-when-idle') {
        // Wait until the socket is closed, so that the next test doesn't use it half closed.
        await sleep(60);
      }
    });
  }
}

/** Checks every fault, six at a time; fails with the names of those that are wrong. */
export async function checkEveryFault(ask: Ask, gateway: Gateway, key: string): Promise<void> {
  const waiting = [...faults];
  const troubles: string[] = [];
  async function checkWaiting(): Promise<void> {
    for (let fault = waiting.pop(); fault !== undefined; fault = waiting.pop()) {
      const { name, on } = fault;
      try {
        faultChecks[name]?.(await requestFault(ask, gateway, key, name, on === 'models' ? 'models' : 'chat'));
      } catch (error) {
        troubles.push(`${name}: ${(error as Error).message.slice(0, 400)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, checkWaiting));
  assert.deepEqual(troubles, []);
}
