import { expect, test } from 'bun:test';
import { snapPrice } from './magnet.ts';

const candle = { open: 100, high: 130, low: 80, close: 110 };
/** A pixel per unit of price. */
const heightAt = (price: number) => 200 - price;

test('the magnet takes the nearest price of a candle within 8 pixels', () => {
  const at = (price: number) => snapPrice(candle, heightAt(price), heightAt);
  expect(at(133)).toBe(130);
  expect(at(104)).toBe(100);
  expect(at(106)).toBe(110);
  expect(at(72)).toBe(80);
  expect(at(71)).toBeUndefined();
  expect(at(120)).toBeUndefined();
});
