import { parseBaseUrl } from '../../core/connections/baseUrl.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import type { CheckKey } from '../connections/askKey.ts';

/** What tests and development windows can do without the UI. An installed extension exports nothing. */
export type DevelopmentActions = {
  /** Adds the connection, or replaces the key of an existing one, and uses it. Rejects when the check fails. */
  connect(baseUrl: string, key: string): Promise<void>;
  isConnected(): Promise<boolean>;
};

export function developmentApi(connections: Connections, check: CheckKey): DevelopmentActions {
  return {
    async connect(baseUrl, key) {
      const url = parseBaseUrl(baseUrl);
      if (!url.ok) {
        throw new Error(url.reason);
      }
      const found = await check({ url: url.value, key }, new AbortController().signal);
      if ('kind' in found) {
        throw new GatewayError(found);
      }
      const existing = connections.all.find((each) => each.url.base === url.value.base);
      if (existing) {
        await connections.replaceKey(existing, key);
        await connections.use(existing);
      } else {
        await connections.add(url.value, key);
      }
    },
    isConnected: async () => (await connections.findDestination()).status === 'ready',
  };
}
