import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check } from '../../../test/check.ts';
import { ALICE, BOB, CAROL, Fixture, limitOrder, placed } from '../../../test/fixture.ts';
import { SMALL_PORTION, withPortion } from '../../../test/portions.ts';
import { expectSame, plainOutcome, readState } from '../../../test/reference/compare.ts';
import { listCommands, scenario } from '../../../test/reference/scenario.ts';
import { withLittleMemory } from '../../../test/reference/with-little-memory.ts';
import { auditState } from '../audit/audit.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { ENGINE_VERSION, Exchange } from '../exchange.ts';
import { MAX_ASSET_TOTAL, MAX_UNITS, PORTION } from '../limits.ts';
import { InvariantError } from '../rejection.ts';
import { Side, TimeInForce } from '../terms.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

withLittleMemory();

test.each([
  ['', PORTION, 200],
  [' in small portions', SMALL_PORTION, 150],
])(
  'a loaded snapshot equals the original exchange and continues like it%s',
  (_, portion, runs) => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });
    const property = fc.property(scenario(80), cuts, (run, parts) => {
      const commands = listCommands(run);
      const places = new Set(parts.map((part) => Math.floor(part * commands.length)));
      const live = new Exchange();
      let loaded = new Exchange();
      commands.forEach(({ command, time }, place) => {
        if (places.has(place)) loaded = reload(loaded, live);
        expectSame(
          plainOutcome(loaded.apply(command, time)),
          plainOutcome(live.apply(command, time)),
        );
        expectSame(loaded.events, live.events);
      });
      reload(loaded, live);
    });
    withPortion({ ...portion }, () => check(property, runs));
  },
  CHECK_TIMEOUT_MS,
);

/** Writes and reads a snapshot of `exchange`, which must equal `live`. */
function reload(exchange: Exchange, live: Exchange): Exchange {
  const bytes = writeSnapshot(exchange);
  expectSame(bytes, writeSnapshot(live));
  const loaded = readSnapshot(bytes);
  expect(loaded.state.digest).toBe(live.state.digest);
  expectSame(writeSnapshot(loaded), bytes);
  expectSame(readState(loaded), readState(live));
  auditState(loaded.state);
  return loaded;
}

test('an empty exchange has a snapshot', () => {
  const loaded = readSnapshot(writeSnapshot(new Exchange()));
  expect(loaded.state.digest).toBe(new Exchange().state.digest);
});

test('a snapshot contains the changes of operators to accounts and keys', () => {
  const exchange = new Exchange();
  const apply = (command: Command) => exchange.apply(command, 1_000);
  apply({ kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false });
  for (const accountId of ['frozen', 'free']) {
    apply({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 3 });
  }
  for (const [owner, addresses] of [
    [0, ['10.0.0.1', '::1']],
    [1, []],
  ] as const) {
    apply({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner,
      apiKey: `key-${owner}`,
      permissions: 5,
      secretHash: new Uint8Array(32).fill(7),
      label: 'l',
      addresses,
      expiresAt: 2_000,
    });
  }
  apply({ kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, owner: 0, frozen: true });
  apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'key-0' });
  const { state } = reload(exchange, exchange);
  expect(state.sandbox).toBe(false);
  expect(state.accounts.map(({ frozen }) => frozen)).toEqual([true, false]);
  expect(state.keys.map((key) => key?.revokedAt)).toEqual([1_000, 0]);
});

test('the largest numbers keep every digit', () => {
  const fixture = new Fixture({ maxAmount: MAX_UNITS, maxPrice: MAX_UNITS });
  const { external } = fixture.exchange.state.ledger;
  const funds = MAX_ASSET_TOTAL + BigInt(external[1]!) - 1n;
  fixture.transfer(ALICE, 1, funds);
  const price = 10 ** 14;
  const { id } = placed(fixture.buy(ALICE, MAX_UNITS, price));
  const loaded = readSnapshot(writeSnapshot(fixture.exchange));
  expect(loaded.state.openOrder(id)).toEqual(fixture.exchange.state.openOrder(id));
  expect(loaded.state.accounts[ALICE]!.balances[1]!.available).toBe(
    100_000n + funds - BigInt(MAX_UNITS) * BigInt(price),
  );
});

test('orders at the same price keep their order, even if partly filled', () => {
  const fixture = new Fixture();
  for (const amount of [3, 1, 2]) fixture.buy(BOB, amount, 100);
  fixture.sell(ALICE, 1, 100);
  const again = new Fixture();
  Object.assign(again, {
    exchange: readSnapshot(writeSnapshot(fixture.exchange)),
    time: fixture.time,
  });
  expect(again.book()).toBe('2@100 1@100 2@100 |');
});

test('OCO orders, brackets, volumes and deadlines are written sorted, whatever their history', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const pair = (price: number, triggerPrice: number) =>
    fixture.apply({
      kind: CommandKind.placeOco,
      ...SYSTEM_ACTOR,
      account: ALICE,
      market: 0,
      side: Side.sell,
      amount: 1,
      expiresAt: 0,
      selfTradePrevention: 0,
      clientOrderId: null,
      takeProfit: { price, triggerPrice: 0 },
      stopLoss: { price: 85, triggerPrice },
    });
  for (const price of [110, 111, 112]) expect(pair(price, 90).kind).toBe('oco');
  const amend = { ...SYSTEM_ACTOR, account: ALICE, price: 0, amount: 0, triggerPrice: 0 };
  const attached = { takeProfit: { price: 130, triggerPrice: 0 }, stopLoss: null };
  for (const price of [90, 91, 92, 93]) {
    const order = limitOrder(BOB, Side.buy, 1, price);
    fixture.apply({ kind: CommandKind.placeBracket, order, attached });
  }
  fixture.apply({ ...amend, kind: CommandKind.amendOrder, account: BOB, orderId: 7, price: 89 });
  const table = { asset: 1, tiers: [{ minVolume: 1, makerFee: 0, takerFee: 0 }] };
  fixture.apply({ kind: CommandKind.setFeeTiers, ...SYSTEM_ACTOR, ...table });
  fixture.sell(CAROL, 2, 92);
  fixture.sell(CAROL, 1, 100);
  fixture.buy(BOB, 1, 100);
  fixture.sell(BOB, 1, 100);
  fixture.buy(ALICE, 1, 100);
  for (const [account, timeoutMs] of [
    [CAROL, 9],
    [ALICE, 9],
    [BOB, 5],
  ] as const) {
    const silence = { ...SYSTEM_ACTOR, account, market: 0, timeoutMs };
    fixture.apply({ kind: CommandKind.cancelAfter, ...silence });
  }
  const loaded = reload(fixture.exchange, fixture.exchange);
  const { state } = fixture.exchange;
  const { attachments, links } = state;
  expect([links.size, attachments.size]).toEqual([6, 10]);
  // Moves the first of each to the end by adding it again.
  const holding = links.get(state.index.find(1))!.holds ? 1 : 2;
  state.unlinkOco(state.index.find(1));
  state.linkOco(state.index.find(holding), state.index.find(3 - holding));
  const firstVisited = (visit: (each: (slot: number) => void) => void) => {
    const slots: number[] = [];
    visit((slot) => slots.push(slot));
    expect(slots.length).toBe(2);
    return slots[0]!;
  };
  const parent = firstVisited((each) => attachments.forEachAttached(each));
  const legs = attachments.get(parent)!;
  attachments.detach(parent);
  attachments.attach(parent, legs);
  const child = firstVisited((each) => attachments.forEachParent(each));
  const parentId = attachments.parent(child);
  attachments.forget(child);
  attachments.setParent(child, parentId);
  const [leg, otherId] = [state.index.find(1), 2];
  expect(attachments.otherLeg(leg)).toBe(otherId);
  attachments.forget(leg);
  attachments.setOtherLeg(leg, otherId);
  reload(loaded, fixture.exchange);
});

test("an account's open orders are sorted by the time they were placed", () => {
  const fixture = new Fixture();
  for (const price of [100, 102, 99, 101]) fixture.buy(ALICE, 1, price);
  fixture.sell(ALICE, 1, 200);
  fixture.buy(ALICE, 1, 98, { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 5 });
  const { state } = readSnapshot(writeSnapshot(fixture.exchange));
  const ids = state.accountOpenOrders(state.accounts[ALICE]!).map((order) => order.id);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a snapshot from before keys could sign is opened', () => {
  const bytes = Bun.gunzipSync(Buffer.from(FORMAT_6, 'base64'));
  expect(bytes[0]).toBe(6);
  const { state } = readSnapshot(bytes);
  expect(state.keys.map((key) => [key?.apiKey, key?.publicKey])).toEqual([
    ['a', undefined],
    ['b', undefined],
  ]);
  expect(state.accountOpenOrders(state.accounts[ALICE]!)).toHaveLength(1);
  expect(state.signatures.size).toBe(0);
});

/** The snapshot of an exchange with two keys and an order. */
const FORMAT_6 =
  'H4sIAAAAAAAAA2NjYmBgYGRgaAj7t6fCiQECHCDUB3sILQPlKziAFDMzOIU4gwkGEBcMIIyC5QdYGEKDXUIgJJp0g7' +
  '/QQUaoAIzGBDA7UemGFj1HFPGOw1A3oYNIuDjUdhUHNM8hbGJmYGBgZUjMyUxOBTvo/////2GKYW6H0A79YK/D3Q7m' +
  'OIT/gIoeKHJgZkjKTyLHFIYsmClg1yQnFuXnUGwOiAHjMDIkgigFBsIArh9rgIHtYmRIopJpbHAWLK6R/MfBYKBgoG' +
  'BoYGCALWmieJqLwUDBEKwUXTGHAyOmuYZYzRUAK0Uz1xCHuSLwgEYy1wiruRJgpWjmGuEwFzlfwNIxB3I6hwUUSBCm' +
  'EXvgQhIPLvDB/gQDA0MKPk2BW9ImAQC63yX2HAQAAA==';

test('a snapshot from before keys could sign with HMAC and books had the time of their last change is opened', () => {
  const bytes = Bun.gunzipSync(Buffer.from(FORMAT_7, 'base64'));
  expect(bytes[0]).toBe(7);
  const { state } = readSnapshot(bytes);
  expect(state.keys.map((key) => [key?.apiKey, key?.publicKey, key?.sealedSecret])).toEqual([
    ['a', undefined, undefined],
    ['b', new Uint8Array(32).fill(7), undefined],
  ]);
  expect(state.signatures.size).toBe(1);
  const [market] = state.markets;
  expect([market!.bookSequence, market!.bookChangedAt]).toEqual([1, 0]);
});

/** The snapshot of an exchange with a key with a secret, one that signs, a used signature and an order. */
const FORMAT_7 =
  'H4sIAAAAAAAAA2NnYmBgYGRgaAj7t6fCiQECHCDUB3sILQPlKziAFDMzOIU4gwkGEBcMIIyC5QdYGEKDXUIgJJp0g7/QQUaoAI' +
  'zGBDA7UemGFj1HFPGOw1A3oYNIuDjUdhUHNM8hbGJmYGBgZUjMyUxOBTvo/////2GKYW6H0A79YK/D3Q7mHEj+ARONdGBmSMpP' +
  'IscUhiy4KSDXJCcW5edQbA6IAeMwMiSCKAUG4gDcDKyBBraPkSEJxgWZyk4AEDCRDc6CxTmSPzkYDBQMFAwNDAywJVEUz3MxGC' +
  'gYgpWiK+ZwYMQ01xCruQJgpWjmGuIwVwQe4EjmGmE1VwKsFM1cIxzmIucPWHpGhA1a5oBpxB64kESEC3ywP8HAwJCCLgwLAgGs' +
  'mpAtQnEVimV9O6bzAwDwf3TvXAQAAA==';

test('a snapshot from before the legs of OCO orders named each other is opened', () => {
  const bytes = Bun.gunzipSync(Buffer.from(FORMAT_8, 'base64'));
  expect(bytes[0]).toBe(8);
  const { state } = readSnapshot(bytes);
  const open = state.accountOpenOrders(state.accounts[ALICE]!);
  expect(open.map(({ ocoId }) => ocoId)).toEqual([undefined, undefined]);
  expect(state.links.size).toBe(2);
});

/** The snapshot of an exchange with an OCO order. */
const FORMAT_8 =
  'H4sIAAAAAAACA+NgYmBgYGRgaAj7t6fCiQEMOBwg9Ad7CC0D5Ss4gBQzMziFOIMJBiYGKIAwCpYfYGEIDXYJgZBo0g3+QgcZoQIw' +
  'GhPA7ESlG1r0HFHEOw47YNcfCRHP+uEAtV3FAdVzKDZBJJiBPFaGxJzM5FSww/4DAUyOCcWHEv0wY0UcGOGiCMtAoZOUn0TAFId+' +
  'hHrsprAyJCcW5edQbA4MsGGEL5IZHAwGCgYKhgYGBmgh5YBhMBdQqSFYKbpiDgdGTHMNsZorAFaKZq4hDnNFHJgwzTXCaq6EAxOm' +
  'uUY4zGVApM6GaAeYXUhpExZQIkjpB2s6gkSQAizMQrAZxuBAimFKcJeFOTBixpwDtlxzAkimMBDMVkguhoJtuzYsBABaSVHgBQQA' +
  'AA==';

describe('invalid bytes are rejected', () => {
  const fixture = new Fixture();
  fixture.buy(ALICE, 3, 100, { clientOrderId: 'x' });
  fixture.market(BOB, Side.sell, 1);
  const bytes = writeSnapshot(fixture.exchange).slice();

  test('truncated anywhere', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readSnapshot(bytes.subarray(0, length))).toThrow();
    }
  });

  test('with trailing bytes', () => {
    expect(() => readSnapshot(new Uint8Array([...bytes, 0]))).toThrow(InvariantError);
  });

  test('of an unknown format', () => {
    expect(() => readSnapshot(bytes.with(0, 99))).toThrow('format 99');
  });

  test('of a later engine, which an older node must not guess', () => {
    const version = new DataView(bytes.slice().buffer).getUint32(1, true);
    expect(() => readSnapshot(bytes.with(1, version + 1))).toThrow('start a newer release');
  });

  test('with a digest that does not match the content', () => {
    const last = bytes.length - 1;
    expect(() => readSnapshot(bytes.with(last, bytes[last]! ^ 1))).toThrow('digest');
  });
});
