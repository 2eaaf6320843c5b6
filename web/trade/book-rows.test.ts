import { expect, test } from 'bun:test';
import { fitRows } from './book-rows.ts';

test.each([
  // 1280 × 720, without and with the bar of an account.
  [515, 12, 21],
  [475, 12, 19],
  // 1440 × 900
  [680, 17, 20],
  // 1920 × 1080: larger type.
  [860, 17, 25],
])('%d px have %d rows of %d px a side', (availablePx, count, rowPx) => {
  const fit = fitRows(availablePx, false);
  expect([fit.count, fit.rowPx]).toEqual([count, rowPx]);
  expect(fit.restPx).toBe(availablePx - 2 * count * rowPx);
  expect(fit.isRoomy).toBe(availablePx > 760);
});

test('a tiny box has four rows, which are cut', () => {
  expect(fitRows(40, false)).toEqual({ count: 4, rowPx: 19, restPx: 0, isRoomy: false });
});

test.each([
  // 390 × 844, 360 × 640, and a phone on its side.
  [440, 8, 27],
  [240, 4, 30],
  [120, 2, 30],
  [40, 2, 26],
])('for fingers %d px have %d rows of %d px a side', (availablePx, count, rowPx) => {
  const fit = fitRows(availablePx, true);
  expect([fit.count, fit.rowPx]).toEqual([count, rowPx]);
});
