import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { ALICE, BOB, CAROL, Fixture, limitOrder } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS, MAX_REMEMBERED, MAX_SWEPT_AT_ONCE } from '../limits.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { Side, TimeInForce } from '../terms.ts';
import { hashClientOrderId } from './hash.ts';
import { NOT_FOUND, RecentIds } from './recent-ids.ts';

const gone = { timeInForce: TimeInForce.ioc };
const { clientOrderIds: CAPACITY } = MAX_REMEMBERED;

/** Places orders that end immediately, with client order ids that history does not know. */
function placeMany(fixture: Fixture, account: number, count: number, prefix = 'id'): void {
  for (let n = 0; n < count; n++) {
    const searchedBelow = fixture.exchange.state.nextOrderId;
    fixture.sell(account, 1, 200, { ...gone, clientOrderId: `${prefix}-${n}`, searchedBelow });
  }
}

test('an id is remembered for 25 hours, and as long as its order is open', () => {
  const fixture = new Fixture();
  fixture.buy(ALICE, 1, 100, { ...gone, clientOrderId: 'gone' });
  fixture.buy(ALICE, 1, 100, { clientOrderId: 'open' });
  const again = (clientOrderId: string, terms = {}) =>
    fixture.buy(ALICE, 1, 101, { ...terms, clientOrderId }).kind;
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
  expect([again('gone'), again('open')]).toEqual(['rejected', 'rejected']);
  fixture.wait(1);
  expect([again('gone', gone), again('open')]).toEqual(['order', 'rejected']);
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS);
  expect(again('open')).toBe('rejected');
  fixture.cancel(ALICE, 2);
  expect(again('open')).toBe('order');
});

test('a reused id refers to the newer order, whatever happens to the older one', () => {
  const fixture = new Fixture();
  placeMany(fixture, ALICE, 20, 'first');
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS);
  for (let n = 0; n < 30; n++) {
    const order = fixture.sell(ALICE, 1, 200, { ...gone, clientOrderId: `first-${n % 20}` });
    expect(order.kind).toBe(n < 20 ? 'order' : 'repeated');
    auditState(fixture.exchange.state);
  }
});

describe('beyond the capacity', () => {
  test('the oldest ids of the account are dropped, and only history knows them', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 1, 100, { ...gone, clientOrderId: 'of bob' });
    fixture.sell(ALICE, 1, 300, { clientOrderId: 'open' });
    placeMany(fixture, ALICE, CAPACITY + 5);
    const again = (account: number, clientOrderId: string, terms = {}) =>
      fixture.sell(account, 1, 200, { ...gone, clientOrderId, ...terms });
    expect(again(ALICE, `id-${CAPACITY + 4}`).kind).toBe('repeated');
    expect(again(ALICE, 'id-0')).toEqual(rejected(RejectionCode.needsHistory));
    expect(again(ALICE, 'new')).toEqual(rejected(RejectionCode.needsHistory));
    expect(again(ALICE, 'open')).toEqual(rejected(RejectionCode.duplicateClientOrderId));
    expect(again(BOB, 'of bob', { side: 0, price: 100 }).kind).toBe('repeated');
    expect(again(BOB, 'new').kind).toBe('order');
    expect(fixture.exchange.state.accounts[ALICE]!.recentIds!.count).toBeLessThanOrEqual(CAPACITY);
    auditState(fixture.exchange.state);
  });

  test('a new id is accepted after a search of history, unless more were dropped since', () => {
    const fixture = new Fixture();
    placeMany(fixture, ALICE, CAPACITY + 1);
    const { state } = fixture.exchange;
    const place = (clientOrderId: string, searchedBelow: number) =>
      fixture.sell(ALICE, 1, 200, { ...gone, clientOrderId, searchedBelow }).kind;
    const searchedBelow = state.nextOrderId;
    expect(place('new', 1)).toBe('rejected');
    expect(place('new', searchedBelow)).toBe('order');
    for (let n = 0; n < CAPACITY - 1; n++) place(`more-${n}`, state.nextOrderId);
    expect(place('newer', searchedBelow)).toBe('order');
    // Drops the id that was placed after the search of history.
    expect(place('newest', state.nextOrderId)).toBe('order');
    expect(place('too late', searchedBelow)).toBe('rejected');
  });

  test('history need not be searched 25 hours after the newest dropped id', () => {
    const fixture = new Fixture();
    placeMany(fixture, ALICE, CAPACITY + 1);
    fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
    const place = () => fixture.sell(ALICE, 1, 200, { ...gone, clientOrderId: 'new' });
    expect(place()).toEqual(rejected(RejectionCode.needsHistory));
    fixture.wait(1);
    expect(place().kind).toBe('order');
  });

  test('ids of open orders are never dropped', () => {
    const fixture = new Fixture();
    for (let n = 0; n < 50; n++) fixture.buy(ALICE, 1, 10, { clientOrderId: `open-${n}` });
    placeMany(fixture, ALICE, CAPACITY + 100);
    for (let n = 0; n < 50; n++) {
      const again = fixture.buy(ALICE, 1, 10, { clientOrderId: `open-${n}` });
      expect(again).toEqual({ kind: 'repeated', orderId: n + 1 });
    }
    auditState(fixture.exchange.state);
  });
});

test('expired ids are forgotten a few at a time, account by account', () => {
  const fixture = new Fixture();
  const { state } = fixture.exchange;
  placeMany(fixture, ALICE, 100);
  placeMany(fixture, BOB, 50);
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS);
  let before = state.clientOrderIds.size;
  expect(before).toBe(150);
  for (let n = 0; n < 120; n++) {
    fixture.sell(CAROL, 1, 200, { ...gone, clientOrderId: `new-${n}` });
    const { size } = state.clientOrderIds;
    expect(before + 1 - size).toBeLessThanOrEqual(MAX_SWEPT_AT_ONCE);
    before = size;
  }
  expect(state.accounts[ALICE]!.recentIds).toBeUndefined();
  expect(state.accounts[BOB]!.recentIds).toBeUndefined();
  expect(state.clientOrderIds.size).toBe(120);
});

test('a snapshot has the same bytes wherever the ids are in the ring', () => {
  const fixture = new Fixture();
  fixture.buy(ALICE, 1, 10, { clientOrderId: 'open' });
  placeMany(fixture, ALICE, CAPACITY + 1_234);
  const bytes = writeSnapshot(fixture.exchange);
  const loaded = readSnapshot(bytes);
  expect(writeSnapshot(loaded)).toEqual(bytes);
  auditState(loaded.state);
  const again = limitOrder(ALICE, Side.sell, 1, 200, { ...gone, clientOrderId: `id-${CAPACITY}` });
  expect(loaded.apply(again, fixture.time).kind).toBe('repeated');
});

test('an upgrade keeps the newest ids of each account from version 1', () => {
  const fixture = new Fixture({}, 1);
  fixture.buy(ALICE, 1, 10, { clientOrderId: 'open' });
  placeMany(fixture, ALICE, CAPACITY + 10);
  placeMany(fixture, BOB, 3);
  fixture.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
  const { state } = fixture.exchange;
  expect(state.clientOrderQueue.size).toBe(0);
  auditState(state);
  const again = (account: number, clientOrderId: string) =>
    fixture.sell(account, 1, 200, { ...gone, clientOrderId });
  expect(fixture.buy(ALICE, 1, 10, { clientOrderId: 'open' })).toMatchObject({ orderId: 1 });
  expect(again(ALICE, `id-${CAPACITY + 9}`).kind).toBe('repeated');
  expect(again(ALICE, 'id-0')).toEqual(rejected(RejectionCode.needsHistory));
  expect(again(BOB, 'id-0').kind).toBe('repeated');
});

test('a frozen account receives the order it placed, and places no other', () => {
  for (const version of [1, 2]) {
    const fixture = new Fixture({}, version);
    fixture.buy(ALICE, 1, 100, { clientOrderId: 'mine' });
    fixture.apply({
      kind: CommandKind.setAccountStatus,
      ...SYSTEM_ACTOR,
      owner: ALICE,
      frozen: true,
    });
    const frozen = rejected(RejectionCode.accountFrozen);
    const answer = fixture.buy(ALICE, 1, 100, { clientOrderId: 'mine' });
    expect(answer).toEqual(version === 1 ? frozen : { kind: 'repeated', orderId: 1 });
    expect(fixture.buy(ALICE, 1, 100, { clientOrderId: 'other' })).toEqual(frozen);
    expect(fixture.buy(ALICE, 1, 100)).toEqual(frozen);
  }
});

describe('hashes', () => {
  const hashState = (account: number, text: string): string => {
    const hash = { a: 0, b: 0, c: 0 };
    hashClientOrderId(account, text, hash);
    expect(hash.c & 0x1fffff).toBe(0);
    return `${hash.a} ${hash.b} ${hash.c}`;
  };

  test('never change, because snapshots contain them', () => {
    expect([
      hashState(0, ''),
      hashState(0, 'a'),
      hashState(7, 'x'.repeat(64)),
    ]).toMatchInlineSnapshot(`
      [
        "753752746 1766772646 991952896",
        "418411481 -1396359002 1159725056",
        "865398807 2041940607 1191182336",
      ]
    `);
  });

  test('differ for consecutive ids and ids that differ in one character', () => {
    const seen = new Set<string>();
    for (let n = 0; n < 200_000; n++) seen.add(hashState(3, `order-${n}`));
    for (let n = 0; n < 64; n++) {
      for (const other of 'abcXYZ019_.:-') {
        seen.add(hashState(3, `${'q'.repeat(n)}${other}${'q'.repeat(63 - n)}`));
      }
    }
    expect(seen.size).toBe(200_000 + 64 * 13);
  });

  test('are spread over their range, even for equal ids of many accounts', () => {
    const buckets = new Uint32Array(64);
    const hash = { a: 0, b: 0, c: 0 };
    for (let account = 0; account < 640; account++) {
      for (let n = 0; n < 100; n++) {
        hashClientOrderId(account, String(n), hash);
        buckets[hash.a >>> 26]!++;
      }
    }
    for (const count of buckets) expect(count).toBeWithin(800, 1_200);
  });
});

test('a ring finds the same as a list while it grows, wraps and shrinks', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'add', 'add', 'add', 'drop', 'turn', 'copy'),
    id: fc.nat(40),
    times: fc.nat(30),
  });
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    let ring = new RecentIds();
    let list: { id: number; orderId: number }[] = [];
    let orderId = 2 ** 40;
    const hash = { a: 0, b: 0, c: 0 };
    // Ids that share a first cell of the table, and some of them also a tag.
    const setHash = (id: number) => Object.assign(hash, { a: id & 3, b: id & 7, c: id << 21 });
    for (const { what, id, times } of steps) {
      for (let left = times; left > 0; left--) {
        if (what === 'add') {
          // As in the engine, an id that is present is not added again.
          const next = (id + left) % 41;
          if (list.some((each) => each.id === next)) continue;
          setHash(next);
          ring.add(hash, ++orderId, 5, 6, 30);
          list.push({ id: next, orderId });
        } else if (what === 'drop' && list.length > 0) {
          ring.removeFirst();
          list.shift();
        } else if (what === 'turn' && list.length > 0) {
          ring.moveFirstToEnd();
          list = [...list.slice(1), list[0]!];
        }
      }
      if (what === 'copy') {
        const bytes = ring.toBytes();
        ring = new RecentIds();
        ring.restore(bytes);
      }
      expect(ring.count).toBe(list.length);
      for (let each = 0; each <= 40; each++) {
        setHash(each);
        const position = ring.find(hash);
        const known = list.find((other) => other.id === each);
        expect(position === NOT_FOUND).toBe(known === undefined);
        if (known !== undefined) expect(ring.orderId(position)).toBe(known.orderId);
      }
    }
  });
  check(property, 300);
});
