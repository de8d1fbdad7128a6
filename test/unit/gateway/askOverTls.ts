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
import { type Answer, type Ask, type AskOptions, openMs } from './askGateway.ts';

/** Sends requests over TLS and trusts the gateway's authority. */
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
      const stop = () => {
        isLate = true;
        call.destroy(timedOut());
      };
      const timer = setTimeout(stop, options.timeoutMs ?? 30_000);
      const fail = (error: Error) => {
        // After the first byte of an answer, the events of the response decide how it ended.
        if (!isAnswered) {
          reject(error);
        }
      };
      call.on('error', fail);
      call.on('close', () => {
        clearTimeout(timer);
        fail(new Error('The connection closed.'));
      });
      call.on('response', (response) => {
        isAnswered = true;
        const parts: Buffer[] = [];
        const finish = (end: Answer['end']) =>
          resolve(answerOf(response.statusCode ?? 0, response.headers, parts, end));
        response.on('data', (part: Buffer) => {
          parts.push(part);
          if (options.openAfter?.test(Buffer.concat(parts).toString())) {
            setTimeout(stop, openMs);
          }
        });
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

function answerOf(status: number, sent: NodeJS.Dict<string | string[]>, parts: Buffer[], end: Answer['end']): Answer {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value === 'string') {
      headers.set(name, value);
    }
  }
  const bytes = unpack(Buffer.concat(parts), headers.get('content-encoding'));
  return { status, headers, text: bytes.toString('utf8'), bytes, end };
}

/** Decompresses as much as possible; a body that isn't compressed stays as it is. */
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
