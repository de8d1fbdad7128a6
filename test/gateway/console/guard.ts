import type { IncomingMessage } from 'node:http';
import { hostOf, schemeOf } from '../network/exchange.ts';
import { Refusal } from '../refusal.ts';

/**
 * Accepts a request to the console or throws a Refusal. The Host must be a loopback name of this machine, so that a
 * page whose name was rebound to 127.0.0.1 can't read anything. A POST must come from the console's own pages, or have
 * the header `x-console: 1`, which a page of another origin can't send without a preflight request.
 */
export function guardConsole(request: IncomingMessage): void {
  const port = request.socket.localPort;
  const host = hostOf(request);
  const ownOrigin = `${schemeOf(request)}://${host}`;
  if (![`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host)) {
    throw new Refusal(403, 'foreign_host', 'The console answers on the loopback address only.');
  }
  if (request.method !== 'POST') {
    return;
  }
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const isForeign = (site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== ownOrigin);
  const isOwn = site === 'same-origin' || origin === ownOrigin || request.headers['x-console'] === '1';
  if (isForeign || !isOwn) {
    throw new Refusal(403, 'foreign_origin', 'The console takes changes from its own pages only.');
  }
}
