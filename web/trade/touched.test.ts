import { expect, test } from 'bun:test';
import { EMPTY_DRAFT } from './draft.ts';
import { keepTouched, showsOtherFields } from './touched.ts';

const touched = new Set(['amount', 'price', 'takeProfitPrice'] as const);
const draft = { ...EMPTY_DRAFT, price: 'x' };

test('another order type shows no faults, and new fields of the same type none while they are empty', () => {
  expect(keepTouched(touched, draft, true)).toEqual(new Set());
  expect(keepTouched(touched, draft, false)).toEqual(new Set(['price']));
});

test('only choices change the fields of the form', () => {
  expect(showsOtherFields({ hasAttached: true })).toBe(true);
  expect(showsOtherFields({ price: '1' })).toBe(false);
});
