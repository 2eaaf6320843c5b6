import { expect, test } from 'bun:test';
import { amountParts } from './amount-text.ts';

test.each([
  ['-40002012000', '−40,002,012,000', '−40,002,012,000'],
  ['400179.295967432604', '400,179.2960', '400,179.295967432604'],
  ['-1.00005', '−1.0001', '−1.00005'],
  ['0.000012345678', '0.000012345678', '0.000012345678'],
  ['62053.96', '62,053.96', '62,053.96'],
])('%s is shown as %s', (text, shown, exact) => {
  expect(amountParts(text)).toEqual({ shown, exact });
});
