import { expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, limitOrder, placed } from '../../../../test/fixture.ts';
import { withPortion } from '../../../../test/portions.ts';
import { auditState } from '../../audit/audit.ts';
import { CommandKind, type PlacingCommand, SYSTEM_ACTOR } from '../../command.ts';
import type { Outcome } from '../../event.ts';
import { CONNECTION_LEASE_MS, MAX_CONNECTIONS_PER_ACCOUNT, PORTION } from '../../limits.ts';
import { RejectionCode, rejected } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import { NONE, OrderReason, OrderStatus, OrderType, Side, TimeInForce } from '../../terms.ts';

const CLOSED = rejected(RejectionCode.connectionClosed);

/** An exchange with connections of two nodes. */
class Connected extends Fixture {
  open(account: number, node = 'one'): number {
    const outcome = this.apply({
      kind: CommandKind.openConnection,
      ...{ account, key: NONE, node },
    });
    if (outcome.kind !== 'connection') throw new Error(`not opened: ${JSON.stringify(outcome)}`);
    return outcome.connection;
  }

  close(connection: number): Outcome {
    return this.apply({ kind: CommandKind.closeConnection, connection });
  }

  place(connection: number, command: PlacingCommand): Outcome {
    return this.apply({ kind: CommandKind.placeOnConnection, connection, command });
  }

  renew(node = 'one'): Outcome {
    return this.apply({ kind: CommandKind.renewNodeConnections, node });
  }

  closeNode(node = 'one'): Outcome {
    return this.apply({ kind: CommandKind.closeNodeConnections, node });
  }

  /** Returns the order ids of the last command's events that it ended, with their reasons. */
  get ended(): string[] {
    return this.events.flatMap((event) =>
      event.kind === 'order' && event.status !== OrderStatus.open
        ? `${event.id} ${event.reason}`
        : [],
    );
  }

  /** Checks the state, and that a snapshot of it has the same bytes. */
  check(): void {
    auditState(this.exchange.state);
    const bytes = writeSnapshot(this.exchange).slice();
    expect(Buffer.compare(writeSnapshot(readSnapshot(bytes)), bytes)).toBe(0);
  }
}

const bid = (account: number, price: number, terms = {}) =>
  limitOrder(account, Side.buy, 5, price, terms);
const DISCONNECTED = OrderReason.disconnected;

test('closing a connection cancels its open orders and no others', () => {
  const fixture = new Connected();
  const [first, second] = [fixture.open(ALICE), fixture.open(ALICE)];
  const kept = placed(fixture.buy(ALICE, 5, 90)).id;
  const own = placed(fixture.place(first, bid(ALICE, 91))).id;
  const other = placed(fixture.place(second, bid(ALICE, 92))).id;
  fixture.check();
  const outcome = fixture.close(first);
  expect(outcome).toMatchObject({ kind: 'orders', orders: [{ id: own, status: 2, reason: 16 }] });
  expect(fixture.book()).toBe('5@92 5@90 |');
  expect(fixture.balances(ALICE)).toBe('1000+0 99090+910');
  fixture.check();
  expect(fixture.close(first)).toEqual(CLOSED);
  expect(fixture.place(first, bid(ALICE, 93))).toEqual(CLOSED);
  expect(fixture.close(second)).toMatchObject({ orders: [{ id: other }] });
  expect(fixture.exchange.state.openOrder(kept)).toBeDefined();
  expect(fixture.exchange.state.connections.orderCount).toBe(0);
  fixture.check();
});

test('only the account of a connection places on it', () => {
  const fixture = new Connected();
  const connection = fixture.open(ALICE);
  expect(fixture.place(connection, bid(BOB, 90))).toEqual(CLOSED);
  expect(fixture.place(connection + 1, bid(ALICE, 90))).toEqual(CLOSED);
  expect(fixture.book()).toBe('|');
});

test('an amended, a partly filled and a triggered order stay with their connection', () => {
  const fixture = new Connected();
  const connection = fixture.open(ALICE);
  const amended = placed(fixture.place(connection, bid(ALICE, 90))).id;
  fixture.apply({
    ...{ kind: CommandKind.amendOrder, ...SYSTEM_ACTOR, account: ALICE, orderId: amended },
    ...{ price: 91, amount: 7, triggerPrice: 0 },
  });
  const filled = placed(fixture.place(connection, bid(ALICE, 95))).id;
  fixture.sell(BOB, 2, 95);
  const stop = {
    ...limitOrder(ALICE, Side.sell, 4, 97),
    ...{ kind: CommandKind.placeStopOrder, type: OrderType.stopLimit, triggerPrice: 94 },
  } as const;
  const triggered = placed(fixture.place(connection, stop)).id;
  fixture.buy(CAROL, 1, 94);
  fixture.sell(BOB, 3, 95);
  fixture.sell(BOB, 1, 94);
  expect(fixture.book()).toBe('7@91 | 4@97');
  fixture.check();
  fixture.close(connection);
  expect(fixture.ended).toEqual([`${amended} ${DISCONNECTED}`, `${triggered} ${DISCONNECTED}`]);
  expect(fixture.exchange.state.openOrder(filled)).toBeUndefined();
  fixture.check();
});

test('both legs of an OCO order and the legs of a bracket order end with their connection', () => {
  const fixture = new Connected();
  const connection = fixture.open(ALICE);
  fixture.place(connection, {
    ...{ kind: CommandKind.placeOco, account: ALICE, key: NONE, market: 0, side: Side.sell },
    ...{ amount: 5, expiresAt: 0, selfTradePrevention: 0, clientOrderId: null },
    ...{ takeProfit: { price: 120, triggerPrice: 0 }, stopLoss: { price: 0, triggerPrice: 80 } },
  });
  const attached = {
    takeProfit: { price: 130, triggerPrice: 0 },
    stopLoss: { price: 0, triggerPrice: 70 },
  };
  const bracket = (price: number) =>
    ({ kind: CommandKind.placeBracket, order: bid(ALICE, price), attached }) as const;
  // One is filled at once, the next one later, the last one never.
  fixture.sell(BOB, 5, 99);
  fixture.place(connection, bracket(99));
  fixture.place(connection, bracket(98));
  fixture.sell(BOB, 5, 98);
  fixture.place(connection, bracket(97));
  expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(7);
  fixture.check();
  fixture.close(connection);
  expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
  expect(fixture.balances(ALICE)).toBe('1010+0 99015+0');
  fixture.check();
});

test('orders placed without a connection have legs without one', () => {
  const fixture = new Connected();
  const connection = fixture.open(ALICE);
  const attached = { takeProfit: { price: 130, triggerPrice: 0 }, stopLoss: null };
  fixture.apply({ kind: CommandKind.placeBracket, order: bid(ALICE, 99), attached });
  fixture.place(connection, bid(ALICE, 90));
  fixture.sell(BOB, 5, 99);
  fixture.close(connection);
  expect(fixture.book()).toBe('| 5@130');
});

test('the connections of a node end unless it renews its lease', () => {
  const fixture = new Connected();
  const [one, two] = [fixture.open(ALICE, 'one'), fixture.open(BOB, 'two')];
  fixture.place(one, bid(ALICE, 90));
  fixture.place(two, bid(BOB, 91));
  fixture.wait(CONNECTION_LEASE_MS - 1);
  expect(fixture.renew('one')).toEqual({ kind: 'done' });
  fixture.check();
  expect(fixture.exchange.nextDueTime).toBe(fixture.time + 1);
  fixture.wait(1);
  expect(fixture.book()).toBe('5@90 |');
  expect(fixture.renew('two')).toEqual(CLOSED);
  expect(fixture.place(two, bid(BOB, 91))).toEqual(CLOSED);
  fixture.wait(CONNECTION_LEASE_MS - 2);
  expect(fixture.book()).toBe('5@90 |');
  fixture.wait(1);
  expect(fixture.book()).toBe('|');
  expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
  fixture.check();
});

test('a restarted node ends the connections of its last run, not its new ones', () => {
  const fixture = new Connected();
  const [before, another] = [fixture.open(ALICE), fixture.open(ALICE)];
  fixture.place(before, bid(ALICE, 90));
  fixture.place(another, bid(ALICE, 89));
  withPortion({ ...PORTION, ends: 1 }, () => {
    fixture.wait(1);
    for (let placedOrders = 0; placedOrders < 3; placedOrders++) {
      fixture.place(before, bid(ALICE, 90));
    }
    fixture.closeNode();
    expect(fixture.exchange.state.connections.get(another)).toBeDefined();
    const after = fixture.open(ALICE);
    fixture.place(after, bid(ALICE, 95));
    expect(fixture.place(before, bid(ALICE, 96))).toEqual(CLOSED);
    fixture.check();
    while (fixture.exchange.nextDueTime <= fixture.time) {
      fixture.apply({ kind: CommandKind.tick });
      fixture.check();
    }
    expect(fixture.book()).toBe('5@95 |');
    expect(fixture.renew()).toEqual({ kind: 'done' });
  });
});

test('an expired lease ends a bounded number of connections and orders per portion', () => {
  const fixture = new Connected();
  const connections = Array.from({ length: 20 }, (_, place) => fixture.open(place % 3));
  for (const [place, connection] of connections.entries()) {
    if (place % 2 === 0) fixture.place(connection, bid(place % 3, 50 + place));
  }
  withPortion({ ...PORTION, ends: 4 }, () => {
    let portions = 0;
    fixture.time += CONNECTION_LEASE_MS;
    while (fixture.exchange.state.connections.size > 0) {
      const before = fixture.exchange.state.connections.size;
      fixture.wait(1);
      expect(before - fixture.exchange.state.connections.size).toBeLessThanOrEqual(4);
      fixture.check();
      portions++;
    }
    expect(portions).toBe(5);
  });
  expect(fixture.book()).toBe('|');
});

test('an account has a bounded number of connections', () => {
  const fixture = new Connected();
  const first = fixture.open(ALICE);
  for (let opened = 1; opened < MAX_CONNECTIONS_PER_ACCOUNT; opened++) fixture.open(ALICE);
  const again = {
    kind: CommandKind.openConnection,
    account: ALICE,
    key: NONE,
    node: 'two',
  } as const;
  expect(fixture.apply(again)).toEqual(rejected(RejectionCode.limitReached, 'connections'));
  fixture.open(BOB);
  fixture.close(first);
  fixture.open(ALICE);
});

test('a frozen account opens no connection, and its connections still end', () => {
  const fixture = new Connected();
  const connection = fixture.open(ALICE);
  fixture.place(connection, bid(ALICE, 90));
  const owner = { owner: ALICE, frozen: true };
  fixture.apply({ kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, ...owner });
  const again = {
    kind: CommandKind.openConnection,
    account: ALICE,
    key: NONE,
    node: 'one',
  } as const;
  expect(fixture.apply(again)).toEqual(rejected(RejectionCode.accountFrozen));
  fixture.close(connection);
  expect(fixture.book()).toBe('|');
});

test('version 1 of the engine has no connections', () => {
  const fixture = new Fixture({}, 1);
  const command = {
    kind: CommandKind.openConnection,
    account: ALICE,
    key: NONE,
    node: 'a',
  } as const;
  expect(fixture.apply(command)).toEqual(rejected(RejectionCode.limitReached, 'connections'));
  const order = bid(ALICE, 90, { timeInForce: TimeInForce.gtc });
  const placing = { kind: CommandKind.placeOnConnection, connection: 1, command: order } as const;
  expect(fixture.apply(placing)).toEqual(CLOSED);
});
