import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import { maskedKey, type RequestPreview } from '../../core/chat/conversation/requestDocument.ts';
import type { CallGate } from '../../core/chat/sending/callGate.ts';
import type { FindSender } from '../../core/chat/sending/chat.ts';
import { type ChatRequest, chatCall } from '../../core/client/chatRequest.ts';
import type { Connection, Destination } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';

/** See `openSenders`. */
export type Senders = ReturnType<typeof openSenders>;

/**
 * Finds the sender of a paid call: the connection in use and its key. Only the returned sender holds the key.
 *
 * @param withoutUsage true for a connection whose gateway rejects the option that asks for token counts.
 */
export function openSenders(
  connections: Pick<Connections, 'findDestination' | 'readKeys'>,
  calls: Pick<CallGate, 'send'>,
  userAgent: string,
  withoutUsage: { read(connectionId: string): unknown },
) {
  const find: FindSender = async () => {
    const [destination] = await Promise.all([connections.findDestination(), connections.readKeys()]);
    if (destination.status !== 'ready') {
      return { ok: false, reason: whyNotReady(destination) };
    }
    const { connection, key } = destination;
    return {
      ok: true,
      sender: {
        host: new URL(connection.url.base).host,
        defaults: connection,
        send: (request, origin, onDelta, signal) => {
          const sent = { ...request, withoutUsage: isWithoutUsage(connection) };
          return calls.send({ connection, key }, sent, origin, onDelta, signal);
        },
      },
    };
  };
  /**
   * The call that would be made for a request now, for display. It is built as the client builds it, but with a mask in
   * place of the key. Without a connection there is no call; without a key it has no authorization.
   *
   * @param request its option for token counts is that of the connection, unless the request sets it.
   */
  const preview = async (request: ChatRequest): Promise<RequestPreview> => {
    const destination = await connections.findDestination();
    if (destination.status === 'disconnected') {
      return { missing: whyNotReady(destination) };
    }
    const { connection } = destination;
    const isReady = destination.status === 'ready';
    const target = {
      chatUrl: connection.url.chatUrl,
      key: isReady ? maskedKey : undefined,
      headers: connection.headers,
    };
    const call = chatCall(target, { withoutUsage: isWithoutUsage(connection), ...request }, userAgent);
    return isReady ? { call, key: destination.key } : { call, missing: whyNotReady(destination) };
  };

  function isWithoutUsage({ id }: Connection): boolean {
    return withoutUsage.read(id) === true;
  }

  return { find, preview };
}

/** Says why nothing can be sent. */
export function whyNotReady(destination: Exclude<Destination, { status: 'ready' }>): string {
  switch (destination.status) {
    case 'disconnected':
      return l10n.t("You aren't connected to a gateway.");
    case 'keyMissing':
      return l10n.t('No key is stored for {0}.', destination.connection.name);
    case 'keyElsewhere':
      return l10n.t("The key was entered for {0} and isn't sent to another address.", destination.origin);
    case 'keyInClear': {
      const { connection, route } = destination;
      const { host } = new URL(connection.url.base);
      return sentences(
        route.proxy
          ? l10n.t('The proxy {0} could read the key on its way to {1}.', route.proxy, host)
          : l10n.t('Others on the network could read the key on its way to {0}.', host),
        l10n.t('Review the route in the Ask Model view.'),
      );
    }
    case 'keyUnreadable':
      return l10n.t("VS Code's secret storage can't be read: {0}", destination.reason);
  }
}
