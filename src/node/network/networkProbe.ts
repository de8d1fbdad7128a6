import { lookup } from 'node:dns/promises';
import type { PeerCertificate } from 'node:tls';
import type { NetworkProbe } from '../../core/network/networkProbe.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { chooseRoute } from '../../core/network/route.ts';
import type { Authorities } from './authorities.ts';
import { Dialer } from './dialer.ts';
import { unlessAborted } from './unlessAborted.ts';
import { wayOf } from './way.ts';

/**
 * Looks at the way by the very steps a request takes. When the editor's `fetch` carries the requests, only VS Code
 * knows their way; then the handshake shows whether the gateway can be reached without it.
 */
export function networkProbe(
  readSettings: () => NetworkSettings,
  environment: Environment,
  authorities: Authorities,
): NetworkProbe {
  return {
    routeTo(url) {
      const settings = readSettings();
      if (settings.transport === 'host') {
        return { because: 'askModel.network.transport is host, so VS Code decides' };
      }
      const choice = chooseRoute(url, settings, environment);
      const { proxy } = wayOf(choice, settings, 0);
      return { ...(proxy && { proxy: proxy.name }), because: choice.because };
    },
    async lookUp(host, signal) {
      const found = lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true });
      return (await unlessAborted(found, signal)).map(({ address }) => address);
    },
    async handshake(url, connectTimeoutMs, signal) {
      const settings = readSettings();
      const way = wayOf(chooseRoute(url, settings, environment), settings, connectTimeoutMs);
      const socket = await new Dialer(authorities, way).secure(new URL(url), ['h2', 'http/1.1'], signal);
      try {
        const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
        return {
          protocol: socket.getProtocol() ?? 'TLS',
          ...(socket.alpnProtocol && { alpn: socket.alpnProtocol }),
          subject: nameIn(subject),
          issuer: nameIn(issuer),
          validUntil: Date.parse(validTo),
        };
      } finally {
        socket.destroy();
      }
    },
  };
}

/** The name people know a certificate's holder by; the fields come as one text or as several. */
function nameIn(party: PeerCertificate['subject'] | undefined): string {
  const name: string | string[] | undefined = party?.CN ?? party?.O ?? party?.OU;
  return [name ?? ''].flat().join(', ');
}
