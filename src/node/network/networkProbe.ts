import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { NetworkProbe, TlsFacts } from '../../core/network/networkProbe.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { chooseRoute } from '../../core/network/route.ts';
import type { Authorities, Trust } from './authorities.ts';
import { connectOptionsOf, openDispatcher, sendOver } from './dispatcher.ts';
import { unlessAborted } from './unlessAborted.ts';

/**
 * Inspects the route to a gateway with the same steps as a request. When requests go through the `fetch` of the
 * extension host, only VS Code knows their route; the handshake then shows whether the gateway can be reached without
 * it.
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
        return { because: { reason: 'editor' } };
      }
      const { proxy, because } = chooseRoute(url, settings, environment);
      return { ...(proxy && { proxy: proxy.name }), because };
    },
    async resolve(host, signal) {
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
      // It always ends with an error, because `inspect` throws.
      const reason = await authorities
        .withTrust(settings.systemCertificates, connectTimeoutMs, signal, connect)
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

/** The readable name of the subject or issuer of a certificate; a field is one string or several. */
function nameIn(party: PeerCertificate['subject'] | undefined): string {
  const name: string | string[] | undefined = party?.CN ?? party?.O ?? party?.OU;
  return [name ?? ''].flat().join(', ');
}
