import type { Completion } from './chat/completion.ts';
import type { StreamItem } from './chat/streamItem.ts';
import type { ModelList } from './models/modelList.ts';
import type { Exchange } from './network/exchange.ts';
import type { WirePiece } from './wire.ts';

/** The endpoints that a fault can apply to. */
export type FaultTarget = 'chat' | 'models' | 'both';

/** What a fault knows about the call that it applies to. */
export interface FaultContext {
  readonly exchange: Exchange;
  /** The number given after the name (`slow:50`), or the fault's default. */
  readonly amount: number;
  /** The key value of the call, for faults that echo it. */
  readonly keyValue: string;
  /** The model asked for; an empty string on the model list. */
  readonly model: string;
  /** The request body as received; an empty string on the model list. */
  readonly body: string;
  /** Another origin on this machine, which records the requests it gets. */
  readonly foreignOrigin: string;
}

/**
 * A defect that real gateways have. Each hook changes one stage of an answer, from the whole answer to single bytes; a
 * fault defines only the hooks it needs. Faults apply after the key and the body have passed the checks, so that a
 * fault never hides a wrong key.
 */
export interface Fault {
  readonly name: string;
  /** What it shows: the number of a quirk (`Q37`) or of a section (`1.6`) in docs/wire.md. */
  readonly quirk: string;
  /** One line for `--list-faults`. */
  readonly about: string;
  readonly on: FaultTarget;
  /** What the number after the name means, and its default. A fault without this field accepts no number. */
  readonly amount?: { readonly about: string; readonly default: number };
  /** Answers instead of the model. If it returns without an answer, the call continues as usual. */
  readonly instead?: (context: FaultContext) => void | Promise<void>;
  /** With `instead`: the model still runs, and the call is charged in full. */
  readonly isCharged?: boolean;
  /** Returns the model list for any key, even an invalid one. */
  readonly admitsAnyKey?: boolean;
  /** Completes and charges the whole reply even after the client has disconnected. */
  readonly runsOn?: boolean;
  /** Charges the fault's number, in micro-USD, instead of the price of the tokens. */
  readonly isPricedPerCall?: boolean;
  /** Runs before the headers are sent. */
  readonly before?: (context: FaultContext) => void | Promise<void>;
  /** The response's status and headers, instead of the usual ones; null removes a header. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Answers as a stream (true) or in one body (false), whatever the request asks for. */
  readonly isStream?: boolean;
  /** Changes the items of a stream. */
  readonly items?: (items: AsyncIterable<StreamItem>, context: FaultContext) => AsyncIterable<StreamItem>;
  /** Changes a completion that is sent in one body. */
  readonly completion?: (completion: Completion, context: FaultContext) => unknown;
  /** Changes the model list. */
  readonly list?: (list: ModelList, context: FaultContext) => unknown;
  /** Changes how the text is sent over the socket. Each string is one event, or the whole body. */
  readonly wire?: (text: AsyncIterable<string>, context: FaultContext) => AsyncIterable<WirePiece>;
}

/** A fault with the endpoint and the number that were requested. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly on: FaultTarget;
  readonly amount: number;
}

/** Whether the fault applies to this endpoint. */
export function appliesTo(chosen: ChosenFault, endpoint: 'chat' | 'models'): boolean {
  return (
    (chosen.on === 'both' || chosen.on === endpoint) && (chosen.fault.on === 'both' || chosen.fault.on === endpoint)
  );
}
