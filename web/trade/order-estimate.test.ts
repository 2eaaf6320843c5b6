import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import { type Draft, EMPTY_DRAFT, expiryMs, type OrderContext } from './draft.ts';
import { estimate, type TestedPart, usedPercent } from './order-estimate.ts';
import type { ExactMarket } from './records.ts';

const CONTEXT: OrderContext = {
  market: { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', stepSize: '0.001' } as ExactMarket,
  last: new Big('100'),
  asks: [
    ['101', '1'],
    ['102', '2'],
    ['110', '5'],
  ],
  bids: [['99', '1']],
  available: { base: new Big('8'), quote: new Big('1000') },
  nowMs: 0,
};
const RATES = { makerFee: '0.001', takerFee: '0.002' };
const DECIMALS = { base: 8, quote: 8 };
const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, amount: '3', ...change });
const read = (change: Partial<Draft>, tested?: TestedPart) => {
  const found = estimate(draft(change), CONTEXT, RATES, DECIMALS, tested)!;
  return {
    filled: found.immediate.amount.toFixed(),
    total: found.total.toFixed(),
    fee: found.fee.cost.toFixed(),
    received: found.received.toFixed(),
    shortage: found.shortage,
  };
};

describe('limit orders that match on arrival', () => {
  test('take the prices of the book, not their limit price', () => {
    expect(read({ price: '105' })).toEqual({
      ...{ filled: '3', total: '305', fee: '0.006', received: '2.994', shortage: undefined },
    });
  });

  test('rest with the remainder, which pays the maker fee', () => {
    expect(read({ price: '101', amount: '3' })).toEqual({
      ...{ filled: '1', total: '303', fee: '0.004', received: '2.996', shortage: undefined },
    });
    expect(read({ price: '105', postOnly: true }).filled).toBe('0');
  });

  test('end there with IOC, and do nothing with FOK', () => {
    const ioc = read({ price: '101', timeInForce: 'IOC' });
    expect(ioc).toMatchObject({ filled: '1', total: '101', shortage: 'liquidity' });
    const fok = read({ price: '101', timeInForce: 'FOK' });
    expect(fok).toMatchObject({ filled: '0', total: '0', received: '0', shortage: 'liquidity' });
  });

  test('are as the exchange tested them', () => {
    const fees = [{ asset: 'BTC', cost: '0.0041' }];
    const whole = { status: 'filled', filled: '3', remaining: '0', cost: '304.5', fees } as const;
    expect(read({ price: '105' }, whole)).toEqual({
      ...{ filled: '3', total: '304.5', fee: '0.0041', received: '2.9959', shortage: undefined },
    });
    const part = { ...whole, status: 'open', filled: '2', remaining: '1', cost: '203' } as const;
    expect(read({ price: '105' }, part)).toEqual({
      ...{ filled: '2', total: '308', fee: '0.0051', received: '2.9949', shortage: undefined },
    });
  });
});

test('the share of the balance follows a typed amount', () => {
  const share = (change: Partial<Draft>) => usedPercent(draft(change), CONTEXT);
  expect(share({ price: '100', amount: '4.5' })).toBe(45);
  expect(share({ price: '100', amount: '45' })).toBe(100);
  expect(share({ side: 'sell', price: '100', amount: '2' })).toBe(25);
  expect(share({ type: 'market', cost: '330', amount: '' })).toBe(33);
  expect(share({ amount: '' })).toBeUndefined();
});

test('an expiry time is one of the clock that the user chose', () => {
  expect(expiryMs('2026-01-05T10:00', 'utc')).toBe(Date.UTC(2026, 0, 5, 10));
  expect(expiryMs('2026-01-05T10:00', 'local')).toBe(new Date(2026, 0, 5, 10).getTime());
  expect(expiryMs('', 'utc')).toBeNaN();
});
