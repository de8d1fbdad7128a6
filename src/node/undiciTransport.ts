import { pipeline, type Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { TransportRequest, TransportResponse } from '../core/gateway/transport.ts';

/**
 * The only file that knows undici. It is a chunk of its own, loaded by the first request. Redirects and retries are
 * undici's extras and stay out; its own header and body timeouts are off, because the core keeps the time.
 */
const agents = new Map<number, Agent>();

function agentFor(connectTimeoutMs: number): Agent {
  let agent = agents.get(connectTimeoutMs);
  if (agent === undefined) {
    agent = new Agent({
      connect: { timeout: connectTimeoutMs },
      headersTimeout: 0,
      bodyTimeout: 0,
      // Shorter than the 5 s after which common servers close an idle socket, so that a question never meets a dead one.
      keepAliveTimeout: 3_000,
      keepAliveMaxTimeout: 3_000,
      pipelining: 1,
      // undici 7 breaks every stream of an HTTP/2 connection at its GOAWAY, also at a graceful one after which the
      // answer would have come to its end (client-h2.js). Gateways that offer HTTP/2 speak HTTP/1.1 as well.
      allowH2: false,
    });
    agents.set(connectTimeoutMs, agent);
  }
  return agent;
}

/** Sends one request; see `Transport`. */
export async function send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
  const url = new URL(request.url);
  const response = await api.request.call(agentFor(request.connectTimeoutMs), {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    // A compressed event stream is often held back by whoever compresses it; a list of 5,000 models is worth it.
    headers: { 'accept-encoding': request.method === 'GET' ? 'gzip, br' : 'identity', ...request.headers },
    ...(request.body !== undefined && { body: request.body }),
    signal,
  });
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) {
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
    }
  }
  return { status: response.statusCode, headers, body: decoded(response.body, headers['content-encoding']) };
}

/** Closes every connection; the next request would open new ones. */
export async function close(): Promise<void> {
  const open = [...agents.values()];
  agents.clear();
  await Promise.all(open.map((agent) => agent.destroy()));
}

/** undici's `request` gives the bytes as they came over the wire. */
function decoded(body: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase();
  if (name === 'deflate') {
    return inflated(body);
  }
  const decoder = decoderFor(name);
  if (decoder === undefined) {
    return body;
  }
  // Errors reach the reader through the decoder, which the pipeline destroys with them.
  pipeline(body, decoder, () => undefined);
  return decoder;
}

/** Some servers leave the header out that `deflate` should have; the first byte tells (RFC 1950: method 8). */
async function* inflated(body: Readable): AsyncIterable<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const hasHeader = !first.done && ((first.value[0] ?? 0) & 0x0f) === 8;
  const decoder = hasHeader ? zlib.createInflate(flush) : zlib.createInflateRaw(flush);
  async function* all() {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      yield piece.value;
    }
  }
  pipeline(all, decoder, () => undefined);
  try {
    yield* decoder;
  } finally {
    body.destroy();
  }
}

function decoderFor(encoding: string | undefined): (NodeJS.ReadWriteStream & Readable) | undefined {
  // Flushed after each piece, so that a compressed stream still streams; a cut one gives what it held.
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({
        flush: zlib.constants.BROTLI_OPERATION_FLUSH,
        finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
      });
    case 'zstd':
      // Not in every Node that VS Code ships.
      return zlib.createZstdDecompress?.();
    default:
      return undefined;
  }
}
