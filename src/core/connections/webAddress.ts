import * as l10n from '@vscode/l10n';
import { decodedUri, type Parsed } from '../base/loose.ts';
import { isPrivateHost } from '../network/hostName.ts';
import { isKeyShaped } from '../secrets/redact.ts';

/** In UTF-16 units; longer than any address a person would type. */
const maxAddressLength = 2_048;

/** Query parameters that hold a key in the addresses of some gateways. */
const keyParameter =
  /^(?:x-)?(?:(?:api|access|auth|secret|goog-api)[-_]?)?(?:key|token|secret)$|^(?:auth|sig|signature|password|code)$/i;

/**
 * Reads a web server's address from pasted text (wire Q64, Q65). Removes surrounding blanks, quotes, commas and invisible
 * characters, and converts full-width letters. Refuses an ambiguous address or one that holds a secret, with a reason
 * that never repeats the input. Never throws.
 *
 * @param example of such an address.
 */
export function readWebAddress(input: string, example: string): Parsed<URL> {
  const text = plainText(input.slice(0, maxAddressLength + 1));
  if (text === '') {
    return refuse(l10n.t('Enter an address such as {0}.', example));
  }
  if (isKeyLike(text)) {
    return refuse(l10n.t('This looks like a key. Enter the address.'));
  }
  if (/\s/.test(text)) {
    return refuse(l10n.t('The address contains a space. Remove it.'));
  }
  // A host with a port, such as `localhost:8080`, has no scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(text)?.[1];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) {
    return refuse(l10n.t('The address must start with https:// or http://.'));
  }
  const address = scheme === undefined ? withScheme(text) : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // `https://https://gateway` parses with `https` as its host.
  if (
    input.length > maxAddressLength ||
    url === undefined ||
    /\p{Cc}/u.test(text) ||
    /^(?:https?)?$/.test(url.hostname)
  ) {
    return refuse(l10n.t("This isn't an address. Enter one such as {0}.", example));
  }
  if (/^https?:[\\/]*[^\\/?#]*@/i.test(address)) {
    return refuse(l10n.t('Remove the user name and password.'));
  }
  return holdsKey(url)
    ? refuse(
        l10n.t('The address contains a key. Remove it, because addresses are saved in your settings as plain text.'),
      )
    : { ok: true, value: url };
}

/** Without quotes and invisible characters. Converts full-width letters, which Chinese input methods produce. */
function plainText(input: string): string {
  return input
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .trim()
    .replace(/^["'`<“‘「]{1,8}|["'`>”’」,;。、]{1,8}$/g, '')
    .trim();
}

function isKeyLike(text: string): boolean {
  const word = text.replace(/^bearer\s+/i, '');
  return !/[\s/]/.test(word) && (isKeyShaped(word) || /^[\w-]{32,}$/.test(word));
}

/** Adds the scheme: plain http for `localhost` and its like, because a local gateway rarely has a certificate. */
function withScheme(text: string): string {
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i.test(text);
  return `${isLoopback ? 'http' : 'https'}://${text.replace(/^[\\/]+/, '')}`;
}

function holdsKey(url: URL): boolean {
  const isKey = (part: string) => isKeyShaped(decodedUri(part));
  return (
    [...url.searchParams].some(([name, value]) => value !== '' && (keyParameter.test(name) || isKeyShaped(value))) ||
    url.pathname.split('/').some(isKey) ||
    url.hash.split(/[#/?&=]/).some(isKey)
  );
}

function refuse(reason: string): Parsed<URL> {
  return { ok: false, reason };
}

/** True for `http:` to a host outside this machine and private networks: everything travels in clear text. */
export function isExposedUrl(url: URL): boolean {
  return url.protocol === 'http:' && !isPrivateHost(url.hostname);
}
