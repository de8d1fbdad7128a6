import { crc32, deflateSync } from 'node:zlib';

/** A PNG of stripes, as base64, transparent at one side. */
export function drawnPicture(width: number, height: number): string {
  const rows = Array.from({ length: height }, (_, y) => {
    const pixels = Array.from({ length: width }, (_, x) =>
      x > width * 0.8 ? [0, 0, 0, y % 40 < 20 ? 255 : 0] : [(x * 255) / width, (y * 255) / height, 160, 255],
    );
    return [0, ...pixels.flat()];
  });
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngPart('IHDR', Buffer.concat([size, Buffer.from([8, 6, 0, 0, 0])])),
    pngPart('IDAT', deflateSync(Buffer.from(rows.flat()))),
    pngPart('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

function pngPart(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length);
  ends.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)]);
}
