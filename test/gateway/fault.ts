import type { Completion } from './chat/completion.ts';
import type { StreamItem } from './chat/streamItem.ts';
import type { ModelList } from './models/modelList.ts';
import type { Exchange } from './network/exchange.ts';
import type { WirePiece } from './wire.ts';

/** The endpoints a fault can strike. */
export type FaultTarget = 'chat' | 'models' | 'both';

/** What a fault knows about the call it strikes. */
export interface FaultContext {
  readonly exchange: Exchange;
  /** The number given after the name (`slow:50`), or the fault's default. */
  readonly amount: number;
  /** The key value of the call, for faults that leak it. */
  readonly keyValue: string;
  /** The model asked for; an empty string on the model list. */
  readonly model: string;
  /** The request body as it came; an empty string on the model list. */
  readonly body: string;
  /** Another origin on this machine that records what reaches it. */
  readonly foreignOrigin: string;
}

/**
 * One way a gateway can misbehave. Each hook is one stage of an answer, from the whole answer to single bytes; a fault
 * fills the stages it needs and leaves the rest as they are. Faults strike after the key and the body passed the
 * checks, so that a fault never hides a wrong key.
 */
export interface Fault {
  readonly name: string;
  /** What it shows: the number of a quirk (`Q37`), or a section of the description of the wire (`1.6`). */
  readonly quirk: string;
  /** One line for `--list-faults`. */
  readonly about: string;
  readonly on: FaultTarget;
  /** What the number after the name means; faults without it take none. */
  readonly amount?: { readonly about: string; readonly default: number };
  /** Answers in place of the model; may return without answering to let the call go on. */
  readonly instead?: (context: FaultContext) => void | Promise<void>;
  /** With `instead`: the model ran all the same and the call is charged in full. */
  readonly isCharged?: boolean;
  /** Lets every key see the model list. */
  readonly admitsAnyKey?: boolean;
  /** Makes and charges all of a reply although the client left. */
  readonly runsOn?: boolean;
  /** Charges the fault's number, in micro-USD, in place of what the tokens cost. */
  readonly isPricedPerCall?: boolean;
  /** Runs before the headers are sent. */
  readonly before?: (context: FaultContext) => void | Promise<void>;
  /** Overrides of the response's status and headers; null leaves a header out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Answers as a stream (true) or in one body (false) whatever the request wanted. */
  readonly isStream?: boolean;
  /** Changes what a stream says. */
  readonly items?: (items: AsyncIterable<StreamItem>, context: FaultContext) => AsyncIterable<StreamItem>;
  /** Changes a completion in one body. */
  readonly completion?: (completion: Completion, context: FaultContext) => unknown;
  /** Changes the model list. */
  readonly list?: (list: ModelList, context: FaultContext) => unknown;
  /** Changes how the text goes over the socket; one string an event, or the whole body. */
  readonly wire?: (text: AsyncIterable<string>, context: FaultContext) => AsyncIterable<WirePiece>;
}

/** A fault as it was asked for. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly on: FaultTarget;
  readonly amount: number;
}

/** Whether the fault strikes this endpoint. */
export function strikes(chosen: ChosenFault, endpoint: 'chat' | 'models'): boolean {
  return (
    (chosen.on === 'both' || chosen.on === endpoint) && (chosen.fault.on === 'both' || chosen.fault.on === endpoint)
  );
}
