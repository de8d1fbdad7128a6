import { Readable } from 'node:stream';
import type { Transport } from '../core/gateway/transport.ts';

/**
 * Sends by the `fetch` of the extension host, which VS Code replaces by one that knows PAC files, Kerberos and the
 * system's certificates. It may take our timeouts away (wire Q69); the core keeps its own. It names other errors only in a
 * chain of `cause`, and undoes content encodings itself.
 */
export const send: Transport = async ({ method, url, headers, body }, signal) => {
  const response = await fetch(url, {
    method,
    headers: { 'accept-encoding': method === 'GET' ? 'gzip, br' : 'identity', ...headers },
    ...(body !== undefined && { body }),
    // A key and a question never follow to where they were not sent.
    redirect: 'manual',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body ?? Readable.from([]),
  };
};
