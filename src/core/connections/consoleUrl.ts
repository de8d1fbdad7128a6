import * as l10n from '@vscode/l10n';
import { isExposedUrl, readWebAddress } from './webAddress.ts';

export type ConsoleUrlResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the address of a gateway's web console, which is opened in a browser. Keeps path, query and fragment, because
 * single-page consoles name their pages after the `#`. Allows plain http only on this machine and in private networks,
 * because people sign in there.
 *
 * @returns the normalized address, or the reason for the refusal.
 */
export function readConsoleUrl(input: string): ConsoleUrlResult {
  const address = readWebAddress(input, 'console');
  if (!address.ok) {
    return address;
  }
  return isExposedUrl(address.url)
    ? {
        ok: false,
        reason: l10n.t('This address starts with http://, so your password would be sent unencrypted. Use https://.'),
      }
    : { ok: true, value: address.url.href };
}
