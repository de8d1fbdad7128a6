import { parseBaseUrl } from '../../core/connections/baseUrl.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { CheckKey } from '../connections/askKey.ts';

/** What a development or test window may do without typing; an installed extension exports nothing. */
export type DevelopmentActions = {
  connect(baseUrl: string, key: string): Promise<void>;
  isConnected(): Promise<boolean>;
  /** Says yes for another extension that asks models. */
  allowExtension(id: string): Promise<void>;
};

export type DevelopmentApi = DevelopmentActions & { readonly conversationsFolder: string };

export function developmentApi(
  connections: Connections,
  check: CheckKey,
  allowExtension: DevelopmentActions['allowExtension'],
): DevelopmentActions {
  return {
    async connect(baseUrl, key) {
      const url = parseBaseUrl(baseUrl);
      if (!url.ok) {
        throw new Error(url.reason);
      }
      await check({ url: url.value, key }, new AbortController().signal);
      const known = connections.all.find((each) => each.url.base === url.value.base);
      if (known) {
        await connections.replaceKey(known, key);
        await connections.use(known);
      } else {
        await connections.add(url.value, key);
      }
    },
    allowExtension,
    isConnected: async () => (await connections.findDestination()).status === 'ready',
  };
}
