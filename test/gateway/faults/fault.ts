import type { ModelList } from '../catalogue.ts';
import type { Exchange, WirePiece } from '../http.ts';
import type { Completion, Item } from './items.ts';

/** The endpoints that a fault can apply to. */
export type FaultTarget = 'chat' | 'models' | 'both';

/** What a fault knows about the call that it applies to. */
export interface Call {
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

/** A fixed response: a string body is sent as it is, `undefined` as an empty body, anything else as JSON. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * How a fault changes the stages of an answer, from the whole answer to single bytes. Faults apply after the key and the
 * body have passed the checks, so that a fault never hides a wrong key.
 */
export interface How {
  /** By default `both` with an answer, `models` with a list, else `chat`. */
  readonly on?: FaultTarget;
  /** What the number after the name means, and its default. A fault without this field accepts no number. */
  readonly amount?: readonly [about: string, usual: number];
  /** Answers instead of the model. A function that returns nothing lets the call continue as usual. */
  readonly answer?: Answer | ((call: Call) => Answer | undefined | Promise<undefined>);
  /** With `answer`: the model still runs, and the call is charged in full. */
  readonly isCharged?: boolean;
  /** Completes and charges the whole reply even after the client has disconnected. */
  readonly runsOn?: boolean;
  /** Charges the fault's number, in micro-USD, instead of the price of the tokens. */
  readonly isPricedPerCall?: boolean;
  /** Runs before the headers are sent. */
  readonly before?: (call: Call) => void | Promise<void>;
  /** The response's status and headers, instead of the usual ones; null removes a header. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Answers as a stream (true) or in one body (false), whatever the request asks for. */
  readonly isStream?: boolean;
  /** Changes the items of a stream. */
  readonly items?: (items: AsyncIterable<Item>, call: Call) => AsyncIterable<Item>;
  /** Changes a completion that is sent in one body. */
  readonly completion?: (completion: Completion, call: Call) => unknown;
  /** Changes the model list. */
  readonly list?: (list: ModelList, call: Call) => unknown;
  /** Changes how the text is sent over the socket. Each string is one event, or the whole body. */
  readonly wire?: (text: AsyncIterable<string>, call: Call) => AsyncIterable<WirePiece>;
}

/**
 * A part of the table of faults that real gateways have. A key is the name, the number of a quirk (`Q37`) or of a section
 * (`1.6`) in docs/wire.md, and one line for `--list-faults`.
 */
export type Rows = Readonly<Record<string, How>>;

export interface Fault extends How {
  readonly name: string;
  readonly quirk: string;
  readonly about: string;
  readonly on: FaultTarget;
}

/** A fault with the endpoint and the number that were requested. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly on: FaultTarget;
  readonly amount: number;
}

/** Sends the answer of a fault, if it has one for this call. */
export async function sendAnswer(answer: NonNullable<How['answer']>, call: Call): Promise<void> {
  const given = typeof answer === 'function' ? await answer(call) : answer;
  if (given !== undefined) {
    const { status, body, type = 'application/json; charset=utf-8', headers } = given;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const { response } = call.exchange;
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers }).end(text);
  }
}
