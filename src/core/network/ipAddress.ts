/** An IP address as a number of 32 bits (IPv4) or 128 bits (IPv6). */
export type IpAddress = { readonly bits: 32 | 128; readonly value: bigint };

/**
 * Parses an address as written in a URL or a list: `10.0.0.1`, `::1`, `[::1]`. An IPv4 address that is written as IPv6
 * (`::ffff:10.0.0.1`) becomes the IPv4 address.
 */
export function parseIp(text: string): IpAddress | undefined {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(bare)) {
    const parts = bare.split('.').map(Number);
    return parts.every((part) => part <= 255) ? { bits: 32, value: joined(parts, 8n) } : undefined;
  }
  if (!bare.includes(':') || !/^[\da-f:.]+$/i.test(bare)) {
    return undefined;
  }
  let canonical: string;
  try {
    // Shortens the address in the canonical form and converts a dotted end to hexadecimal.
    canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [head = '', tail] = canonical.split('::');
  const left = groups(head);
  const right = groups(tail ?? '');
  const value = joined([...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right], 16n);
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffff_ffffn } : { bits: 128, value };
}

/**
 * @param block an address, or a block of addresses such as `10.0.0.0/8`.
 * @returns whether the address is in the block; undefined when `block` is neither.
 */
export function isInBlock(address: IpAddress | undefined, block: string): boolean | undefined {
  const [first = '', length] = block.split('/', 2);
  const network = parseIp(first);
  if (network === undefined) {
    return undefined;
  }
  const fixedBits = length === undefined ? network.bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (address?.bits !== network.bits || !(fixedBits <= network.bits)) {
    return false;
  }
  const shift = BigInt(network.bits - fixedBits);
  return address.value >> shift === network.value >> shift;
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((sum, part) => (sum << width) | BigInt(part), 0n);
}
