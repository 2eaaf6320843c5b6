import { deflateSync } from 'node:zlib';
import { CANDLES, ICON_GROUND, ICON_RADIUS, ICON_SIZE, ICON_STROKE } from './icon.ts';

/** A straight stroke with round ends. */
type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

const SEGMENTS: readonly Segment[] = CANDLES.flatMap(({ x, wick, body }) => {
  const [high, top, bottom, low] = wick;
  const [left, , width, height] = body;
  const [right, base] = [left + width, top + height];
  return [
    ...([[x, high, x, top] as const, [x, bottom, x, low] as const] satisfies Segment[]),
    [left, top, right, top] as const,
    [right, top, right, base] as const,
    [right, base, left, base] as const,
    [left, base, left, top] as const,
  ];
});

/** Part of a maskable icon that every mask shows is a circle of 80 % (W3C Manifest, "Icon masks"). */
const MASKABLE_SCALE = 0.72;
const WHITE = 255;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Draws the icon as a PNG, because systems that install the pages as an app accept no SVG.
 * @param pixels Width and height.
 * @param isMaskable Whether the ground fills the square and the drawing is smaller, so that systems can cut it into any shape.
 */
export function iconImage(pixels: number, isMaskable: boolean): Uint8Array {
  const scale = (isMaskable ? MASKABLE_SCALE : 1) * (pixels / ICON_SIZE);
  // Each row begins with the number of its filter, 0 for none.
  const rows = new Uint8Array(pixels * (pixels * 4 + 1));
  for (let row = 0, at = 0; row < pixels; row++) {
    at++;
    for (let column = 0; column < pixels; column++, at += 4) {
      const x = (column + 0.5 - pixels / 2) / scale + ICON_SIZE / 2;
      const y = (row + 0.5 - pixels / 2) / scale + ICON_SIZE / 2;
      const stroke = coverage(strokeDistance(x, y), scale);
      for (let channel = 0; channel < 3; channel++) {
        const ground = ICON_GROUND[channel]!;
        rows[at + channel] = Math.round(ground + (WHITE - ground) * stroke);
      }
      rows[at + 3] = isMaskable ? WHITE : Math.round(WHITE * coverage(groundDistance(x, y), scale));
    }
  }
  return encodePng(pixels, rows);
}

/** Returns which part of a pixel a shape covers. @param distance From the edge of the shape; negative inside. */
function coverage(distance: number, scale: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance * scale));
}

function strokeDistance(x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const [x1, y1, x2, y2] of SEGMENTS) {
    const [dx, dy] = [x2 - x1, y2 - y1];
    const part = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
    const along = Math.min(1, Math.max(0, part));
    nearest = Math.min(nearest, Math.hypot(x - x1 - along * dx, y - y1 - along * dy));
  }
  return nearest - ICON_STROKE / 2;
}

function groundDistance(x: number, y: number): number {
  const half = ICON_SIZE / 2;
  const dx = Math.abs(x - half) - half + ICON_RADIUS;
  const dy = Math.abs(y - half) - half + ICON_RADIUS;
  const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0));
  return outside + Math.min(0, Math.max(dx, dy)) - ICON_RADIUS;
}

/** Encodes rows of RGBA pixels of 8 bits (PNG, third edition, 5). */
function encodePng(pixels: number, rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // Bits per channel, color type RGBA; then the only compression, filtering and no interlacing.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
  return framed;
}
