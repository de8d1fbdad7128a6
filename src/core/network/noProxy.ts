import { type IpAddress, isInBlock, parseIp } from './ipAddress.ts';

/**
 * The entry of a list such as `http.noProxy` or `NO_PROXY` that matches a host, if one does.
 *
 * There is no standard. What VS Code and curl both support has the same meaning here: `*` is every host, `example.com`
 * and `.example.com` are the domain and its subdomains, and `:8080` after a name limits the entry to that port. Also
 * supported: `*` inside a name, an address, IPv6 with and without brackets, and a block of addresses (`10.0.0.0/8`).
 *
 * @param host as `URL.hostname` gives it.
 */
export function noProxyEntry(host: string, port: number, entries: readonly string[]): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const address = parseIp(name);
  return entries.map((entry) => entry.trim()).find((entry) => entry !== '' && matches(entry, name, address, port));
}

function matches(entry: string, host: string, address: IpAddress | undefined, port: number): boolean {
  if (entry === '*') {
    return true;
  }
  const { name, port: wanted } = splitPort(entry.toLowerCase());
  if (wanted !== undefined && wanted !== port) {
    return false;
  }
  const isInside = isInBlock(address, name);
  if (isInside !== undefined) {
    return isInside;
  }
  const domain = name.replace(/\.$/, '');
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

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
