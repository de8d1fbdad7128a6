import { once } from 'node:events';
import { createServer } from 'node:net';

/** The address of a gateway on this machine that refuses connections. */
export async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/v1` : '';
}
