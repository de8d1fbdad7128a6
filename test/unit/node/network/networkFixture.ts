import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server } from 'proxy-chain';
import type { Target } from '../../../../src/core/client/gatewayClient.ts';
import type { Transport } from '../../../../src/core/http/transport.ts';
import type { Environment, NetworkSettings } from '../../../../src/core/network/route.ts';
import { type Network, openNetwork } from '../../../../src/node/network/undiciTransport.ts';
import { urlOf } from '../../core/connections/connectionTo.ts';
import { defaultNetworkSettings } from '../../core/network/defaultNetworkSettings.ts';

/** A host name that only the proxies of these tests can resolve, to a gateway on this machine. */
export const farHost = 'gateway.test';

/** The address of a local gateway under the host name that only a proxy can resolve. */
export function farTarget(baseUrl: string, key: string, path = '/v1'): Target {
  const { protocol, port } = new URL(baseUrl);
  return { url: urlOf(`${protocol}//${farHost}:${port}${path}`), key };
}

/** A network whose settings can be changed while it is open, with no environment but the given one. */
export interface OwnNetwork extends AsyncDisposable, Network {
  settings: Partial<NetworkSettings>;
}

export function ownNetwork(settings: Partial<NetworkSettings> = {}, environment: Environment = {}): OwnNetwork {
  const own = { settings };
  const network = openNetwork(() => ({ ...defaultNetworkSettings, ...own.settings }), environment);
  return Object.assign(own, network, { [Symbol.asyncDispose]: () => network.close() });
}

/** A file that `NODE_EXTRA_CA_CERTS` can name. */
export async function certificateFile(...certificates: string[]): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ask-model-authority-'));
  const path = join(folder, 'authority.pem');
  await writeFile(path, certificates.join('\n'));
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** A real proxy (proxy-chain), and the requests it received. */
export interface RealProxy extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { host: string; isTunnel: boolean; headers: Readonly<Record<string, unknown>> }[];
}

/** Starts a real forward proxy that resolves every name to this machine, with the port of the request. */
export async function realProxy(credentials?: string): Promise<RealProxy> {
  const requests: RealProxy['requests'][number][] = [];
  const server = new Server({
    port: 0,
    host: '127.0.0.1',
    verbose: false,
    prepareRequestFunction: ({ request, username, password, hostname, port, isHttp }) => {
      requests.push({ host: `${hostname}:${port}`, isTunnel: !isHttp, headers: request.headers });
      return {
        requestAuthentication: credentials !== undefined && `${username}:${password}` !== credentials,
        dnsLookup: ((_: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
          options.all === true
            ? done(null, [{ address: '127.0.0.1', family: 4 }])
            : done(null, '127.0.0.1', 4)) as never,
      };
    },
  });
  await server.listen();
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      await server.close(true);
    },
  };
}

/** Makes a connection, because the first one only finds out which authorities are needed. */
export async function prime(send: Transport, origin: string): Promise<void> {
  const request = { method: 'GET', url: `${origin}/`, headers: {}, connectTimeoutMs: 5_000 } as const;
  const { body } = await send(request, new AbortController().signal);
  await body[Symbol.asyncIterator]().return?.();
}
