import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** A reverse proxy between a browser and the offline VS Code. */
export type ReverseProxy = {
  /** `127.0.0.1:PORT`, the authority of every `vscode-remote:` URI. */
  readonly host: string;
  /** The short URL to open in a browser; it redirects to the full one. */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * Serves the VS Code that listens on `socketPath` at a loopback port, and adds what that server leaves to another
 * program: `POST /mint-key`, without which a browser loses every secret at the next reload. `/` redirects to
 * `address(host)`.
 *
 * The port and the key half are stored in `profileDir`, because the browser stores secrets per origin. VS Code itself
 * asks for no password here, so requests from other web sites (foreign `Host` or `Origin`) are refused.
 *
 * @param framesFrom one more source that its pages may load frames from.
 */
export async function openReverseProxy(
  socketPath: string,
  profileDir: string,
  address: (host: string) => string,
  framesFrom?: string,
): Promise<ReverseProxy> {
  const keyHalf = readOrCreate(join(profileDir, 'mint-key'), () => randomBytes(32));
  const sockets = new Set<Socket>();
  let host = '';

  const isForeign = ({ headers }: IncomingMessage) =>
    headers.host !== host || (headers.origin !== undefined && headers.origin !== `http://${host}`);

  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    if (isForeign(incoming)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`Open http://${host}/ instead.`);
    } else if (incoming.method === 'POST' && incoming.url?.endsWith('/mint-key')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(keyHalf);
    } else if (incoming.url === '/blank') {
      response.writeHead(200, { 'content-type': 'text/html' }).end();
    } else if (incoming.url === '/') {
      response.writeHead(302, { location: address(host), 'cache-control': 'no-store' }).end();
    } else {
      const { method, url: path, headers } = incoming;
      const onward = request({ socketPath, method, path, headers }, (answer) => {
        const policy = answer.headers['content-security-policy'];
        response.writeHead(answer.statusCode ?? 502, {
          ...answer.headers,
          ...(policy &&
            framesFrom && {
              'content-security-policy': String(policy).replace('frame-src', `frame-src ${framesFrom}`),
            }),
        });
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      incoming.pipe(onward);
    }
  });
  server.on('upgrade', (incoming, socket: Socket, head) => {
    if (isForeign(incoming)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const lines = incoming.rawHeaders.map((text, index) => (index % 2 === 0 ? `\r\n${text}: ` : text)).join('');
    const onward = connect(socketPath, () => {
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1${lines}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  const portFile = join(profileDir, 'port');
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  // Another program may have taken the port in the meantime. Then the secrets of this profile must be entered again.
  const port = await listen(Number(readOrCreate(portFile, () => Buffer.from('0')))).catch(() => listen(0));
  writeFileSync(portFile, String(port));
  host = `127.0.0.1:${port}`;

  return {
    host,
    url: `http://${host}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}

/** Reads a file, or creates it with the bytes of `make` so that only its owner can read it. */
function readOrCreate(path: string, make: () => Buffer): Buffer {
  try {
    return readFileSync(path);
  } catch {
    const bytes = make();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, bytes, { mode: 0o600 });
    return bytes;
  }
}
