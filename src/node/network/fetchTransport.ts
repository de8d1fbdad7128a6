import { Readable } from 'node:stream';
import type { Transport } from '../../core/http/transport.ts';

/**
 * Sends with the `fetch` of the extension host. VS Code replaces it with one that supports PAC files, Kerberos and the
 * certificates of the system. It may ignore our timeouts (wire Q69); the core has its own. It names the actual error
 * only in a chain of `cause`, and decodes content encodings itself.
 */
export const sendByFetch: Transport = async ({ method, url, headers, body }, signal) => {
  // `fetch` has no option that requires the certificate check, and does not show that it was skipped.
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0' && new URL(url).protocol === 'https:') {
    throw Object.assign(new Error('Certificates are not checked here'), { code: 'CERT_NOT_CHECKED' });
  }
  const response = await fetch(url, {
    method,
    headers: {
      'accept-encoding': method === 'GET' ? 'gzip, br' : 'identity',
      ...headers,
      // The length of a stream is unknown, and some gateways reject chunked requests.
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    // The Fetch standard repeats a request after a 421 response, unless its body can be read only once.
    ...(body !== undefined && { body: new Blob([body]).stream(), duplex: 'half' }),
    // A key and a question must not follow a redirect. This also keeps VS Code from using Electron's own `fetch`, which
    // does not support it, and whose Chromium repeats a POST when a reused connection is lost.
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
