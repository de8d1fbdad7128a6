import type { Readable } from 'node:stream';
import type { TransportResponse } from '../../core/http/transport.ts';
import { decodeBody } from './decodeBody.ts';

/** An answer as it came over the wire. */
export type RawResponse = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[] | number>;
  readonly body: Readable;
  /** Throws when the body is over and was not all there; without it the body says so itself. */
  readonly verify?: () => void;
};

/** Names headers in lower case, joins repeated ones and undoes the content encoding. */
export function readResponse({ status, headers: raw, body, verify }: RawResponse): TransportResponse {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) {
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
    }
  }
  const decoded = decodeBody(body, headers['content-encoding']);
  return { status, headers, body: verify === undefined ? decoded : verified(decoded, verify) };
}

async function* verified(body: AsyncIterable<Uint8Array>, verify: () => void): AsyncIterable<Uint8Array> {
  yield* body;
  verify();
}
