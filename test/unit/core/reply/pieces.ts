/** Cuts bytes at the given places, in any order. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const borders = [0, ...[...places].sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
}

/** Every way to send the bytes in two pieces, in single bytes, and at once. */
export function everySplit(bytes: Uint8Array): Uint8Array[][] {
  const ways = [[bytes], Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))];
  for (let at = 1; at < bytes.length; at++) {
    ways.push(cutAt(bytes, [at]));
  }
  return ways;
}

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}
