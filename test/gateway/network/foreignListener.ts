import { createServer } from 'node:http';
import { type RecordedRequest, RequestRecorder } from '../requestRecorder.ts';
import { readBody } from './exchange.ts';
import { listenOnLoopback } from './listenOnLoopback.ts';

/** Another origin on this machine. It records all requests, because no client should send any to it. */
export interface ForeignListener {
  readonly origin: string;
  requests(): readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Starts the other origin on a free port. It answers everything with an empty model list. */
export async function startForeignListener(now: () => number): Promise<ForeignListener> {
  const recorder = new RequestRecorder(now, 200);
  const server = createServer(async (request, response) => {
    try {
      recorder.add(request, (await readBody(request)) ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
    } catch {
      response.destroy();
    }
  });
  const port = await listenOnLoopback(server, 0);
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: () => recorder.requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
