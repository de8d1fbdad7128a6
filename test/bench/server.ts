/**
 * The server of the contenders, in its own process. A POST below `/same`, `/chinese` or `/different` returns 50,000
 * prepared chunks of that kind at once, one below `/paced` one event, and the rest after enough time to read it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstEvent, lastEvents, type StreamKind, streamOf } from './replies.ts';
import { bulkChunks } from './settings.ts';

const restAfterMs = 3;
const bulk = new Map<string, Buffer>();

const server = createServer({ noDelay: true }, (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const kind = request.url?.split('/')[1] ?? '';
  if (kind === 'paced') {
    response.write(firstEvent);
    setTimeout(() => response.end(lastEvents), restAfterMs);
    return;
  }
  // Created in the first call, which is a warm-up.
  const bytes = bulk.get(kind) ?? Buffer.from(streamOf(bulkChunks, kind as StreamKind).body);
  bulk.set(kind, bytes);
  for (let at = 0; at < bytes.length; at += 65_536) {
    response.write(bytes.subarray(at, at + 65_536));
  }
  response.end();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
