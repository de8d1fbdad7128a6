import type { Readable } from 'node:stream';
import type { TransportResponse } from '../core/gateway/transport.ts';
import { decodeBody } from './decodeBody.ts';

/** An answer as it came over the wire. */
export type RawResponse = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[] | number>;
  readonly body: Readable;
};

/** Names headers in lower case, joins repeated ones and undoes the content encoding. */
export function readResponse({ status, headers: raw, body }: RawResponse): TransportResponse {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) {
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
    }
  }
  return { status, headers, body: decodeBody(body, headers['content-encoding']) };
}
