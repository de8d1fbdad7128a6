import type { AddressInfo, Server } from 'node:net';

/** Binds to 127.0.0.1 alone and resolves with the port; rejects when the port is taken. Port 0 means any free one. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
