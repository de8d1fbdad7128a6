import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import type { Destination } from '../../core/connections/connection.ts';

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
    default:
      return destination satisfies never;
  }
}
