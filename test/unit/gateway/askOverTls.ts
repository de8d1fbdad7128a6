import { type Agent, request } from 'node:https';
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

/** Asks over TLS, trusting the gateway's authority. */
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
    if (typeof value === 'string') {
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
