import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { NetworkProbe, TlsFacts } from '../../core/network/networkProbe.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { chooseRoute, proxyOf } from '../../core/network/route.ts';
import type { Authorities, Trust } from './authorities.ts';
import { connectOptionsOf, openDispatcher, sendOver } from './dispatcher.ts';
import { unlessAborted } from './unlessAborted.ts';

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
      const proxy = proxyOf(choice);
      return { ...(proxy && { proxy: proxy.name }), because: choice.because };
    },
    async lookUp(host, signal) {
      const found = lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true });
      return (await unlessAborted(found, signal)).map(({ address }) => address);
    },
    async handshake(address, connectTimeoutMs, signal) {
      const settings = readSettings();
      const url = new URL(address);
      const options = connectOptionsOf(url, connectTimeoutMs, settings, environment);
      let facts: TlsFacts | undefined;
      const inspect = (socket: Socket) => {
        facts = socket instanceof TLSSocket ? factsOf(socket) : undefined;
        throw new Error('No request follows');
      };
      const connect = async (trust: Trust) => {
        const dispatcher = openDispatcher({ ...options, trust, signal }, inspect);
        try {
          const sent = sendOver(dispatcher, { origin: url.origin, path: '/', method: 'GET', signal });
          await unlessAborted(sent, signal);
        } finally {
          void dispatcher.destroy();
        }
      };
      // It ends with an error either way.
      const reason = await authorities
        .trusting(settings.systemCertificates, connectTimeoutMs, signal, connect)
        .catch((error: unknown) => error);
      if (facts === undefined) {
        throw reason;
      }
      return facts;
    },
  };
}

function factsOf(socket: TLSSocket): TlsFacts {
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    ...(socket.alpnProtocol && { alpn: socket.alpnProtocol }),
    subject: nameIn(subject),
    issuer: nameIn(issuer),
    validUntil: Date.parse(validTo),
  };
}

/** The name people know a certificate's holder by; the fields come as one text or as several. */
function nameIn(party: PeerCertificate['subject'] | undefined): string {
  const name: string | string[] | undefined = party?.CN ?? party?.O ?? party?.OU;
  return [name ?? ''].flat().join(', ');
}
