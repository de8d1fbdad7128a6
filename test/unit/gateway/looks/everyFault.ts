import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faults } from '../../../gateway/faultTable.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../gateway/gateway.ts';
import { type Ask, chatBody, type Seen } from '../askGateway.ts';
import type { Check } from './checks.ts';
import { errorLooks } from './errorLooks.ts';
import { modelLooks } from './modelLooks.ts';
import { refusalLooks } from './refusalLooks.ts';
import { streamLooks } from './streamLooks.ts';
import { transportLooks } from './transportLooks.ts';

/** What each fault must look like at the chat endpoint, or at the model list where it strikes only there. */
export const looks: Readonly<Record<string, Check>> = {
  ...streamLooks,
  ...errorLooks,
  ...refusalLooks,
  ...transportLooks,
  ...modelLooks,
};

/** Makes the model call two tools. */
const tools = {
  tools: [{ function: { name: 'find' } }, { function: { name: 'open' } }],
  messages: [{ role: 'user', content: 'Please find {"word": "a"} and open {"file": "b c"}' }],
};

/** Requests that ask for the trouble. */
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

/** Numbers that keep the tests short. */
const shorter: Readonly<Record<string, string>> = {
  slow: 'slow:2',
  'late-headers': 'late-headers:50',
  'late-first-event': 'late-first-event:50',
  'pings-only': 'pings-only:10',
  'pings-first': 'pings-first:2',
  'blank-lines-first': 'blank-lines-first:2',
  'stall-then-end': 'stall-then-end:50',
};

/** Asks for one fault. A connection that broke before any answer was seen as one that broke. */
export async function seeFault(
  ask: Ask,
  gateway: Gateway,
  key: string,
  name: string,
  endpoint: 'chat' | 'models',
): Promise<Seen> {
  const isOpen = /^(open-|stalled|never|pings-only)/.test(name);
  const options = { headers: { 'x-fault': shorter[name] ?? name }, patienceMs: isOpen ? 400 : 30_000 };
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

/** Registers a test for every fault that is wanted, against one gateway. */
export function showEveryFault(options: GatewayOptions, askOf: (gateway: Gateway) => Ask): void {
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
      const check = looks[name] ?? assert.fail(`no check for ${name}`);
      check(await seeFault(ask, gateway, key, name, on === 'models' ? 'models' : 'chat'));
      if (on === 'both') {
        const seen = await seeFault(ask, gateway, key, name, 'models');
        assert.ok(seen.end !== 'open' || name === 'never-answers');
      }
      await gateway.settled();
      assert.equal(gateway.postCount() - posts, on === 'models' ? 0 : 1);
      assert.equal(gateway.usageLog().length, gateway.postCount());
      if (name === 'closed-when-idle') {
        // Long enough for the socket to close: the next test must not meet it half closed.
        await sleep(60);
      }
    });
  }
}

/** Looks at every fault that is wanted, some at a time; fails with the names of those that do not look as they should. */
export async function seeEveryFault(ask: Ask, gateway: Gateway, key: string): Promise<void> {
  const waiting = [...faults];
  const troubles: string[] = [];
  async function look(): Promise<void> {
    for (let fault = waiting.pop(); fault !== undefined; fault = waiting.pop()) {
      const { name, on } = fault;
      try {
        looks[name]?.(await seeFault(ask, gateway, key, name, on === 'models' ? 'models' : 'chat'));
      } catch (error) {
        troubles.push(`${name}: ${(error as Error).message.slice(0, 400)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, look));
  assert.deepEqual(troubles, []);
}
