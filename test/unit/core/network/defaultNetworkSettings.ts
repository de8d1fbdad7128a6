import type { NetworkSettings } from '../../../../src/core/network/route.ts';

/** VS Code's own defaults. */
export const defaultNetworkSettings: NetworkSettings = {
  transport: 'undici',
  usesProxy: true,
  proxy: '',
  proxyAuthorization: undefined,
  noProxy: [],
  proxyStrictSsl: true,
  systemCertificates: true,
};
