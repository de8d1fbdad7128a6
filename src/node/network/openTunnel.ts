import type { Socket } from 'node:net';
import { ProxyError } from '../../core/network/proxyError.ts';
import type { ProxyServer } from '../../core/network/route.ts';

/** No proxy has more to say before its answer ends. */
const maxHeadBytes = 64 * 1024;
const headEnd = '\r\n\r\n';

/**
 * Asks a proxy for a tunnel (RFC 9110 section 9.3.6). What goes to it is the target's host and port and the proxy's own
 * authorization; headers of the request, the key among them, follow later inside TLS.
 *
 * Written here and not asked of `node:http`, which VS Code replaces with one that looks for a proxy itself.
 *
 * @param socket to the proxy; from the end of its answer on it leads to the target.
 * @param target host and port, an IPv6 address in brackets.
 */
export async function openTunnel(socket: Socket, target: string, proxy: ProxyServer): Promise<void> {
  const authorization = proxy.authorization === undefined ? '' : `proxy-authorization: ${proxy.authorization}\r\n`;
  // Characters beyond ASCII in http.proxyAuthorization are bytes, as in every HTTP header.
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${authorization}\r\n`, 'latin1');
  const head = await readHead(socket, proxy);
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1]);
  if (status >= 200 && status < 300) {
    return;
  }
  const facts = { proxy: proxy.name, setting: proxy.setting };
  if (Number.isNaN(status)) {
    throw new ProxyError({ ...facts, trouble: 'refused', detail: 'it does not speak HTTP' });
  }
  throw status === 407
    ? unauthorized(
        proxy,
        [...head.matchAll(/^proxy-authenticate:[\t ]*(.*)/gim)].map(([, challenge = '']) => challenge),
      )
    : new ProxyError({ ...facts, trouble: 'refused', status });
}

/**
 * The refusal in an answer 407; `detail` is the ways of authorization the proxy would take.
 *
 * @param challenges values of `Proxy-Authenticate`.
 */
export function unauthorized({ name, setting }: ProxyServer, challenges: readonly string[]): ProxyError {
  const schemes = challenges.map((challenge) => /^[\w-]+/.exec(challenge.trim())?.[0] ?? '').filter(Boolean);
  const detail = [...new Set(schemes)].join(', ').slice(0, 200);
  const facts = { proxy: name, setting, trouble: 'authentication', status: 407 } as const;
  return new ProxyError({ ...facts, ...(detail !== '' && { detail }) });
}

function readHead(socket: Socket, proxy: ProxyServer): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (act: () => void) => {
      socket.off('readable', read).off('error', fail).off('end', ended).off('close', ended);
      act();
    };
    const fail = (error: Error) => settle(() => reject(error));
    const ended = () =>
      fail(new ProxyError({ proxy: proxy.name, setting: proxy.setting, trouble: 'refused', detail: 'it hung up' }));
    const read = () => {
      for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
        head = Buffer.concat([head, piece]);
        const end = head.indexOf(headEnd);
        if (end !== -1) {
          const rest = head.subarray(end + headEnd.length);
          settle(() => {
            if (rest.length > 0) {
              socket.unshift(rest);
            }
            resolve(head.toString('latin1', 0, end));
          });
          return;
        }
        if (head.length > maxHeadBytes) {
          settle(() => resolve(''));
          return;
        }
      }
    };
    socket.on('readable', read).on('error', fail).on('end', ended).on('close', ended);
    read();
  });
}
