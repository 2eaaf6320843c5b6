import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../test/check.ts';
import { Fixture } from '../../test/fixture.ts';
import { hashAuctionRules, hashCall, hashReference } from './auction/auctions.ts';
import { CommandKind, SYSTEM_ACTOR } from './command.ts';
import { mix, mixExact, mixNumber, mixText } from './digest.ts';
import { ENGINE_VERSION, Exchange } from './exchange.ts';
import { Account, type ApiKey, hashAccount, hashClientOrder, hashKey } from './ledger/accounts.ts';
import { hashTransfer } from './markets/administration.ts';
import { NO_AUCTIONS } from './markets/market-rules.ts';
import { hashAsset, hashBookSequence, hashLastPrice, hashMarket } from './markets/markets.ts';
import { exact } from './numbers/exact.ts';
import { hashBracketLegs, hashParent } from './orders/contingent/bracket-store.ts';
import { hashOco } from './orders/contingent/oco-links.ts';
import { hashDeadline } from './orders/endings/deadlines.ts';

const word = fc.integer();

function differs<T>(hash: (seed: number, value: T) => number, values: fc.Arbitrary<T>): void {
  const property = fc.property(word, values, values, (seed, a, b) => {
    fc.pre(a !== b);
    expect(hash(seed, a)).not.toBe(hash(seed, b));
  });
  check(property, 2_000);
}

test('different values have different hashes', () => {
  differs(mixExact, fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).map(exact));
  differs(mixNumber, fc.maxSafeInteger());
  differs(mixText, fc.string({ maxLength: 12 }));
});

test('no two words lead from the same hash to the same hash', () => {
  differs(mix, word);
  const property = fc.property(word, word, word, (a, b, value) => {
    fc.pre(a !== b);
    expect(mix(a, value)).not.toBe(mix(b, value));
  });
  check(property, 2_000);
});

test('every bit of an integer of any size affects the hash', () => {
  for (const value of [0n, 10n ** 18n, 10n ** 40n, -(10n ** 40n), -1n]) {
    for (let bit = 0n; bit < 200n; bit++) {
      expect(mixExact(5, exact(value))).not.toBe(mixExact(5, exact(value ^ (1n << bit))));
    }
  }
});

test('integers around the limits of 64 bits are distinguished', () => {
  const ends = [2n ** 63n, 2n ** 64n, 2n ** 127n, 2n ** 128n].flatMap((end) => [end, -end]);
  const values = ends.flatMap((end) => [-2n, -1n, 0n, 1n, 2n].map((step) => end + step));
  expect(new Set(values.map((value) => mixExact(5, value))).size).toBe(values.length);
});

test('every bit of a number affects the hash, including its fraction', () => {
  const bits = new BigUint64Array(1);
  const number = new Float64Array(bits.buffer);
  for (const value of [0, 1, 12_345, 1_700_000_000_000, Number.MAX_SAFE_INTEGER, -1]) {
    for (let bit = 0n; bit < 64n; bit++) {
      number[0] = value;
      bits[0]! ^= 1n << bit;
      expect(mixNumber(5, number[0]!)).not.toBe(mixNumber(5, value));
    }
  }
});

describe('any changed field changes the hash of', () => {
  /** Expects a different hash for the element and for each changed copy of it. */
  function expectApart<T>(hash: (element: T) => number, element: T, changes: Partial<T>[]): void {
    const all = [element, ...changes.map((change): T => ({ ...element, ...change }))];
    expect(new Set(all.map(hash)).size).toBe(all.length);
  }

  const [alice, bob] = [0, 1].map((index) => new Account(index, `a${index}`, 1, 5));

  test('an account', () => {
    const { index, id, limitClass, createdAt, frozen, feeTier } = alice!;
    expectApart<object>(
      (account) => hashAccount(account as Account),
      { index, id, limitClass, createdAt, frozen, feeTier },
      [
        { index: 1 },
        { id: 'b' },
        { limitClass: 2 },
        { createdAt: 6 },
        { frozen: true },
        { feeTier: 1 },
      ],
    );
  });

  test('a key', () => {
    const key: ApiKey = {
      index: 0,
      apiKey: 'k',
      account: alice!,
      secretHash: new Uint8Array([1, 2]),
      permissions: 1,
      label: 'l',
      addresses: ['1.2.3.4'],
      createdAt: 5,
      expiresAt: 0,
      revokedAt: 0,
    };
    expectApart(hashKey, key, [
      { index: 1 },
      { apiKey: 'm' },
      { account: bob! },
      { permissions: 2 },
      { label: 'm' },
      { secretHash: new Uint8Array([2, 2]) },
      { secretHash: new Uint8Array([1, 3]) },
      { addresses: [] },
      { addresses: ['1.2.3.5'] },
      { addresses: ['1.2.3.4', '1.2.3.4'] },
      { createdAt: 6 },
      { expiresAt: 1 },
      { revokedAt: 1 },
    ]);
  });

  test('a client order id', () => {
    const order = { account: alice!, clientOrderId: 'x', orderId: 1, fingerprint: 2, forgetAt: 3 };
    expectApart(hashClientOrder, order, [
      { account: bob! },
      { clientOrderId: 'y' },
      { orderId: 2 },
      { fingerprint: 3 },
      { forgetAt: 4 },
    ]);
  });

  test('an asset', () => {
    expectApart(hashAsset, { index: 0, asset: 'BTC', name: 'Bitcoin', decimals: 8 }, [
      { index: 1 },
      { asset: 'BTX' },
      { name: 'Bitcorn' },
      { decimals: 9 },
    ]);
  });

  test('a transfer', () => {
    const transfer = { id: 1, account: 2, asset: 3, amount: 4, reference: 'r', time: 5 };
    expectApart(hashTransfer, transfer, [
      { id: 2 },
      { account: 3 },
      { asset: 4 },
      { amount: 5 },
      { reference: 's' },
      { time: 6 },
    ]);
  });

  test('a market', () => {
    const rules = new Fixture().exchange.state.markets[0]!.rules;
    const market = { index: 0, symbol: 'A/B', status: 0, listedAt: 5, rules };
    type Hashed = typeof market;
    const hashed = Object.entries(rules).filter(([rule]) => !Object.hasOwn(NO_AUCTIONS, rule));
    const ruleChanges = hashed.map(([rule, value]) => ({
      rules: { ...rules, [rule]: Number(value) + 1 },
    }));
    expectApart<Hashed>(
      (element) => hashMarket(element as Parameters<typeof hashMarket>[0]),
      market,
      [{ index: 1 }, { symbol: 'A/C' }, { status: 1 }, { listedAt: 6 }, ...ruleChanges],
    );
    const auctions = { index: 0, staticBand: 1, dynamicBand: 2, auctionMs: 3 };
    expectApart<typeof auctions>(
      ({ index, ...each }) => hashAuctionRules(index, { ...rules, ...each }),
      auctions,
      [{ index: 1 }, { staticBand: 2 }, { dynamicBand: 3 }, { auctionMs: 4 }],
    );
    expect(hashAuctionRules(0, { ...rules, ...NO_AUCTIONS })).toBe(0);
    const moving = { index: 0, lastPrice: 1, bookSequence: 1 };
    const market1 = { index: 1 };
    expectApart<object>(
      (element) => hashLastPrice(element as Parameters<typeof hashLastPrice>[0]),
      moving,
      [market1, { lastPrice: 2 }],
    );
    expectApart<object>(
      (element) => hashBookSequence(element as Parameters<typeof hashBookSequence>[0]),
      moving,
      [market1, { bookSequence: 2 }],
    );
  });

  test('an auction and a static reference price', () => {
    const call = { market: 0, cause: 1, endsAt: 5, isExtended: false, nextStatus: 0 };
    expectApart<typeof call>(hashCall, call, [
      { market: 1 },
      { cause: 2 },
      { endsAt: 6 },
      { isExtended: true },
      { nextStatus: 2 },
    ]);
    const reference = { market: 0, price: 1, day: 2 };
    expectApart<typeof reference>(({ market, ...each }) => hashReference(market, each), reference, [
      { market: 1 },
      { price: 2 },
      { day: 3 },
    ]);
  });

  test('bracket legs, an OCO order, a parent and a deadline', () => {
    const leg = { price: 1, triggerPrice: 2 };
    const attached = { id: 1, takeProfit: leg, stopLoss: leg };
    type Attachment = { id: number; takeProfit: typeof leg | null; stopLoss: typeof leg | null };
    expectApart<Attachment>(({ id, ...legs }) => hashBracketLegs(id, legs as never), attached, [
      { id: 2 },
      { takeProfit: null },
      { stopLoss: null },
      { takeProfit: { ...leg, price: 3 } },
      { stopLoss: { ...leg, triggerPrice: 4 } },
    ]);
    for (const hash of [hashOco, hashParent]) {
      expect(new Set([hash(1, 2), hash(2, 1), hash(1, 3), hash(3, 2)]).size).toBe(4);
    }
    expectApart(hashDeadline, { account: 0, key: 0, market: 0, dueAt: 1 }, [
      { account: 1 },
      { key: 1 },
      { market: 1 },
      { dueAt: 2 },
    ]);
  });
});

test('a sandbox and a real exchange differ from the first command on', () => {
  const digests = [true, false].map((sandbox) => {
    const exchange = new Exchange();
    exchange.apply({ kind: CommandKind.open, version: ENGINE_VERSION, sandbox }, 1);
    return exchange.state.digest;
  });
  expect(digests[0]).not.toBe(digests[1]!);
});

test('the digest covers every number of the fee table', () => {
  const tier = { minVolume: 5, makerFee: 1, takerFee: 2 };
  const tables = [
    { asset: 1, tiers: [] },
    { asset: 0, tiers: [] },
    { asset: 1, tiers: [tier] },
    ...(['minVolume', 'makerFee', 'takerFee'] as const).map((part) => {
      return { asset: 1, tiers: [{ ...tier, [part]: 9 }] };
    }),
    { asset: 1, tiers: [tier, { ...tier, minVolume: 6 }] },
  ];
  const digests = tables.map((table) => {
    const fixture = new Fixture();
    expect(fixture.apply({ kind: CommandKind.setFeeTiers, ...SYSTEM_ACTOR, ...table }).kind).toBe(
      'done',
    );
    return fixture.exchange.state.digest;
  });
  expect(new Set(digests).size).toBe(tables.length);
});
