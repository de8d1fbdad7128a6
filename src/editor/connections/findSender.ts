import { maskedKey, type SeenCall } from '../../core/chat/conversation/requestDocument.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import { chatCall } from '../../core/client/chatCall.ts';
import type { ChatRequest } from '../../core/client/chatRequest.ts';
import type { GatewayClient } from '../../core/client/gatewayClient.ts';
import type { Destination } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';

/** Binds one call to the connection in use and its key; the key stays in the call. */
export async function findSender(
  connections: Pick<Connections, 'findDestination'>,
  client: () => Promise<Pick<GatewayClient, 'chat'>>,
  /** Connections, by id, whose gateway rejects the option that asks for token counts. */
  isWithoutUsage: (connectionId: string) => boolean,
  /** Told of a connection, by its id, whose gateway answered a question. */
  onAnswered: (connectionId: string) => void,
): ReturnType<FindSender> {
  const destination = await connections.findDestination();
  if (destination.status !== 'ready') {
    return { ok: false, reason: whyNot(destination) };
  }
  const { connection, key } = destination;
  const { url, headers } = connection;
  return {
    ok: true,
    sender: {
      host: new URL(url.base).host,
      send: async (request, onDelta, signal) => {
        const withoutUsage = isWithoutUsage(connection.id);
        const end = await (await client()).chat({ url, key, headers }, { ...request, withoutUsage }, onDelta, signal);
        if (end.outcome === 'complete' || end.outcome === 'incomplete') {
          onAnswered(connection.id);
        }
        return end;
      },
    },
  };
}

/**
 * The call that a request would be now, for looking at. It is made as the client makes it, but with a mask in the place
 * of the key. Without a connection there is none; without a key it has no authorization.
 *
 * @param request the option for token counts is the connection's, unless the request names it.
 */
export async function seeCall(
  connections: Pick<Connections, 'findDestination'>,
  userAgent: string,
  isWithoutUsage: (connectionId: string) => boolean,
  request: ChatRequest,
): Promise<SeenCall> {
  const destination = await connections.findDestination();
  if (destination.status === 'disconnected') {
    return { missing: whyNot(destination) };
  }
  const { url, headers, id } = destination.connection;
  const isReady = destination.status === 'ready';
  const target = { chatUrl: url.chatUrl, key: isReady ? maskedKey : undefined, headers };
  const call = chatCall(target, { withoutUsage: isWithoutUsage(id), ...request }, userAgent);
  return isReady ? { call, key: destination.key } : { call, missing: whyNot(destination) };
}

function whyNot(destination: Exclude<Destination, { status: 'ready' }>): string {
  switch (destination.status) {
    case 'disconnected':
      return 'There is no connection.';
    case 'keyMissing':
      return `There is no key for ${destination.connection.name}.`;
    case 'keyElsewhere':
      return `The key was given for ${destination.origin} and is not sent anywhere else.`;
    case 'keyInClear': {
      const { connection, route } = destination;
      const { host } = new URL(connection.url.base);
      return `${route.proxy ? `The proxy ${route.proxy}` : 'Anyone'} on the way to ${host} could read the key. The Ask Model view asks whether it may.`;
    }
    case 'keyUnreadable':
      return `VS Code’s secret storage can not be read: ${destination.reason}`;
    default:
      return destination satisfies never;
  }
}
