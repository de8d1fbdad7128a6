import type { NetworkSettings } from '../../core/network/networkSettings.ts';
import { ProxyError } from '../../core/network/proxyError.ts';
import type { ProxyServer, RouteChoice } from '../../core/network/route.ts';

/** The way to a gateway, and how it is secured. */
export type Way = {
  /** Without it the connection goes straight to its end. */
  readonly proxy?: ProxyServer;
  /** Whether an `https:` proxy has to prove who it is. A gateway always has to. */
  readonly proxyStrictSsl: boolean;
  readonly systemCertificates: boolean;
  readonly connectTimeoutMs: number;
};

/** @throws ProxyError when a proxy is set and can not be used: a key never goes a way nobody meant. */
export function wayOf(choice: RouteChoice, settings: NetworkSettings, connectTimeoutMs: number): Way {
  if (choice.way === 'none') {
    const { proxy, setting, because } = choice;
    throw new ProxyError({ proxy, setting, trouble: 'setting', detail: because });
  }
  const { proxyStrictSsl, systemCertificates } = settings;
  return {
    ...(choice.way === 'proxy' && { proxy: choice.proxy }),
    proxyStrictSsl,
    systemCertificates,
    connectTimeoutMs,
  };
}
