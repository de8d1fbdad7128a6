import * as l10n from '@vscode/l10n';
import { isInBlock, parseIp } from './ipAddress.ts';

const loopback = ['127.0.0.0/8', '::1'];
/** RFC 1918, link-local and unique-local addresses. */
const privateBlocks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'];

/** True for a loopback address or `localhost`. @param hostname as `URL.hostname` gives it. */
export function isThisMachine(hostname: string): boolean {
  const name = normal(hostname);
  return isInOneOf(name, loopback) || name === 'localhost' || name.endsWith('.localhost');
}

/** True for this machine, an address of a private network, or a name that resolves only inside one. */
export function isPrivateHost(hostname: string): boolean {
  const name = normal(hostname);
  return (
    isThisMachine(name) || isInOneOf(name, privateBlocks) || /\.(?:local|lan|internal|home\.arpa|test)$/.test(name)
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

function isInOneOf(name: string, blocks: readonly string[]): boolean {
  const address = parseIp(name);
  return address !== undefined && blocks.some((block) => isInBlock(address, block));
}
