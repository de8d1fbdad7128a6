import { type IpAddress, parseIp } from './ipAddress.ts';

/**
 * Which entry of a list such as `http.noProxy` or `NO_PROXY` names this host, if one does.
 *
 * There is no standard. What VS Code and curl both read means here what it means there: `*` is every host, `example.com` and
 * `.example.com` are the domain and all below it, `:8080` behind a name asks for that port. Read as well: `*` inside a
 * name, an address, IPv6 with and without brackets, and a block of addresses (`10.0.0.0/8`).
 *
 * @param host as `URL.hostname` gives it.
 */
export function noProxyEntry(host: string, port: number, entries: readonly string[]): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const address = parseIp(name);
  return entries.map((entry) => entry.trim()).find((entry) => entry !== '' && names(entry, name, address, port));
}

function names(written: string, host: string, address: IpAddress | undefined, port: number): boolean {
  if (written === '*') {
    return true;
  }
  const { name, port: wanted } = splitPort(written.toLowerCase());
  if (wanted !== undefined && wanted !== port) {
    return false;
  }
  const [block = '', length] = name.split('/', 2);
  const network = parseIp(block);
  if (network !== undefined) {
    return address !== undefined && isWithin(address, network, length);
  }
  const domain = punycode(name.replace(/\.$/, ''));
  if (domain.includes('*')) {
    return new RegExp(`^${domain.split('*').map(escaped).join('.*')}$`).test(host);
  }
  const bare = domain.replace(/^\./, '');
  return bare !== '' && (host === bare || host.endsWith(`.${bare}`));
}

/** More than one colon outside brackets is an IPv6 address without a port. */
function splitPort(text: string): { name: string; port?: number } {
  const [, name, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(text) ?? [];
  return name === undefined ? { name: text } : { name, port: Number(port) };
}

function isWithin(address: IpAddress, network: IpAddress, length: string | undefined): boolean {
  if (address.bits !== network.bits) {
    return false;
  }
  const kept = length === undefined ? address.bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(kept <= address.bits)) {
    return false;
  }
  const shift = BigInt(address.bits - kept);
  return address.value >> shift === network.value >> shift;
}

/** A URL holds other letters than ASCII's in that form, so an entry has to be compared in it. */
function punycode(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) {
    return domain;
  }
  try {
    return new URL(`http://${domain.replace(/^\./, '')}`).hostname;
  } catch {
    return domain;
  }
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
