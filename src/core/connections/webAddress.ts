import { isPrivateHost } from '../network/hostName.ts';
import { isKeyShaped } from '../secrets/redact.ts';

export type WebAddress = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

/** UTF-16 units; longer than any address that somebody typed. */
const maxAddressLength = 2_048;

/** Parameters that hold a key in the addresses of one gateway or another. */
const keyParameter =
  /^(?:x-)?(?:(?:api|access|auth|secret|goog-api)[-_]?)?(?:key|token|secret)$|^(?:auth|sig|signature|password|code)$/i;

/**
 * Reads the address of a web server out of what a person pasted (wire Q64, Q65): blanks and quotes around it,
 * characters nobody sees and full-width letters are put right; anything that makes it ambiguous or holds a secret is
 * refused in words that never repeat it. Never throws.
 *
 * @param what the thing the address is of, such as `the gateway`; @param example an address of that kind.
 */
export function readWebAddress(input: string, what: string, example: string): WebAddress {
  if (input.length > 64 * maxAddressLength) {
    return refuse('This is too long for an address.');
  }
  const text = plainText(input);
  if (text === '') {
    return refuse(`Enter the address of ${what}, such as ${example}.`);
  }
  if (looksLikeKey(text)) {
    return refuse('This looks like a key. Only the address belongs here; the key is asked for apart.');
  }
  if (/\s/.test(text)) {
    return refuse('An address has no blanks in it.');
  }
  if (/\p{Cc}/u.test(text)) {
    return refuse('There is a control character in the address. Type it instead of pasting it.');
  }
  if (text.length > maxAddressLength) {
    return refuse('This is too long for an address.');
  }
  // `localhost:8080` would parse as a scheme; only `scheme://` counts as one, and those that are never a host's name.
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const bare = /^(data|javascript|file|mailto|blob|about|vscode|view-source|wss?|ftps?|https?):(?!\d+(?:\/|$))/i.exec(
    text,
  );
  const named = scheme ?? bare?.[1]?.toLowerCase();
  if (named !== undefined && !/^https?$/.test(named)) {
    return refuse(`A gateway is reached by https:// or http://, not ${/^[a-z]{1,12}$/.test(named) ? named : 'that'}:.`);
  }
  if (scheme === undefined && named !== undefined) {
    return refuse(`Two slashes follow ${named}:, as in ${example}.`);
  }
  if (/^https?:\/\/\/*https?:?\/\//i.test(text)) {
    return refuse(`The address begins twice with its scheme. It looks like ${example}.`);
  }
  return parse(scheme ? text : withScheme(text), example);
}

function parse(text: string, example: string): WebAddress {
  const authority = /^https?:[\\/]+([^\\/?#]*)/i.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[') && host.includes('%')) {
    return refuse('An address can not name a network interface, as in %eth0. Use an address without one.');
  }
  if (!host.startsWith('[') && /:[^:]*:/.test(host) && /^[\da-f:.%]+$/i.test(host)) {
    return refuse('An IPv6 address stands in brackets, such as http://[::1]:3000/v1.');
  }
  const port = /:(\d+)$/.exec(host)?.[1];
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) {
    return refuse('A port is a number from 1 to 65535.');
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse(`This is not an address. It looks like ${example}.`);
  }
  if (url.username !== '' || url.password !== '' || authority.includes('@')) {
    return refuse('Leave out the user name and password before the @: the key is asked for next and kept apart.');
  }
  // `https:\\\\gateway` parses as a host of this name.
  if (url.hostname === '' || /^https?$/.test(url.hostname)) {
    return refuse(`The address has no host. It looks like ${example}.`);
  }
  // The absolute spelling of a name is another origin, and servers know no certificate for it.
  if (url.hostname.endsWith('.')) {
    url.hostname = url.hostname.slice(0, -1);
  }
  if (/^\.|\.\.|\.$/.test(url.hostname)) {
    return refuse('A part of the host’s name is missing between two dots.');
  }
  return holdsKey(url)
    ? refuse('There is a key in the address. Leave it out: addresses are kept in the settings, and keys apart.')
    : { ok: true, url };
}

/** Without quotes and what nobody sees; typed with an input method for Chinese, whole addresses are full-width. */
function plainText(input: string): string {
  return input
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .trim()
    .replace(/^["'`<“‘「]{1,8}|["'`>”’」]{1,8}$/g, '')
    .trim();
}

function looksLikeKey(text: string): boolean {
  const word = text.replace(/^bearer\s+/i, '');
  return !/[\s/]/.test(word) && (isKeyShaped(word) || /^[\w-]{32,}$/.test(word));
}

/** Someone who types `localhost:3000` means plain http: a gateway on one's own machine rarely has a certificate. */
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

/** True for `http:` to a host that is neither this machine nor a private network: all of it travels in clear. */
export function isExposedUrl(url: URL): boolean {
  return url.protocol === 'http:' && !isPrivateHost(url.hostname);
}
