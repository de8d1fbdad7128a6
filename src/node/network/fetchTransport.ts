import { Readable } from 'node:stream';
import type { Transport } from '../../core/http/transport.ts';

/**
 * Sends by the `fetch` of the extension host, which VS Code replaces by one that knows PAC files, Kerberos and the
 * system's certificates. It may take our timeouts away (wire Q69); the core keeps its own. It names other errors only in a
 * chain of `cause`, and undoes content encodings itself.
 */
export const send: Transport = async ({ method, url, headers, body }, signal) => {
  // There is no way to ask `fetch` itself for the check, and no way to see that it was left out.
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0' && new URL(url).protocol === 'https:') {
    throw Object.assign(new Error('Certificates are not checked here'), { code: 'CERT_NOT_CHECKED' });
  }
  const response = await fetch(url, {
    method,
    headers: { 'accept-encoding': method === 'GET' ? 'gzip, br' : 'identity', ...headers, ...lengthOf(body) },
    // The Fetch standard sends a request anew on an answer 421, unless its body is one that can be read only once.
    ...(body !== undefined && { body: new Blob([body]).stream(), duplex: 'half' }),
    // A key and a question never follow to where they were not sent. It also keeps VS Code from Electron's own `fetch`,
    // which can not do this, and whose Chromium sends a POST again when a connection that it used again is lost.
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

/** Said here, because a stream does not tell it, and some gateways take no chunked request. */
function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
