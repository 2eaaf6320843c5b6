import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const MAX_COLORS = 256;
/** The most frequent colors, which stay exact: those of flat areas. */
const EXACT_COLORS = 64;
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * Encodes a picture with a palette of 256 colors, which takes half of the bytes: flat areas stay exact, pixels of
 * antialiased edges get the nearest color. pngjs cannot write palettes.
 */
export function encodeIndexed({ width, height, data }: PNG): Buffer {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colors = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
  const { palette, indexes } = choosePalette(colors);
  // Rows begin with the type of their filter, 0 for none: texts on flat areas compress best without.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + x + 1] = indexes.get(pixels[y * width + x]!)!;
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Encodes a picture without loss. */
export function encodeExact(picture: PNG): Buffer {
  return PNG.sync.write(picture, {
    colorType: 2,
    deflateLevel: 9,
    deflateStrategy: 0,
    filterType: 0,
  });
}

/** Returns the palette, and the index in it of each color. @param colors The most frequent first. */
function choosePalette(colors: readonly number[]) {
  const parts = colors.map(channels);
  const palette: number[] = [];
  const nearest = new Map<number, number>();
  const distances = colors.map(() => Number.POSITIVE_INFINITY);
  while (palette.length < Math.min(MAX_COLORS, colors.length)) {
    // Then the color that is farthest from all in the palette, so that none gets a color far from its own.
    const next =
      palette.length < EXACT_COLORS ? palette.length : distances.indexOf(maximum(distances));
    const [red, green, blue] = parts[next]!;
    for (const [index, [r, g, b]] of parts.entries()) {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance >= distances[index]!) continue;
      distances[index] = distance;
      nearest.set(colors[index]!, palette.length);
    }
    palette.push(colors[next]!);
  }
  return { palette, indexes: nearest };
}

function maximum(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0);
}

/** Returns red, green and blue of a little-endian pixel. */
function channels(pixel: number): [number, number, number] {
  return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
