import * as z from 'zod/mini';
import { recordOf } from '../../base/loose.ts';
import type { CountedInput } from '../tokenRatios.ts';
import { meterChange } from './meterChange.ts';
import { type MeteredCall, type MeteredRequest, meteredCall, meteredCallOf } from './meteredCall.ts';

const firstCalls = 50;
const lastCalls = 30;
/** With fewer calls after the first ones, there is no reading. */
const leastCalls = 10;
/** For each connection. */
const mostModels = 20;

const storedMeter = z.object({
  model: z.string(),
  first: z.array(meteredCall),
  last: z.array(meteredCall),
  /** When the last calls moved away from the first ones, if they did. */
  since: z.optional(z.number()),
});

type Meter = {
  readonly first: readonly MeteredCall[];
  readonly last: readonly MeteredCall[];
  readonly since?: number;
};

/** How the input tokens that a gateway reports compare with our estimate, for a model on a connection. */
export type MeterReading =
  /** The calls so far are too few to compare. */
  | { readonly kind: 'tooFew'; readonly calls: number }
  /** The latest calls over the first 50. */
  | { readonly kind: 'steady'; readonly factor: number }
  /** The same, and since when, in Unix milliseconds. */
  | { readonly kind: 'moved'; readonly factor: number; readonly since: number };

export type MeterMemory = {
  /** The stored meters of a connection, as passed to `write`; may be a value of any type. */
  read(connection: string): unknown;
  write(connection: string, meters: readonly object[]): PromiseLike<void>;
};

/**
 * Compares the input tokens that gateways report with our estimate, for each model the last 30 calls with the first 50.
 * What is stored is read for each use and never held here, because other windows learn too, and may delete all of it.
 */
export class MeterCheck {
  readonly #memory: MeterMemory;

  constructor(memory: MeterMemory) {
    this.#memory = memory;
  }

  /** Learns from a call, if its report is unambiguous. @param at in Unix milliseconds. */
  async learn(connection: string, request: MeteredRequest, counted: CountedInput, at: number): Promise<void> {
    const call = meteredCallOf(request, counted, at);
    if (call === undefined) {
      return;
    }
    const { model } = request;
    const { first, last, since } = this.#read(connection, model);
    const isFirst = first.length < firstCalls;
    const meter = {
      model,
      first: isFirst ? [...first, call] : first,
      last: isFirst ? last : [...last, call].slice(-lastCalls),
      since,
    };
    const reading = readingOf(meter);
    // In the order of their latest calls: when there are too many, the first is the one called the longest ago.
    const others = this.#stored(connection).filter((each) => each.model !== model);
    const learned = { ...meter, since: reading.kind === 'moved' ? reading.since : undefined };
    await this.#memory.write(connection, [...others, learned].slice(-mostModels));
  }

  reading(connection: string, model: string): MeterReading {
    return readingOf(this.#read(connection, model));
  }

  #read(connection: string, model: string): Meter {
    const known = this.#stored(connection).findLast((each) => each.model === model);
    return z.safeParse(storedMeter, known).data ?? { first: [], last: [] };
  }

  #stored(connection: string): { readonly [name: string]: unknown }[] {
    const stored = this.#memory.read(connection);
    return Array.isArray(stored) ? stored.map(recordOf) : [];
  }
}

function readingOf({ first, last, since }: Meter): MeterReading {
  if (last.length < leastCalls) {
    return { kind: 'tooFew', calls: first.length + last.length };
  }
  const { hasMoved, factor, since: began } = meterChange(first, last);
  return hasMoved ? { kind: 'moved', factor, since: since ?? began } : { kind: 'steady', factor };
}
