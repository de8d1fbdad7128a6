import type { FindSender } from '../core/chat/chatPorts.ts';
import type { Connections } from '../core/gateway/connections.ts';
import type { GatewayClient } from '../core/gateway/gatewayClient.ts';

/** Binds one call to the connection in use and its key; the key stays in the call. */
export async function findSender(
  connections: Connections,
  client: () => Promise<GatewayClient>,
  /** Connections, by id, whose gateway rejects the option that asks for token counts. */
  isWithoutUsage: (connectionId: string) => boolean,
): ReturnType<FindSender> {
  const destination = await connections.findDestination();
  switch (destination.status) {
    case 'ready': {
      const { connection, key } = destination;
      const { url, headers } = connection;
      return {
        ok: true,
        sender: {
          host: new URL(url.base).host,
          send: async (request, onDelta, signal) => {
            const withoutUsage = isWithoutUsage(connection.id);
            return (await client()).chat({ url, key, headers }, { ...request, withoutUsage }, onDelta, signal);
          },
        },
      };
    }
    case 'disconnected':
      return { ok: false, reason: 'There is no connection.' };
    case 'keyMissing':
      return { ok: false, reason: `There is no key for ${destination.connection.name}.` };
    case 'keyElsewhere':
      return { ok: false, reason: `The key was given for ${destination.origin} and is not sent anywhere else.` };
    case 'keyUnreadable':
      return { ok: false, reason: `VS Code’s secret storage can not be read: ${destination.reason}` };
    default:
      return destination satisfies never;
  }
}
