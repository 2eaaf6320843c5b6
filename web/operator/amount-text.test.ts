import { expect, test } from 'bun:test';
import { alignedParts, amountParts } from './amount-text.ts';

test.each([
  ['-40002012000', '−40,002,012,000', '−40,002,012,000'],
  ['400179.295967432604', '400,179.2960', '400,179.295967432604'],
  ['-1.00005', '−1.0001', '−1.00005'],
  ['0.000012345678', '0.000012345678', '0.000012345678'],
  ['62053.96', '62,053.96', '62,053.96'],
])('%s is shown as %s', (text, shown, exact) => {
  expect(amountParts(text)).toEqual({ shown, exact });
});

test.each([
  ['0.5360214412219', 13, '0.5360214412219', '', ''],
  ['20.716411872', 13, '20.716411872', '0000', ''],
  ['-8004000', 8, '−8,004,000', '.00000000', '00000'],
  ['0', 8, '0', '.00000000', '00000'],
  ['1000', 0, '1,000', '', '.0000000000000'],
  ['0.12345678901239', 13, '0.1234567890123', '', ''],
])('%s with %s decimals fills its column', (text, decimals, digits, zeros, padding) => {
  expect(alignedParts(text, decimals, 13)).toEqual({ digits, zeros, padding });
});
