import { request as requestInClear } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { Transport, TransportResponse } from '../../../../src/core/http/transport.ts';

/** The simplest possible transport, for tests of code that uses one. @param authority a certificate to trust. */
export function plainTransport(authority = ''): Transport {
  return ({ method, url, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const send = url.startsWith('https:') ? requestOverTls : requestInClear;
      const call = send(url, { method, headers, signal, agent: false, ca: authority });
      call.on('error', reject);
      call.on('response', (response) => {
        const named = Object.entries(response.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : (value ?? ''),
        ]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(named), body: response });
      });
      call.end(body);
    });
}

/** A response with this body in one piece. */
export function responseWith(body: string | Uint8Array, status = 200): TransportResponse {
  async function* pieces() {
    yield typeof body === 'string' ? new TextEncoder().encode(body) : body;
  }
  return { status, headers: {}, body: pieces() };
}
