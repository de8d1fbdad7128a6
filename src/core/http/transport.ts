/**
 * What a transport sends. The core decides what to send and when to give up; an adapter in `node/` sends it.
 *
 * An adapter sends exactly one request per call, follows no redirects, never retries, decodes the content encoding, and
 * rejects with the original error, because `networkProblem` reads its `code` and its `cause` chain.
 */
export type TransportRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time-out in milliseconds for making the connection. */
  readonly connectTimeoutMs: number;
};

export type TransportResponse = {
  readonly status: number;
  /** Names in lower case; the values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stopping the iteration early ends the request. */
  readonly body: AsyncIterable<Uint8Array>;
};

export type Transport = (request: TransportRequest, signal: AbortSignal) => Promise<TransportResponse>;

/**
 * The headers of a request to a gateway, with names in lower case. The connection's extra headers can replace the user
 * agent, because a protection service may require another one (wire Q79), but not the key and the accepted type.
 *
 * @param own the connection's extra headers; an `Authorization` among them is never sent, not even without a key.
 * @param key undefined or empty for a call without a key.
 */
export function requestHeaders(
  userAgent: string,
  own: Readonly<Record<string, string>>,
  key: string | undefined,
): Record<string, string> {
  const extra = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { authorization: _, ...rest } = Object.fromEntries(extra);
  return {
    'user-agent': userAgent,
    ...rest,
    ...(key && { authorization: `Bearer ${key}` }),
    accept: 'application/json',
  };
}
