/**
 * The server, in its own process. It sends prepared bytes, so that no contender has to wait for it. A POST below
 * `/same`, `/chinese` or `/different` returns 50,000 chunks of that kind at once. A POST below `/paced` returns one
 * event, and the rest after enough time to read the event.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { firstEvent, lastEvents, type StreamKind, streamOf } from './replies.ts';
import { bulkChunks, restAfterMs } from './settings.ts';

const headers =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n' +
  'connection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n';

function framed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const part = bytes.subarray(at, at + 65_536);
    frames.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat(frames);
}

const end = Buffer.from('0\r\n\r\n');
const bulk = new Map<string, Buffer>();
const first = Buffer.concat([Buffer.from(headers), framed(firstEvent)]);
const rest = Buffer.concat([framed(lastEvents), end]);

function bulkOf(kind: StreamKind): Buffer {
  return Buffer.concat([Buffer.from(headers), framed(streamOf(bulkChunks, kind).body), end]);
}

function answer(socket: Socket, path: string): void {
  const kind = path.split('/')[1] ?? '';
  if (kind === 'paced') {
    socket.write(first);
    setTimeout(() => socket.destroyed || socket.write(rest), restAfterMs);
    return;
  }
  const bytes = bulk.get(kind) ?? bulkOf(kind as StreamKind);
  // Created in the first call, which is a warm-up.
  bulk.set(kind, bytes);
  socket.write(bytes);
}

const server = createServer({ noDelay: true }, (socket) => {
  let received = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    received += piece;
    for (let border = received.indexOf('\r\n\r\n'); border !== -1; border = received.indexOf('\r\n\r\n')) {
      const head = received.slice(0, border);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (received.length < border + 4 + length) {
        return;
      }
      received = received.slice(border + 4 + length);
      answer(socket, head.split(' ', 2)[1] ?? '');
    }
  });
  // A contender may disconnect after it has read the end marker.
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
