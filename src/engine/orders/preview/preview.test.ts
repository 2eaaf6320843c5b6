import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../../test/check.ts';
import { listCommands, scenario } from '../../../../test/reference/scenario.ts';
import { applyAll, GENESIS_COMMANDS, limitOrder } from '../../../testing/test-exchange.ts';
import { CommandKind, isPlacing, type PlacingCommand } from '../../command.ts';
import type { Event, OrderRecord, Outcome } from '../../event.ts';
import { Exchange } from '../../exchange.ts';
import { RejectionCode, rejected } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import { EntryType, OrderReason, OrderStatus, OrderType, Side, TimeInForce } from '../../terms.ts';
import { MAX_PREVIEWED_FILLS } from './previewed-taker.ts';

test('the preview of a random order equals what placing it does, and changes nothing', () => {
  const seen = new Set<string>();
  check(
    fc.property(scenario(120), (life) => {
      const exchange = new Exchange();
      for (const { command, time } of listCommands(life)) {
        const inner = command.kind === CommandKind.placeOnConnection ? command.command : command;
        if (isPlacing(inner)) seen.add(comparePreview(exchange, inner, time));
        exchange.apply(command, time);
      }
    }),
    120,
  );
  const all = ['filled', 'open', 'expired', 'pending', 'oco', 'partly filled'];
  const special = ['trailing', 'inactive', 'iceberg'];
  const codes = ['insufficientBalance', 'postOnlyWouldTake', 'noLiquidity', 'minNotional'];
  const later = ['triggerCrossed', 'duplicateClientOrderId', 'expiryPassed'];
  for (const kind of [...all, ...special, ...codes, ...later, 'marketUnavailable'])
    expect(seen).toContain(kind);
});

/** Compares a preview with placing the order on a copy. @returns What became of the order. */
function comparePreview(exchange: Exchange, command: PlacingCommand, time: number): string {
  finishDueWork(exchange, time);
  const before = writeSnapshot(exchange).slice();
  const { digest } = exchange.state;
  const preview = exchange.preview(command, time);
  expect(exchange.state.digest).toBe(digest);
  expect(Buffer.compare(writeSnapshot(exchange), before)).toBe(0);
  const copy = readSnapshot(before);
  const outcome = copy.apply(command, time);
  expect(preview as unknown).toEqual(expectedPreview(outcome, copy.events));
  return nameOutcome(outcome);
}

/** A preview does not take due work and triggered orders into account, so they run before. */
function finishDueWork(exchange: Exchange, time: number): void {
  do exchange.apply({ kind: CommandKind.tick }, time);
  while (exchange.nextDueTime <= exchange.state.time);
}

function expectedPreview(outcome: Outcome, events: readonly Event[]): unknown {
  const orderIds =
    outcome.kind === 'order'
      ? [outcome.order.id]
      : outcome.kind === 'oco'
        ? outcome.orders.map(({ id }) => id)
        : [];
  const fills = events.flatMap((event) => {
    if (event.kind !== 'trade' || !orderIds.includes(event.takerOrderId)) return [];
    const { price, amount, cost, takerFee } = event;
    return { price, amount, cost, fee: takerFee };
  });
  const held = events.find(
    (event) =>
      event.kind === 'entry' && event.type === EntryType.hold && orderIds.includes(event.reference),
  );
  const hold = held?.kind !== 'entry' ? null : { asset: held.asset, amount: negate(held.amount) };
  const unnamed = ({ ocoId, ...order }: OrderRecord) => ({
    ...{ ...order, id: 0, ...withoutLegIds(order) },
  });
  if (outcome.kind === 'order') {
    return { kind: 'order', order: unnamed(outcome.order), fills, hold };
  }
  if (outcome.kind === 'oco') return { kind: 'oco', orders: outcome.orders.map(unnamed), hold };
  expect(['rejected', 'repeated']).toContain(outcome.kind);
  return outcome;
}

function withoutLegIds({ attached }: OrderRecord): Pick<OrderRecord, 'attached'> {
  if (attached === null) return { attached };
  const { firstOrderId, ...legs } = attached;
  return { attached: legs };
}

function negate(amount: number | bigint): number | bigint {
  return typeof amount === 'number' ? 0 - amount : -amount;
}

function nameOutcome(outcome: Outcome): string {
  if (outcome.kind === 'rejected') {
    return Object.entries(RejectionCode).find(([, code]) => code === outcome.code)![0];
  }
  if (outcome.kind !== 'order') return outcome.kind;
  const { order } = outcome;
  if (order.trailing !== undefined) return order.triggerPrice === 0 ? 'inactive' : 'trailing';
  if (order.status === OrderStatus.filled) return 'filled';
  if (order.status === OrderStatus.expired) return 'expired';
  if (order.filledCost !== 0) return 'partly filled';
  if (order.displayAmount !== undefined) return 'iceberg';
  return order.triggerPrice === 0 ? 'open' : 'pending';
}

/** Returns an exchange with two funded accounts. */
function newExchange(): { exchange: Exchange; time: number } {
  const exchange = new Exchange();
  const time = 1_700_000_000_000;
  applyAll(exchange, time, GENESIS_COMMANDS);
  return { exchange, time };
}

test('a preview is of the time given, even if the exchange was idle since its last command', () => {
  const { exchange, time } = newExchange();
  const order = {
    ...limitOrder(1, Side.buy, 1000, 10),
    timeInForce: TimeInForce.gtd,
    expiresAt: time + 5000,
  };
  expect(exchange.preview(order, time + 4999)).toMatchObject({
    kind: 'order',
    order: { status: OrderStatus.open, createdAt: time + 4999, updatedAt: time + 4999 },
  });
  expect(exchange.preview(order, time + 5000)).toEqual(rejected(RejectionCode.expiryPassed));
  expect(exchange.state.time).toBe(time);
});

test('a preview computes a bounded number of fills', () => {
  const { exchange, time } = newExchange();
  const makers = MAX_PREVIEWED_FILLS + 1;
  for (let placed = 0; placed < makers; placed++) {
    exchange.apply(limitOrder(2, Side.sell, 1000 + (placed % 7), 10), time);
  }
  const most = limitOrder(1, Side.buy, 2000, MAX_PREVIEWED_FILLS * 10);
  const preview = exchange.preview(most, time);
  expect(preview).toMatchObject({ kind: 'order', order: { status: OrderStatus.filled } });
  expect('fills' in preview && preview.fills.length).toBe(MAX_PREVIEWED_FILLS);
  const more = { ...most, amount: most.amount + 1 };
  expect(exchange.preview(more, time)).toEqual({ kind: 'tooManyFills' });
  const byCost = { ...most, type: OrderType.market, timeInForce: TimeInForce.ioc, price: 0 };
  expect(exchange.preview({ ...byCost, amount: 0, cost: 10n ** 16n }, time)).toEqual({
    kind: 'tooManyFills',
  });
});

test('the parts of an iceberg trade after the orders that are in the queue with it', () => {
  const { exchange, time } = newExchange();
  exchange.apply({ ...limitOrder(2, Side.sell, 1000, 30), displayAmount: 10 }, time);
  exchange.apply(limitOrder(2, Side.sell, 1000, 5), time);
  exchange.apply({ ...limitOrder(2, Side.sell, 1000, 20), displayAmount: 15 }, time);
  exchange.apply(limitOrder(2, Side.sell, 1001, 100), time);
  const order = limitOrder(1, Side.buy, 1001, 60);
  const preview = exchange.preview(order, time);
  const fills = 'fills' in preview ? preview.fills : [];
  expect(fills.map(({ price, amount }) => `${amount}@${price}`).join(' ')).toBe(
    '10@1000 5@1000 15@1000 10@1000 5@1000 10@1000 5@1001',
  );
  exchange.apply(order, time);
  const trades = exchange.events.flatMap((event) => (event.kind === 'trade' ? [event] : []));
  expect(trades.map(({ price, amount }) => `${amount}@${price}`).join(' ')).toBe(
    fills.map(({ price, amount }) => `${amount}@${price}`).join(' '),
  );
});

test('own orders in the way do not count as fills', () => {
  const { exchange, time } = newExchange();
  exchange.apply(limitOrder(1, Side.sell, 1000, 10), time);
  exchange.apply(limitOrder(2, Side.sell, 1001, 10), time);
  const preview = exchange.preview(limitOrder(1, Side.buy, 1001, 15), time);
  expect(preview).toMatchObject({
    order: { remaining: 5, status: OrderStatus.open, reason: OrderReason.none },
    fills: [{ price: 1001, amount: 10 }],
  });
});

test('the fee of each fill is that of the tier which the fills before it reach', () => {
  const { exchange, time } = newExchange();
  const { state } = exchange;
  for (let placed = 0; placed < 3; placed++) {
    exchange.apply(limitOrder(2, Side.sell, 1000, 1_000_000), time);
  }
  const cost = Number(state.markets[0]!.notional(1000, 1_000_000));
  const tiers = [{ minVolume: cost * 2, makerFee: 0, takerFee: 100 }];
  const kind = CommandKind.setFeeTiers;
  exchange.apply({ kind, account: 0, key: -1, asset: 0, tiers }, time);
  const order = limitOrder(1, Side.buy, 1000, 3_000_000);
  const preview = exchange.preview(order, time);
  const fees = 'fills' in preview ? preview.fills.map(({ fee }) => fee) : [];
  expect(fees).toEqual([1000, 1000, 100]);
});
