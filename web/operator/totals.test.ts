import { expect, test } from 'bun:test';
import { coveredPercent } from './totals.ts';

test.each([
  ['100', '100', '0', '100.00%'],
  ['100', '99.99999999', '0', '99.99%'],
  ['100', '99', '1', '100.00%'],
  ['3', '4', '0', '133.33%'],
  ['0', '0', '0', '100.00%'],
  ['1000000000000000.00000001', '1000000000000000', '0', '99.99%'],
])('owed %s, held %s, on their way %s: %s', (liabilities, holdings, inFlight, expected) => {
  expect(coveredPercent({ liabilities, holdings, inFlight })).toBe(expected);
});
