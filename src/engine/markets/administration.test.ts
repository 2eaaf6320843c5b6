import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, BTC, createKey, Fixture, placed, USDT } from '../../../test/fixture.ts';
import { type Command, CommandKind, type ListMarket, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { ENGINE_VERSION, Exchange } from '../exchange.ts';
import { MAX_ASSET_TOTAL } from '../limits.ts';
import { InvariantError, RejectionCode, rejected } from '../rejection.ts';
import { ALL_PERMISSIONS, EntryType, MarketStatus, Permission } from '../terms.ts';

function expectRefusal(outcome: Outcome, code: RejectionCode): void {
  expect(outcome).toMatchObject({ kind: 'rejected', code });
}

test('a frozen account neither places nor cancels; its orders stay and trade', () => {
  const fixture = new Fixture();
  const { id } = placed(fixture.buy(ALICE, 2, 100));
  const freeze = (frozen: boolean) =>
    fixture.apply({ kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, owner: ALICE, frozen });
  freeze(true);
  expectRefusal(fixture.buy(ALICE, 1, 100), RejectionCode.accountFrozen);
  expectRefusal(fixture.cancel(ALICE, id), RejectionCode.accountFrozen);
  fixture.sell(BOB, 1, 100);
  expect(fixture.trades()).toBe('1@100');
  freeze(false);
  expect(fixture.cancel(ALICE, id).kind).toBe('order');
});

describe('a transfer', () => {
  test('credits and debits an account', () => {
    const fixture = new Fixture();
    fixture.transfer(ALICE, USDT, 50);
    expect(fixture.events).toMatchObject([
      { type: EntryType.transfer, amount: 50, after: 100_050, account: ALICE, asset: USDT },
    ]);
    fixture.transfer(ALICE, USDT, -100_050);
    expect(fixture.balances(ALICE)).toBe('1000+0 0+0');
    expect(fixture.exchange.state.ledger.external[USDT]).toBe(-200_000);
  });

  test('with the same reference happens once', () => {
    const fixture = new Fixture();
    const first = fixture.transfer(ALICE, USDT, 50, 'wire 7');
    const again = fixture.transfer(ALICE, USDT, 50, 'wire 7');
    if (first.kind !== 'transfer' || again.kind !== 'transfer') throw new Error('rejected');
    expect(again).toEqual({ ...first, created: false });
    expect(fixture.events).toEqual([]);
    for (const [owner, asset, amount] of [
      [BOB, USDT, 50],
      [ALICE, BTC, 50],
      [ALICE, USDT, 51],
      [ALICE, USDT, -50],
    ] as const) {
      expectRefusal(
        fixture.transfer(owner, asset, amount, 'wire 7'),
        RejectionCode.duplicateReference,
      );
    }
    expect(fixture.balances(ALICE)).toBe('1000+0 100050+0');
  });

  test('debits at most the available balance, to the last unit', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 1, 100);
    expect(fixture.transfer(ALICE, USDT, -99_901)).toEqual({
      kind: 'rejected',
      code: RejectionCode.insufficientBalance,
      required: 99_901,
      available: 99_900,
      asset: USDT,
    });
    expect(fixture.transfer(ALICE, USDT, -99_900).kind).toBe('transfer');
  });

  test('keeps the total of an asset below the maximum, to the last unit', () => {
    const fixture = new Fixture();
    const remaining = MAX_ASSET_TOTAL - 300_000n;
    const tooMuch = rejected(RejectionCode.amountOutOfBounds, 'maxTotal');
    const before = fixture.exchange.state.digest;
    expect(fixture.transfer(ALICE, USDT, remaining)).toEqual(tooMuch);
    expect(fixture.transfer(ALICE, USDT, 10n ** 300n)).toEqual(tooMuch);
    expect(fixture.exchange.state.digest).toBe(before);
    expect(fixture.transfer(ALICE, USDT, remaining - 1n).kind).toBe('transfer');
    expect(fixture.transfer(BOB, USDT, 1)).toEqual(tooMuch);
    expect(fixture.transfer(BOB, BTC, 1).kind).toBe('transfer');
    // A withdrawal frees capacity.
    expect(fixture.transfer(BOB, USDT, -1).kind).toBe('transfer');
    expect(fixture.transfer(ALICE, USDT, 1).kind).toBe('transfer');
  });

  test('of zero, to an unknown account or of an unknown asset is rejected', () => {
    const fixture = new Fixture();
    expectRefusal(fixture.transfer(ALICE, USDT, 0), RejectionCode.amountOutOfBounds);
    expectRefusal(fixture.transfer(9, USDT, 1), RejectionCode.unknownAccount);
    expectRefusal(fixture.transfer(ALICE, 9, 1), RejectionCode.unknownAsset);
  });
});

describe('a listing', () => {
  function list(terms: Partial<ListMarket>): Outcome {
    const fixture = new Fixture();
    for (const [asset, decimals] of [
      ['ETH', 8],
      ['USD', 6],
    ] as const) {
      fixture.apply({
        kind: CommandKind.createAsset,
        ...SYSTEM_ACTOR,
        asset,
        name: asset,
        decimals,
      });
    }
    return fixture.apply({
      kind: CommandKind.listMarket,
      ...SYSTEM_ACTOR,
      symbol: 'ETH/USD',
      base: 'ETH',
      quote: 'USD',
      priceDecimals: 2,
      amountDecimals: 4,
      tick: 5,
      step: 10,
      minPrice: 5,
      maxPrice: 1_000,
      minAmount: 10,
      maxAmount: 1_000,
      minNotional: 0,
      makerFee: 0,
      takerFee: 100_000,
      collar: 0,
      referencePrice: 500,
      ...terms,
    });
  }

  test('with valid rules is accepted', () => {
    expect(list({})).toMatchObject({ kind: 'market', market: { symbol: 'ETH/USD', status: 0 } });
  });

  test.each<[string, Partial<ListMarket>]>([
    ['a step of one minor unit of the base', { amountDecimals: 8, priceDecimals: -2 }],
    ['one price only', { minPrice: 500, maxPrice: 500 }],
    ['one amount only', { minAmount: 10, maxAmount: 10 }],
    ['the maximum fees and collar', { makerFee: 100_000, collar: 1_000_000 }],
    ['a rebate of the whole taker fee', { makerFee: -1_000, takerFee: 1_000 }],
    ['the largest amount that is exact', { step: 1, maxAmount: 2 ** 53 - 1 }],
  ])('with %s', (_, terms) => {
    expect(list(terms).kind).toBe('market');
  });

  test.each<[string, Partial<ListMarket>]>([
    ['step has more decimals than the base', { amountDecimals: 9, priceDecimals: 0 }],
    ['tick times step is not a whole number of minor units', { amountDecimals: 5 }],
    ['a zero tick', { tick: 0 }],
    ['a negative step', { step: -10 }],
    ['minPrice off the grid', { minPrice: 6 }],
    ['maxPrice off the grid', { maxPrice: 1_001 }],
    ['minAmount off the grid', { minAmount: 11 }],
    ['maxAmount off the grid', { maxAmount: 1_001 }],
    ['minPrice above maxPrice', { minPrice: 1_000, maxPrice: 5 }],
    ['minAmount above maxAmount', { minAmount: 1_000, maxAmount: 10 }],
    ['referencePrice off the grid', { referencePrice: 501 }],
    ['a negative minNotional', { minNotional: -1 }],
    ['a rebate above the taker fee', { makerFee: -1_000, takerFee: 999 }],
    ['a rebate above a tenth', { makerFee: -100_001, takerFee: 100_000 }],
    ['a negative taker fee', { makerFee: 1, takerFee: -1 }],
    ['a taker fee above a tenth', { takerFee: 100_001 }],
    ['a maker fee of half a millionth', { makerFee: 0.5 }],
    ['a negative collar', { collar: -1 }],
    ['a collar above the whole price', { collar: 1_000_001 }],
    ['a collar of half a millionth', { collar: 0.5 }],
    ['beyond exact integers', { maxAmount: 2 ** 53 + 10 * 1024 }],
  ])('%s', (_, terms) => {
    expectRefusal(list(terms), RejectionCode.invalidRules);
  });

  test('of an asset against itself is rejected', () => {
    expectRefusal(list({ base: 'USD', amountDecimals: 0 }), RejectionCode.invalidRules);
  });

  test('of an unknown asset, or for the second time, is rejected', () => {
    expectRefusal(list({ base: 'DOGE' }), RejectionCode.unknownAsset);
    expectRefusal(list({ base: 'BTC', quote: 'USDT' }), RejectionCode.alreadyExists);
  });
});

test("a market's status cannot be set to delisted, nor that of an unknown market", () => {
  const fixture = new Fixture();
  const set = (market: number, status: number) =>
    fixture.apply({ kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, market, status });
  expectRefusal(set(0, MarketStatus.delisted), RejectionCode.invalidRules);
  expectRefusal(set(1, MarketStatus.halted), RejectionCode.unknownMarket);
});

describe('at the limits', () => {
  const createAsset = (asset: string, decimals = 8): Command => {
    return { kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset, name: 'New', decimals };
  };
  const createAccount = (accountId: string, limitClass = 1): Command => {
    return { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass };
  };

  test.each<[string, Command, Command]>([
    ['decimals', createAsset('NEW', 22), createAsset('NEW', 23)],
    ['decimals', createAsset('NEW', 0), createAsset('NEW', -1)],
    ['a ticker', createAsset('ABCDEFGHIJ12'), createAsset('ABCDEFGHIJ123')],
    [
      'the same asset again',
      { ...createAsset('BTC', 0), name: 'BTC' } as Command,
      createAsset('BTC', 0),
    ],
    ['a limit class', createAccount('new', 1), createAccount('new', 0)],
    ['a limit class', createAccount('new', 1000), createAccount('new', 1001)],
    ['an account id', createAccount('a'.repeat(64)), createAccount('a'.repeat(65))],
    ['the same account again', createAccount('bob', 1), createAccount('bob', 2)],
  ])('%s', (_, allowed, invalid) => {
    expect(new Fixture().apply(allowed).kind).not.toBe('rejected');
    expect(new Fixture().apply(invalid).kind).toBe('rejected');
  });

  test.each([
    [1, true],
    [7, true],
    [0, false],
    [ALL_PERMISSIONS, true],
    [ALL_PERMISSIONS + 1, false],
  ])('permissions %d: %p', (permissions, isAllowed) => {
    const addresses = ['127.0.0.1'];
    const create = () => createKey(new Fixture(), { permissions, addresses });
    if (isAllowed) expect(create()).toBe(0);
    else expect(create).toThrow();
  });
});

test('the last operator key cannot be revoked until there is another one', () => {
  const fixture = new Fixture();
  const revoke = (apiKey: string) =>
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey }).kind;
  createKey(fixture, { apiKey: 'first', permissions: Permission.operate });
  createKey(fixture, { apiKey: 'trader' });
  createKey(fixture, { apiKey: 'short', permissions: 7, expiresAt: fixture.time + 10 });
  expect(revoke('short')).toBe('key');
  expect(revoke('first')).toBe('rejected');
  createKey(fixture, { apiKey: 'brief', permissions: 7, expiresAt: fixture.time + 10 });
  fixture.wait(10);
  expect(revoke('first')).toBe('rejected');
  expect(revoke('trader')).toBe('key');
  createKey(fixture, { apiKey: 'second', permissions: 5 });
  const { keyRestrictions } = fixture.exchange.state;
  expect(revoke('first')).toBe('key');
  expect(revoke('first')).toBe('key');
  expect(fixture.exchange.state.keyRestrictions).toBe(keyRestrictions + 1);
  expect(revoke('none')).toBe('rejected');
});

describe('a log', () => {
  test('opens an exchange once', () => {
    const open: Command = { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false };
    const exchange = new Exchange();
    exchange.apply(open, 1);
    expect(() => exchange.apply(open, 2)).toThrow(InvariantError);
  });

  test('of a newer engine is rejected', () => {
    const open: Command = { kind: CommandKind.open, version: ENGINE_VERSION + 1, sandbox: false };
    expect(() => new Exchange().apply(open, 1)).toThrow('start a newer release');
  });

  test('is upgraded by a command, never downgraded, never beyond the version of this release', () => {
    const exchange = new Exchange();
    exchange.apply({ kind: CommandKind.open, version: 1, sandbox: false }, 1);
    const before = exchange.state.digest;
    const upgrade = (version: number) =>
      exchange.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version }, 1);
    upgrade(ENGINE_VERSION);
    expect(exchange.state.version).toBe(ENGINE_VERSION);
    expect(exchange.state.digest).not.toBe(before);
    upgrade(1);
    expect(exchange.state.version).toBe(ENGINE_VERSION);
    expect(() => upgrade(ENGINE_VERSION + 1)).toThrow('start a newer release');
  });
});
