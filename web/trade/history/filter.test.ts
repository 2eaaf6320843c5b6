import { describe, expect, test } from 'bun:test';
import { countFilters, findPeriod, NO_FILTER, selects } from './filter.ts';

const ORDER = {
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  status: 'filled',
  timestamp: '2026-01-31T23:59:59.999Z',
};

describe('a filter of the history', () => {
  test('selects everything when it is empty', () => {
    expect(countFilters(NO_FILTER)).toBe(0);
    expect(selects(NO_FILTER, ORDER, true)).toBe(true);
  });

  test.each([
    [{ symbol: 'BTC/USDT' }, true],
    [{ symbol: 'ETH/USDT' }, false],
    [{ side: 'sell' }, false],
    [{ type: 'limit', status: 'filled' }, true],
    [{ type: 'market' }, false],
    [{ status: 'canceled' }, false],
    [{ from: '2026-01-31', to: '2026-01-31' }, true],
    [{ from: '2026-02-01' }, false],
    [{ to: '2026-01-30' }, false],
  ] as const)('%p selects an order: %p', (change, isSelected) => {
    expect(selects({ ...NO_FILTER, ...change }, ORDER, true)).toBe(isSelected);
  });

  test('ignores type and status for fills, which have neither', () => {
    const { symbol, side, timestamp } = ORDER;
    const filter = { ...NO_FILTER, type: 'market', status: 'expired' } as const;
    expect(selects(filter, { symbol, side, timestamp }, true)).toBe(true);
  });

  test('includes the whole last day, also over the end of a month', () => {
    expect(findPeriod({ from: '2026-01-31', to: '2026-02-28' }, true)).toEqual({
      since: Date.parse('2026-01-31T00:00:00.000Z'),
      until: Date.parse('2026-02-28T23:59:59.999Z'),
    });
  });

  test('counts days in the local time zone', () => {
    expect(findPeriod({ from: '2026-03-01', to: '' }, false)).toEqual({
      since: new Date(2026, 2, 1).getTime(),
    });
  });
});
