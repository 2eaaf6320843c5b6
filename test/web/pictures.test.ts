import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { encodeExact, encodeIndexed } from './screenshots/encode.ts';
import { compare } from './screenshots/pictures.ts';

type Color = readonly [red: number, green: number, blue: number];
const GROUND: Color = [17, 20, 27];
const BUTTON: Color = [36, 89, 216];

/** Draws a button on a dark ground. */
function draw({ left = 100, color = BUTTON, width = 400 } = {}): PNG {
  const picture = new PNG({ width, height: 300 });
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < width; x++) {
      const isButton = x >= left && x < left + 80 && y >= 100 && y < 132;
      const [red, green, blue] = isButton ? color : GROUND;
      picture.data.set([red, green, blue, 255], (y * width + x) * 4);
    }
  }
  return picture;
}

describe('comparing pictures', () => {
  test('equal pictures are the same', () => {
    expect(compare(draw(), draw())).toMatchObject({ isSame: true, changedPixels: 0 });
  });

  test.each([
    ['an element that moved by a pixel', draw({ left: 101 })],
    ['another color of an element', draw({ color: [31, 84, 160] })],
    ['a missing element', draw({ left: 1000 })],
    ['another size', draw({ width: 401 })],
  ])('%s is reported', (_name, changed) => {
    const { isSame, changedPixels, difference } = compare(changed, draw());
    expect(isSame).toBe(false);
    expect(changedPixels).toBeGreaterThan(24);
    expect(difference.width).toBe(changed.width);
  });

  test('a few pixels of an edge are not reported', () => {
    const changed = draw();
    for (let x = 100; x < 110; x++) changed.data[(100 * changed.width + x) * 4] = 200;
    expect(compare(changed, draw()).isSame).toBe(true);
  });
});

test('a picture of many colors keeps its flat areas, and looks the same with a palette', () => {
  const picture = draw();
  for (let y = 0; y < 50; y++) {
    for (let x = 0; x < 50; x++) {
      picture.data.set([x * 4, y * 4, 80], (y * picture.width + x) * 4);
    }
  }
  const indexed = PNG.sync.read(encodeIndexed(picture));
  const ground = (299 * picture.width + 5) * 4;
  expect([...indexed.data.subarray(ground, ground + 4)]).toEqual([...GROUND, 255]);
  expect(compare(indexed, picture).changedPixels).toBe(0);
  expect(PNG.sync.read(encodeExact(picture)).data.equals(picture.data)).toBe(true);
  expect(encodeIndexed(picture).length).toBeLessThan(encodeExact(picture).length);
});
