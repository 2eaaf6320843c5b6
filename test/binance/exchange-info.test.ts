import { expect, test } from 'bun:test';
import { BinanceVenue } from './venue.ts';

/** The largest amount of money in 64 bits with 9 decimals, which is what nautilus_trader can hold on some systems. */
const MAX_MONEY = 2 ** 63 / 1e9;

test('the limits of orders fit what clients can hold', async () => {
  const venue = await BinanceVenue.open();
  try {
    const { json } = await venue.get('/api/v3/exchangeInfo');
    expect(json.symbols.length).toBeGreaterThan(0);
    for (const { filters } of json.symbols) {
      const [price, lot, notional] = filters;
      expect([price.filterType, lot.filterType]).toEqual(['PRICE_FILTER', 'LOT_SIZE']);
      expect(notional.filterType).toBe('NOTIONAL');
      expect(notional.maxNotional).toMatch(/^\d+\.\d{8}$/);
      expect(Number(notional.maxNotional)).toBeLessThan(MAX_MONEY);
      expect(Number(notional.maxNotional)).toBeGreaterThan(Number(notional.minNotional));
    }
  } finally {
    await venue.close();
  }
});
