import * as l10n from '@vscode/l10n';
import type { BaseUrl } from '../../core/connections/baseUrl.ts';
import type { ClearRoutes } from '../../core/connections/clearRoutes.ts';
import { showWarningMessage } from '../ui/messages.ts';

/** Finds and accepts routes on which others can read a key; see `ClearRoutes`. */
export type RouteConsent = Pick<ClearRoutes, 'routeTo' | 'accept'>;

/** Asks whether a key may be sent where others can read it. @returns true also when no one else can read it. */
export async function confirmRoute(routes: RouteConsent, url: BaseUrl): Promise<boolean> {
  const route = routes.routeTo(url.modelsUrl);
  if (route === undefined) {
    return true;
  }
  const { host } = new URL(url.base);
  // Enter presses the first button, but never VS Code's own Cancel. So the first button refuses: an accidental Enter
  // must not send a key unencrypted.
  const refuse = l10n.t("Don't Send");
  const proceed = l10n.t('Send Key Unencrypted');
  const answer = await showWarningMessage(
    route.proxy
      ? l10n.t('The proxy {0} could read the key on its way to {1}.', route.proxy, host)
      : l10n.t('Others on the network could read the key on its way to {0}.', host),
    {
      modal: true,
      detail: l10n.t(
        "The address starts with http://, so the key, questions, and answers are sent unencrypted. Proxies on the route can read them too. You'll be asked again if the route changes.",
      ),
    },
    refuse,
    proceed,
  );
  if (answer !== proceed) {
    return false;
  }
  await routes.accept(url.modelsUrl, route);
  return true;
}

/**
 * Asks whether a key may be sent to an origin other than the one it was given for; the dialog names both addresses.
 *
 * @returns `send` to send the same key, `another` to enter another one, or undefined when the person cancels.
 */
export async function confirmOrigin(
  name: string,
  oldOrigin: string,
  { origin: newOrigin, warning }: BaseUrl,
): Promise<'send' | 'another' | undefined> {
  const [from, to] = [hostOrOrigin(oldOrigin, newOrigin), hostOrOrigin(newOrigin, oldOrigin)];
  const send = l10n.t('Send Key to {0}', to);
  const another = l10n.t('Enter Another Key…');
  const detail = l10n.t(
    "This connection's address is now {0}. The operator of {1} could use the key and read your questions. Nothing has been sent there yet.",
    newOrigin,
    to,
  );
  const answer = await showWarningMessage(
    name === from
      ? l10n.t('Send the key to {0}? It was entered for {1}.', to, from)
      : l10n.t('Send the key of {0} to {1}? It was entered for {2}.', name, to, from),
    { modal: true, detail: warning ? `${detail}\n\n${warning}` : detail },
    // Sending is not the first button: an accidental Enter must not send a key.
    another,
    send,
  );
  return answer === send ? 'send' : answer === another ? 'another' : undefined;
}

/** The host alone, or the whole origin when both have the same host and differ only in scheme or port. */
function hostOrOrigin(origin: string, other: string): string {
  const { host } = new URL(origin);
  return host === new URL(other).host ? origin : host;
}
