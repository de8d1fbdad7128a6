import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server } from 'proxy-chain';
import type { Target } from '../../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import {
  defaultNetworkSettings,
  type Environment,
  type NetworkSettings,
} from '../../../../src/core/network/networkSettings.ts';
import { type Network, openNetwork } from '../../../../src/node/network/undiciTransport.ts';

/** A name that is not this machine; proxies in these tests lead it to a gateway here. */
export const farHost = 'gateway.test';

/** The address of a local gateway under the name that only a proxy can reach. */
export function farTarget(baseUrl: string, key: string, path = '/v1'): Target {
  const { protocol, port } = new URL(baseUrl);
  const url = parseBaseUrl(`${protocol}//${farHost}:${port}${path}`);
  if (!url.ok) {
    throw new Error(url.reason);
  }
  return { url: url.value, key };
}

/** A network whose settings can be changed while it is open, and that knows no environment but the one given. */
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

/** What a real proxy (proxy-chain) was asked to do. */
export interface RealProxy extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly { host: string; isTunnel: boolean; headers: Readonly<Record<string, unknown>> }[];
}

/** Starts a real forward proxy that finds every name on this machine, at the port that was asked for. */
export async function realProxy(credentials?: string): Promise<RealProxy> {
  const seen: RealProxy['seen'][number][] = [];
  const server = new Server({
    port: 0,
    host: '127.0.0.1',
    verbose: false,
    prepareRequestFunction: ({ request, username, password, hostname, port, isHttp }) => {
      seen.push({ host: `${hostname}:${port}`, isTunnel: !isHttp, headers: request.headers });
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
    seen,
    [Symbol.asyncDispose]: async () => {
      await server.close(true);
    },
  };
}
