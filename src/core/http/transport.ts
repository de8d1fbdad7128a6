/**
 * How bytes get to a gateway and back. The core says what to send and when to give up; an adapter in `node/` does it.
 *
 * An adapter sends exactly one request for one call, follows no redirect, retries nothing, decodes the content
 * encoding, and rejects with the error it met, whose `code` and `cause` chain `networkProblem` reads.
 */
export type TransportRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds until a connection must stand. */
  readonly connectTimeoutMs: number;
};

export type TransportResponse = {
  readonly status: number;
  /** Names in lower case; a repeated header is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request when left early. */
  readonly body: AsyncIterable<Uint8Array>;
};

export type Transport = (request: TransportRequest, signal: AbortSignal) => Promise<TransportResponse>;
