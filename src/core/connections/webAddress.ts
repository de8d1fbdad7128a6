import * as l10n from '@vscode/l10n';
import { isPrivateHost } from '../network/hostName.ts';
import { isKeyShaped } from '../secrets/redact.ts';

/** The web servers whose addresses people enter. */
type Server = 'gateway' | 'console';

export type WebAddress = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

const examples: Readonly<Record<Server, string>> = {
  gateway: 'https://gateway.example/v1',
  console: 'https://gateway.example/console',
};

/** In UTF-16 units; longer than any address a person would type. */
const maxAddressLength = 2_048;

/** Query parameters that hold a key in the addresses of some gateways. */
const keyParameter =
  /^(?:x-)?(?:(?:api|access|auth|secret|goog-api)[-_]?)?(?:key|token|secret)$|^(?:auth|sig|signature|password|code)$/i;

/**
 * Reads a web server's address from pasted text (wire Q64, Q65). Removes surrounding blanks, quotes and invisible
 * characters, and converts full-width letters. Refuses an ambiguous address or one that holds a secret, with a reason
 * that never repeats the input. Never throws.
 */
export function readWebAddress(input: string, server: Server): WebAddress {
  const example = examples[server];
  if (input.length > 64 * maxAddressLength) {
    return refuse(l10n.t('This address is too long.'));
  }
  const text = plainText(input);
  if (text === '') {
    return refuse(
      server === 'gateway'
        ? l10n.t("Enter the gateway's address, such as {0}.", example)
        : l10n.t("Enter the address of the gateway's console, such as {0}.", example),
    );
  }
  if (isKeyLike(text)) {
    return refuse(
      server === 'gateway'
        ? l10n.t("This looks like a key. Enter the gateway's address.")
        : l10n.t("This looks like a key. Enter the console's address."),
    );
  }
  if (/\s/.test(text)) {
    return refuse(l10n.t('The address contains a space. Remove it.'));
  }
  if (/\p{Cc}/u.test(text)) {
    return refuse(l10n.t('The address contains a control character. Type it instead of pasting it.'));
  }
  if (text.length > maxAddressLength) {
    return refuse(l10n.t('This address is too long.'));
  }
  // `localhost:8080` would parse as a scheme, so only `scheme://` and schemes that are never a host name count.
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const bare = /^(data|javascript|file|mailto|blob|about|vscode|view-source|wss?|ftps?|https?):(?!\d+(?:\/|$))/i.exec(
    text,
  );
  const named = scheme ?? bare?.[1]?.toLowerCase();
  if (named !== undefined && !/^https?$/.test(named)) {
    return refuse(
      /^[a-z]{1,12}$/.test(named)
        ? l10n.t('The address must start with https:// or http://, not {0}:.', named)
        : l10n.t('The address must start with https:// or http://.'),
    );
  }
  if (scheme === undefined && named !== undefined) {
    return refuse(l10n.t('Add two slashes after {0}:, as in {1}.', named, example));
  }
  return parse(scheme ? text : withScheme(text), server);
}

function parse(text: string, server: Server): WebAddress {
  const example = examples[server];
  const authority = /^https?:[\\/]+([^\\/?#]*)/i.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (!host.startsWith('[') && /:[^:]*:/.test(host) && /^[\da-f:.%]+$/i.test(host)) {
    return refuse(l10n.t('Put the IPv6 address in brackets, as in {0}.', 'http://[::1]:3000/v1'));
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse(l10n.t("This isn't an address. Enter one such as {0}.", example));
  }
  if (url.username !== '' || url.password !== '' || authority.includes('@')) {
    return refuse(
      server === 'gateway'
        ? l10n.t('Remove the user name and password. The key is stored separately.')
        : l10n.t('Remove the user name and password.'),
    );
  }
  // `https://https://gateway` parses with `https` as its host.
  if (url.hostname === '' || /^https?$/.test(url.hostname)) {
    return refuse(l10n.t('The address has no host. Enter one such as {0}.', example));
  }
  // A host name with a trailing dot is another origin, and certificates don't cover it.
  if (url.hostname.endsWith('.')) {
    url.hostname = url.hostname.slice(0, -1);
  }
  if (/^\.|\.\.|\.$/.test(url.hostname)) {
    return refuse(l10n.t('Part of the host name is missing between two dots.'));
  }
  return holdsKey(url)
    ? refuse(
        l10n.t('The address contains a key. Remove it, because addresses are saved in your settings as plain text.'),
      )
    : { ok: true, url };
}

/** Without quotes and invisible characters. Converts full-width letters, which Chinese input methods produce. */
function plainText(input: string): string {
  return input
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .trim()
    .replace(/^["'`<“‘「]{1,8}|["'`>”’」]{1,8}$/g, '')
    .trim();
}

function isKeyLike(text: string): boolean {
  const word = text.replace(/^bearer\s+/i, '');
  return !/[\s/]/.test(word) && (isKeyShaped(word) || /^[\w-]{32,}$/.test(word));
}

/** Adds the scheme: plain http for `localhost` and its like, because a local gateway rarely has a certificate. */
function withScheme(text: string): string {
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?(?:[:/]|$)/i.test(text);
  return `${isLoopback ? 'http' : 'https'}://${text.replace(/^[\\/]+/, '')}`;
}

function holdsKey(url: URL): boolean {
  const isKey = (part: string) => isKeyShaped(decoded(part));
  return (
    [...url.searchParams].some(([name, value]) => value !== '' && (keyParameter.test(name) || isKeyShaped(value))) ||
    url.pathname.split('/').some(isKey) ||
    url.hash.split(/[#/?&=]/).some(isKey)
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refuse(reason: string): WebAddress {
  return { ok: false, reason };
}

/** True for `http:` to a host outside this machine and private networks: everything travels in clear text. */
export function isExposedUrl(url: URL): boolean {
  return url.protocol === 'http:' && !isPrivateHost(url.hostname);
}
