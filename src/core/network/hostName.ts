import { BlockList, isIP } from 'node:net';
import * as l10n from '@vscode/l10n';

const loopback = ['127.0.0.0/8', '::1'];
/** RFC 1918, link-local and unique-local addresses. */
const privateBlocks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'];

/** True for a loopback address or `localhost`. @param hostname as `URL.hostname` gives it. */
export function isThisMachine(hostname: string): boolean {
  const name = normal(hostname);
  return loopback.some((block) => isInBlock(name, block)) || name === 'localhost' || name.endsWith('.localhost');
}

/** True for this machine, an address of a private network, or a name that resolves only inside one. */
export function isPrivateHost(hostname: string): boolean {
  const name = normal(hostname);
  return (
    isThisMachine(name) ||
    privateBlocks.some((block) => isInBlock(name, block)) ||
    /\.(?:local|lan|internal|home\.arpa|test)$/.test(name)
  );
}

/**
 * A warning for a name with letters beyond ASCII, because it may look like the name of another host (wire Q65).
 *
 * @param hostname as `URL.hostname` gives it.
 */
export function hostWarning(hostname: string): string | undefined {
  return /(?:^|\.)xn--/.test(hostname)
    ? l10n.t(
        "This host name contains characters that can look like other letters. Its actual name is {0}. Continue only if that's your gateway.",
        hostname,
      )
    : undefined;
}

function normal(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

/**
 * Whether a host is in a block of addresses such as `10.0.0.0/8`, or is this one address. An IPv4 address may be written
 * as IPv6 (`::ffff:10.0.0.1`).
 */
export function isInBlock(host: string, block: string): boolean {
  const bare = (text: string) => text.replace(/^\[|\]$/g, '');
  const familyOf = (text: string) => (isIP(text) === 4 ? 'ipv4' : 'ipv6');
  const [first = '', bits] = block.split('/', 2);
  const [address, network] = [bare(host), bare(first)];
  const most = isIP(network) === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number.parseInt(bits, 10);
  if (isIP(address) === 0 || isIP(network) === 0 || !(length <= most)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, length, familyOf(network));
  return list.check(address, familyOf(address));
}
