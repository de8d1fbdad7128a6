/** Splits bytes at the given offsets, in any order. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const bounds = [0, ...[...offsets].sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
}

/** All splits of the bytes into two pieces, and the bytes one by one and in one piece. */
export function everySplit(bytes: Uint8Array): Uint8Array[][] {
  const splits = [[bytes], Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))];
  for (let at = 1; at < bytes.length; at++) {
    splits.push(cutAt(bytes, [at]));
  }
  return splits;
}

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}
