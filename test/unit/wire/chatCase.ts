import assert from 'node:assert/strict';
import type { TimerLimits } from '../../../src/core/client/gatewayClient.ts';
import type { ProblemKind } from '../../../src/core/errors/gatewayProblem.ts';
import type { Transport } from '../../../src/core/http/transport.ts';
import type { Usage } from '../../../src/core/reply/usage.ts';
import { faults } from '../../gateway/faultTable.ts';
import type { QuirkTest } from './quirkTest.ts';
import { currentWire } from './wire.ts';
import { faultless, listen, newClient, ownGateway, pictureOf, type Received } from './wireCall.ts';

/** The expected result of a reply. `same` means the same as from a gateway without the fault. */
export interface Expected {
  readonly outcome: 'complete' | 'incomplete' | 'failed' | 'stopped';
  readonly kind?: ProblemKind;
  readonly text: 'whole' | 'prefix' | 'none' | ((whole: Received) => string);
  readonly reasoning: string | ((whole: Received) => string);
  readonly finishReason?: string;
  readonly model?: string;
  readonly usage?: 'same' | Usage;
  readonly requestId?: 'same';
  /** Fields of the problem; `words` may be a pattern. */
  readonly problem?: Readonly<Record<string, unknown>>;
}

/** One row of the table: a fault of the gateway and the expected result. */
export interface ChatCase {
  /** Other quirks that the test covers besides that of the fault, such as `Q6`. */
  readonly also?: string;
  /** The name of the fault, optionally with its number. */
  readonly fault: string;
  readonly expected: Expected;
  readonly model?: string;
  readonly limits?: Partial<TimerLimits>;
  /** Fields added to the request body, for requests that the client never makes. */
  readonly body?: Readonly<Record<string, unknown>>;
}

type More = Omit<Partial<Expected>, 'outcome'>;

export function complete(more: More = {}): Expected {
  const good = { text: 'whole', reasoning: 'same', finishReason: 'stop', model: 'same', usage: 'same' } as const;
  return { outcome: 'complete', requestId: 'same', ...good, ...more };
}

/** The reply keeps the start of the text. */
export function incomplete(kind: ProblemKind, more: More = {}): Expected {
  return { outcome: 'incomplete', kind, text: 'prefix', reasoning: 'same', model: 'same', requestId: 'same', ...more };
}

/** The request failed before there was any text. */
export function failed(kind: ProblemKind, problem: Expected['problem'] = {}, more: More = {}): Expected {
  return { outcome: 'failed', kind, text: 'none', reasoning: '', requestId: 'same', problem, ...more };
}

/** The reply failed after some text. */
export function brokenOff(kind: ProblemKind, problem: Expected['problem'] = {}, more: More = {}): Expected {
  return { ...incomplete(kind, more), outcome: 'failed', problem };
}

/** A test that runs one row against its own gateway. */
export function chatTest({ fault, also, expected, model, limits, body }: ChatCase): QuirkTest {
  const { quirk, about } = faultNamed(fault);
  const what = expected.kind === undefined ? expected.outcome : `${expected.outcome}, ${expected.kind}`;
  return {
    title: `${[...new Set([quirk, ...(also?.split(' ') ?? [])])].join(' ')} ${about} (${fault}): ${what}`,
    async run() {
      await using own = await ownGateway();
      const client = newClient({ limits, transport: body && transportWith(body) });
      const received = await listen(client, own.target(fault), undefined, model === undefined ? {} : { model })
        .received;
      const whole = await faultless(model);
      const { problem = {}, ...rest } = expected;
      const text = typeof expected.text === 'function' ? expected.text(whole) : expected.text;
      const reasoning = typeof expected.reasoning === 'function' ? expected.reasoning(whole) : expected.reasoning;
      assert.deepEqual(await pictureOf(received, own, model), {
        kind: undefined,
        finishReason: undefined,
        model: undefined,
        usage: undefined,
        requestId: undefined,
        ...rest,
        text: text === whole.text ? 'whole' : text,
        reasoning: reasoning === whole.reasoning ? 'same' : reasoning,
        posts: 1,
        foreign: 0,
        hasKey: false,
      });
      matchProblem(received.end.problem ?? {}, problem);
    },
  };
}

/** Compares the fields of `expected`; a pattern matches the field as text. */
export function matchProblem(actual: object, expected: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = (actual as Readonly<Record<string, unknown>>)[name];
    if (value instanceof RegExp) {
      assert.match(String(found), value, name);
    } else {
      assert.deepEqual(found, value, name);
    }
  }
}

export function faultNamed(fault: string): (typeof faults)[number] {
  const name = fault.replace(/[:@].*$/, '');
  return faults.find((each) => each.name === name) ?? assert.fail(`there is no fault ${name}`);
}

/** A transport that adds fields to the request body. */
function transportWith(fields: Readonly<Record<string, unknown>>): Transport {
  const { transport } = currentWire();
  return (request, signal) =>
    transport({ ...request, body: JSON.stringify({ ...JSON.parse(request.body ?? '{}'), ...fields }) }, signal);
}
