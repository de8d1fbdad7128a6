import { type ClientHttp2Session, connect } from 'node:http2';
import { type Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Ask, AskOptions, Seen } from './askGateway.ts';

/** Asks over TLS and HTTP/1.1, trusting the gateway's authority. */
export function askOverTls(gateway: Gateway, agent?: Agent): Ask {
  return (url, key, options = {}) =>
    new Promise((resolve, reject) => {
      const body = bodyOf(options);
      const call = request(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: headersOf(key, options),
        ca: gateway.authority,
        agent: agent ?? false,
      });
      let isAnswered = false;
      let isLate = false;
      const patience = setTimeout(() => {
        isLate = true;
        call.destroy(timedOut());
      }, options.patienceMs ?? 30_000);
      const fail = (error: Error) => {
        // After the first byte of an answer it is the response that tells how it ended.
        if (!isAnswered) {
          reject(error);
        }
      };
      call.on('error', fail);
      call.on('close', () => {
        clearTimeout(patience);
        fail(new Error('The connection closed.'));
      });
      call.on('response', (response) => {
        isAnswered = true;
        const parts: Buffer[] = [];
        const finish = (end: Seen['end']) => resolve(seen(response.statusCode ?? 0, response.headers, parts, end));
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => finish('clean'));
        response.on('error', () => finish(isLate ? 'open' : 'broken'));
      });
      call.end(body);
    });
}

/** Asks over HTTP/2 on a connection of its own, or on one that is given. */
export function askOverHttp2(gateway: Gateway, given?: ClientHttp2Session): Ask {
  return async (url, key, options = {}) => {
    const session = given ?? connect(gateway.consoleUrl, { ca: gateway.authority });
    // The stream says what happened to it; a session that nobody listens to would end the process.
    session.on('error', () => {});
    try {
      return await askStream(session, new URL(url), key, options);
    } finally {
      if (given === undefined) {
        session.destroy();
      }
    }
  };
}

function askStream(session: ClientHttp2Session, url: URL, key: string, options: AskOptions): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const body = bodyOf(options);
    const stream = session.request({
      ':method': body === undefined ? 'GET' : 'POST',
      ':path': url.pathname,
      ...headersOf(key, options),
    });
    const parts: Buffer[] = [];
    let headers: NodeJS.Dict<string | string[]> | undefined;
    let problem: Error | undefined;
    const patience = setTimeout(() => stream.destroy(timedOut()), options.patienceMs ?? 30_000);
    stream.on('response', (got) => {
      headers = got;
    });
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', (error) => {
      problem = error;
    });
    stream.on('close', () => {
      clearTimeout(patience);
      if (headers === undefined) {
        reject(problem ?? new Error(`The stream was reset with code ${stream.rstCode}.`));
        return;
      }
      const isWhole = problem === undefined && stream.rstCode === 0;
      const end = isWhole ? 'clean' : problem?.name === 'TimeoutError' ? 'open' : 'broken';
      resolve(seen(Number(headers[':status']), headers, parts, end));
    });
    stream.end(body);
  });
}

/** Asks for something and waits; resolves once the session is closed. */
export async function closed(session: ClientHttp2Session, patienceMs = 1000): Promise<boolean> {
  for (let waited = 0; waited < patienceMs && !session.closed && !session.destroyed; waited += 10) {
    await sleep(10);
  }
  return session.closed || session.destroyed;
}

function timedOut(): Error {
  return new DOMException('Nothing came any more.', 'TimeoutError');
}

function bodyOf({ body }: AskOptions): string | undefined {
  return body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
}

function headersOf(key: string, { headers = {} }: AskOptions): Record<string, string> {
  return {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    'content-type': 'application/json',
    ...headers,
  };
}

function seen(status: number, sent: NodeJS.Dict<string | string[]>, parts: Buffer[], end: Seen['end']): Seen {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) {
    if (!name.startsWith(':') && typeof value === 'string') {
      headers.set(name, value);
    }
  }
  const bytes = unpack(Buffer.concat(parts), headers.get('content-encoding'));
  return { status, headers, text: bytes.toString('utf8'), bytes, end };
}

/** Unpacks as far as it goes; what is not packed stays as it is. */
function unpack(bytes: Buffer, encoding: string | null): Buffer {
  const cut: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
  try {
    switch (encoding) {
      case 'gzip':
        return gunzipSync(bytes, cut);
      case 'deflate':
        return (bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes, cut) : inflateRawSync(bytes, cut);
      case 'br':
        return brotliDecompressSync(bytes);
      case 'zstd':
        return zstdDecompressSync(bytes);
      default:
        return bytes;
    }
  } catch {
    return bytes;
  }
}
