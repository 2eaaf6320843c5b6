import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { encodeExact, encodeIndexed } from './encode.ts';

/** The folder of the accepted pictures. */
export const ACCEPTED = join(import.meta.dir, '../pictures');

/** Maximum difference of the color of a pixel, 0 to 1. Antialiased edges may differ more (pixelmatch). */
const COLOR_TOLERANCE = 0.05;
/** Size in pixels of the squares in which differing pixels are counted, so that a small change counts in a large picture. */
const SQUARE = 32;
/** Maximum differing pixels of a square; docs/testing.md says what was measured. */
const MAX_CHANGED_PIXELS = 24;

/** Result of a comparison. */
export interface Comparison {
  readonly isSame: boolean;
  /** Differing pixels of the square that has most of them. */
  readonly changedPixels: number;
  /** A picture of the pixels that differ. */
  readonly difference: PNG;
}

/** Compares two pictures. Pictures of different sizes always differ. */
export function compare(actual: PNG, accepted: PNG): Comparison {
  const { width, height } = actual;
  const difference = new PNG({ width, height });
  if (width !== accepted.width || height !== accepted.height) {
    return { isSame: false, changedPixels: SQUARE * SQUARE, difference };
  }
  const options = { threshold: COLOR_TOLERANCE, windowSize: SQUARE };
  const data = [actual.data, accepted.data, difference.data] as const;
  const changedPixels = pixelmatch(...data, width, height, options);
  return { isSame: changedPixels <= MAX_CHANGED_PIXELS, changedPixels, difference };
}

/** Reads an accepted picture; undefined if there is none. */
export function readAccepted(name: string): PNG | undefined {
  const path = acceptedPath(name);
  return existsSync(path) ? PNG.sync.read(readFileSync(path)) : undefined;
}

/** Stores a picture as accepted. */
export function accept(name: string, picture: PNG): void {
  mkdirSync(ACCEPTED, { recursive: true });
  const indexed = encodeIndexed(picture);
  const isSame = compare(picture, PNG.sync.read(indexed)).changedPixels === 0;
  writeFileSync(acceptedPath(name), isSame ? indexed : encodeExact(picture));
}

function acceptedPath(name: string): string {
  return join(ACCEPTED, `${name}.png`);
}

let folder: string | undefined;

/** Writes the pictures of a difference into a temporary folder. @returns Its description, with their paths. */
export function report(
  name: string,
  actual: PNG,
  accepted: PNG,
  { changedPixels, difference }: Comparison,
): string {
  folder ??= mkdtempSync(join(tmpdir(), 'buttonwood-pictures-'));
  const paths = Object.entries({ actual, accepted, difference }).map(([kind, picture]) => {
    const path = join(folder!, `${name}-${kind}.png`);
    writeFileSync(path, PNG.sync.write(picture));
    return path;
  });
  const area = `${SQUARE}×${SQUARE}`;
  return `${name} differs in up to ${changedPixels} pixels of ${area}:\n  ${paths.join('\n  ')}`;
}
