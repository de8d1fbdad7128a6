import assert from 'node:assert/strict';
import type { ProblemKind } from '../../../src/core/errors/gatewayProblem.ts';
import type { TimerLimits } from '../../../src/core/http/requestTimers.ts';
import type { Transport } from '../../../src/core/http/transport.ts';
import type { Usage } from '../../../src/core/reply/usage.ts';
import { faults } from '../../gateway/faultTable.ts';
import type { QuirkTest } from './quirkTest.ts';
import { currentWire } from './wire.ts';
import { faultless, type Heard, listen, newClient, ownGateway, pictureOf } from './wireCall.ts';

/** What the client must make of a reply. `same` means: as a gateway without the fault. */
export interface Made {
  readonly outcome: 'complete' | 'incomplete' | 'failed' | 'stopped';
  readonly kind?: ProblemKind | undefined;
  readonly text: 'whole' | 'prefix' | 'none' | ((whole: Heard) => string);
  readonly reasoning: string | ((whole: Heard) => string);
  readonly finishReason?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: 'same' | Usage | undefined;
  readonly requestId?: 'same' | undefined;
  /** Fields of the problem; `words` may be a pattern. */
  readonly problem?: Readonly<Record<string, unknown>>;
}

/** One line of the table: a fault of the gateway, and what the client makes of it. */
export interface ChatCase {
  /** More quirks than the one the fault names, such as `Q6`. */
  readonly also?: string;
  /** The name of the fault, perhaps with its number. */
  readonly fault: string;
  readonly made: Made;
  readonly model?: string;
  readonly limits?: Partial<TimerLimits>;
  /** Fields put into the request's body on its way, for what this client never asks for. */
  readonly asked?: Readonly<Record<string, unknown>>;
}

type More = Omit<Partial<Made>, 'outcome'>;

export function complete(more: More = {}): Made {
  const good = { text: 'whole', reasoning: 'same', finishReason: 'stop', model: 'same', usage: 'same' } as const;
  return { outcome: 'complete', requestId: 'same', ...good, ...more };
}

/** The start of the text is kept. */
export function incomplete(kind: ProblemKind, more: More = {}): Made {
  return { outcome: 'incomplete', kind, text: 'prefix', reasoning: 'same', model: 'same', requestId: 'same', ...more };
}

/** Refused before there was any text. */
export function failed(kind: ProblemKind, problem: Made['problem'] = {}, more: More = {}): Made {
  return { outcome: 'failed', kind, text: 'none', reasoning: '', requestId: 'same', problem, ...more };
}

/** An error that came after some text. */
export function brokenOff(kind: ProblemKind, problem: Made['problem'] = {}, more: More = {}): Made {
  return { ...incomplete(kind, more), outcome: 'failed', problem };
}

/** Runs one line against a gateway of its own. */
export function chatTest({ fault, also, made, model, limits, asked }: ChatCase): QuirkTest {
  const { quirk, about } = faultNamed(fault);
  const what = made.kind === undefined ? made.outcome : `${made.outcome}, ${made.kind}`;
  return {
    title: `${[...new Set([quirk, ...(also?.split(' ') ?? [])])].join(' ')} ${about} (${fault}): ${what}`,
    async run() {
      await using own = await ownGateway();
      const client = newClient({ limits, transport: asked && asking(asked) });
      const heard = await listen(client, own.target(fault), undefined, model === undefined ? {} : { model }).heard;
      const whole = await faultless(model);
      const { problem = {}, ...rest } = made;
      const text = typeof made.text === 'function' ? made.text(whole) : made.text;
      const reasoning = typeof made.reasoning === 'function' ? made.reasoning(whole) : made.reasoning;
      assert.deepEqual(await pictureOf(heard, own, model), {
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
      matchProblem(heard.end.problem ?? {}, problem);
    },
  };
}

/** Compares the fields a table names. */
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

export function faultNamed(wish: string): (typeof faults)[number] {
  const name = wish.replace(/[:@].*$/, '');
  return faults.find((fault) => fault.name === name) ?? assert.fail(`there is no fault ${name}`);
}

/** Sends a request with other fields in its body. */
function asking(fields: Readonly<Record<string, unknown>>): Transport {
  const { transport } = currentWire();
  return (request, signal) =>
    transport({ ...request, body: JSON.stringify({ ...JSON.parse(request.body ?? '{}'), ...fields }) }, signal);
}
