import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { ALICE, BOB, BTC, CAROL, Fixture, placed, USDT } from '../../../test/fixture.ts';
import { auditAssets } from '../audit/audit.ts';
import { exact } from '../numbers/exact.ts';
import { InvariantError } from '../rejection.ts';
import { feeOn } from './ledger.ts';

describe('the fee', () => {
  const received = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 7n }),
    fc.bigInt({ min: 2n ** 53n - 10n ** 7n, max: 2n ** 53n + 10n ** 7n }),
    fc.bigInt({ min: 0n, max: 10n ** 60n }),
  );

  test('is the smallest integer not below the rate', () => {
    const property = fc.property(received, fc.nat(100_000), (amount, rate) => {
      const share = amount * BigInt(rate);
      const fee = BigInt(feeOn(exact(amount), rate));
      expect(fee * 1_000_000n).toBeGreaterThanOrEqual(share);
      expect((fee - 1n) * 1_000_000n).toBeLessThan(share);
      expect(fee).toBeLessThanOrEqual(amount);
    });
    check(property, 2_000);
  });

  test.each([
    [0n, 1_000, 0n],
    [1n, 1, 1n],
    [1n, 0, 0n],
    [1_000_000n, 1, 1n],
    [1_000_001n, 1, 2n],
    [2n ** 53n - 1n, 100_000, 900_719_925_474_100n],
    [2n ** 53n, 100_000, 900_719_925_474_100n],
  ])('on %d at %d parts per million is %d', (amount, rate, fee) => {
    expect(feeOn(exact(amount), rate)).toBe(exact(fee));
  });
});

test('deposits are in accounts and fees: the totals of every asset add up to zero', () => {
  const fixture = new Fixture({ makerFee: 1_000, takerFee: 2_000 });
  fixture.sell(BOB, 7, 123);
  fixture.buy(ALICE, 9, 123);
  fixture.transfer(CAROL, USDT, -99n);
  expect(auditAssets(fixture.exchange.state)).toEqual([
    {
      asset: 'BTC',
      decimals: 0,
      available: 2_999,
      held: 0,
      fees: 1,
      external: -3_000,
      balances: true,
    },
    {
      asset: 'USDT',
      decimals: 0,
      available: 299_654,
      held: 246,
      fees: 1,
      external: -299_901,
      balances: true,
    },
  ]);
});

describe('a state that contradicts itself stops the exchange', () => {
  test('if an order releases more than is held', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 2, 100));
    fixture.exchange.state.accounts[ALICE]!.balances[USDT]!.held = 199;
    expect(() => fixture.cancel(ALICE, id)).toThrow(InvariantError);
  });

  test('if the hold of a maker is gone when it trades', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 100);
    fixture.exchange.state.accounts[BOB]!.balances[BTC]!.held = 1;
    expect(() => fixture.buy(ALICE, 2, 100)).toThrow(InvariantError);
  });

  test('if more would be paid than is available', () => {
    const fixture = new Fixture();
    const { ledger, accounts } = fixture.exchange.state;
    expect(() => ledger.hold(accounts[ALICE]!, USDT, 100_001n, 1)).toThrow(InvariantError);
  });
});
