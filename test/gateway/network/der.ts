/** The part of DER (ITU-T X.690) that a certificate needs: every value is a tag, a length and its contents. */
function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

/** An ordered list of values. */
export function sequence(...items: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...items);
}

/** An unordered list of values. */
export function set(...items: readonly Uint8Array[]): Buffer {
  return tagged(0x31, ...items);
}

/** A context-specific value with the number `[n]`; a constructed one contains other values. */
export function context(number: number, isConstructed: boolean, content: Uint8Array): Buffer {
  return tagged((isConstructed ? 0xa0 : 0x80) + number, content);
}

/** A non-negative integer, from its big-endian bytes. */
export function integer(...bytes: readonly number[]): Buffer {
  return tagged(0x02, Buffer.from((bytes[0] ?? 0) > 0x7f ? [0, ...bytes] : bytes));
}

/** An object identifier from its encoded bytes, written as hex. */
export function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

/** A UTF-8 string. */
export function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}

/** An octet string, which contains another value. */
export function octets(content: Uint8Array): Buffer {
  return tagged(0x04, content);
}

/** A bit string; its last `unused` bits are ignored. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return tagged(0x03, Buffer.from([unused]), content);
}

/** The Boolean value true. */
export const yes = tagged(0x01, Buffer.from([0xff]));

/** A time before the year 2050. */
export function time(at: Date): Buffer {
  return tagged(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}
