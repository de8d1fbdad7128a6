/** Digits, small letters, sizes: the constants of RFC 3492 section 5. */
const base = 36;
const lowest = 1;
const highest = 26;
const skew = 38;
const damping = 700;

/**
 * Decodes what stands behind `xn--` (RFC 3492 section 6.2).
 *
 * @returns undefined when it is no punycode; URL parsers let none of that through, old settings may.
 */
export function decodePunycode(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-');
  const points = [...encoded.slice(0, Math.max(0, delimiter))].map((letter) => letter.charCodeAt(0));
  let point = 128;
  let index = 0;
  let bias = 72;
  let at = delimiter < 0 ? 0 : delimiter + 1;
  while (at < encoded.length) {
    const before = index;
    let weight = 1;
    for (let step = base; ; step += base) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit === undefined) {
        return undefined;
      }
      index += digit * weight;
      const threshold = Math.min(highest, Math.max(lowest, step - bias));
      if (digit < threshold) {
        break;
      }
      weight *= base - threshold;
    }
    const length = points.length + 1;
    bias = adapted(index - before, length, before === 0);
    point += Math.floor(index / length);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      return undefined;
    }
    index %= length;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** @returns undefined past the end and for what is no digit. */
function digitOf(unit: number): number | undefined {
  if (unit >= 0x61 && unit <= 0x7a) {
    return unit - 0x61;
  }
  return unit >= 0x30 && unit <= 0x39 ? unit - 0x30 + 26 : undefined;
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damping : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > ((base - lowest) * highest) / 2; bias += base) {
    rest = Math.floor(rest / (base - lowest));
  }
  return bias + Math.floor(((base - lowest + 1) * rest) / (rest + skew));
}
