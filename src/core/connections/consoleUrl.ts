import { isExposedUrl, readWebAddress } from './webAddress.ts';

export type ConsoleUrlResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The address of a gateway's web pages, opened in a browser. Its path, query and fragment stay: consoles that are one
 * page name their pages behind the `#`. Plain http only on this machine and in private networks, because a person signs
 * in there.
 *
 * @returns the address as a browser would write it, or the reason in words against it.
 */
export function readConsoleUrl(input: string): ConsoleUrlResult {
  const address = readWebAddress(input, 'the gateway’s console', 'https://gateway.example/console');
  if (!address.ok) {
    return address;
  }
  return isExposedUrl(address.url)
    ? { ok: false, reason: 'The console’s address begins with http://, so its password would travel in clear text.' }
    : { ok: true, value: address.url.href };
}
