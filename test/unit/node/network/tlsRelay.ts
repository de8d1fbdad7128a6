import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How a connection breaks: it is closed, half closed or reset, or receives bytes that are not TLS. */
export const faultKinds = ['close', 'fin', 'rst', 'garbage'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The direction of bytes: `up` from the client to the gateway, `down` from the gateway to the client. */
export type Direction = 'up' | 'down';

/** Breaks the connection when `afterBytes` bytes of a direction were passed on. */
export type ConnectionFault = { readonly kind: FaultKind; readonly direction: Direction; readonly afterBytes: number };

/** A relay between a client and a server that can break the connection in between. */
export type TlsRelay = AsyncDisposable & {
  readonly port: number;
  /** The fault of the next connection. */
  fault: ConnectionFault | undefined;
  /** Bytes passed on by the last connection. */
  readonly passed: Readonly<Record<Direction, number>>;
  readonly connections: number;
  /** `performance.now()` of the last fault. */
  readonly brokenAt: number | undefined;
};

/** Bytes that are not a TLS record, more than a client reads at once. */
const garbage = Buffer.alloc(64 * 1024, 'This is no TLS record. ');

/** Starts a relay to a port of this machine. It does not decrypt what it passes on. */
export async function startTlsRelay(port: number): Promise<TlsRelay> {
  const open = new Set<Socket>();
  let passed = { up: 0, down: 0 };
  let [connections, brokenAt]: [number, number | undefined] = [0, undefined];
  let fault: ConnectionFault | undefined;

  const server = createServer((client) => {
    connections++;
    brokenAt = undefined;
    const own = { up: 0, down: 0 };
    passed = own;
    const planned = fault;
    const gateway = connect(port, '127.0.0.1');
    for (const socket of [client, gateway]) {
      open.add(socket.setNoDelay().on('error', () => undefined));
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => gateway.destroy());
    gateway.on('close', () => client.destroySoon());
    let isBroken = false;
    const breakIt = (kind: FaultKind) => {
      isBroken = true;
      brokenAt = performance.now();
      if (kind === 'close') {
        client.destroy();
      } else if (kind === 'fin') {
        client.end();
      } else if (kind === 'rst') {
        client.resetAndDestroy();
      } else {
        client.write(garbage);
      }
    };
    const pass = (direction: Direction, from: Socket, to: Socket) => {
      from.on('data', (bytes: Buffer) => {
        if (isBroken) {
          return;
        }
        const left = planned?.direction === direction ? planned.afterBytes - own[direction] : Number.POSITIVE_INFINITY;
        const part = bytes.subarray(0, left);
        own[direction] += part.length;
        to.write(part);
        if (planned && bytes.length >= left) {
          breakIt(planned.kind);
        }
      });
    };
    pass('up', client, gateway);
    pass('down', gateway, client);
    if (planned?.afterBytes === 0) {
      breakIt(planned.kind);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
    },
    get passed() {
      return passed;
    },
    get connections() {
      return connections;
    },
    get brokenAt() {
      return brokenAt;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) {
        socket.destroy();
      }
      await new Promise((done) => server.close(done));
    },
  };
}
