import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { PORTION } from '../../src/engine/limits.ts';
import type { Exact } from '../../src/engine/numbers/exact.ts';
import { OrderType, SelfTradePrevention, Side, TimeInForce } from '../../src/engine/terms.ts';
import { listOpenOrders } from '../../src/gateway/binance/orders/pending-orders.ts';
import {
  AccountExecutions,
  type Execution,
} from '../../src/gateway/binance/user-data/executions.ts';
import { JoinedFills } from '../../src/gateway/binance/user-data/joined-fills.ts';
import { check } from '../check.ts';
import { ALICE, BOB, Fixture, limitOrder } from '../fixture.ts';
import { SMALL_PORTION, withPortion } from '../portions.ts';

/** The reports of an account's orders, compared with a client that knows nothing else and with the state. */

/** An order as a client of the stream knows it. */
interface KnownOrder {
  status: string;
  filled: number;
  filledCost: Exact;
}

const FINAL = ['FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH'];

/** Follows the reports of one account, and fails if one does not continue the one before. */
class Client {
  private readonly orders = new Map<number, KnownOrder>();

  note({ type, status, order, filled, filledCost, fill }: Execution): void {
    const known = this.orders.get(order.id);
    if (known === undefined) {
      const first = order.parentId === 0 ? 'NEW' : 'PENDING_NEW';
      expect([type, status, filled, filledCost]).toEqual(['NEW', first, 0, 0]);
    } else {
      expect(FINAL).not.toContain(known.status);
      const isStarting = known.status === 'PENDING_NEW';
      const next = isStarting ? ['NEW', 'EXPIRED', 'CANCELED', 'EXPIRED_IN_MATCH'] : [status];
      expect(next).toContain(status);
      if (isStarting) expect(type).toBe(status === 'NEW' ? 'NEW' : (status as typeof type));
      const { amount = 0, cost = 0 } = fill?.trade ?? {};
      expect(filled).toBe(known.filled + amount);
      expect(Number(filledCost)).toBe(Number(known.filledCost) + Number(cost));
    }
    expect(type === 'TRADE').toBe(fill !== undefined);
    this.orders.set(order.id, { status, filled, filledCost });
  }

  /** Returns `id filled` of the orders that the client believes to be open. */
  get open(): string[] {
    return [...this.orders]
      .filter(([, { status }]) => !FINAL.includes(status))
      .map(([id, { filled }]) => `${id} ${filled}`)
      .sort();
  }
}

const account = fc.constantFrom(ALICE, ALICE, BOB);
const side = fc.constantFrom(Side.buy, Side.sell);
const amount = fc.integer({ min: 1, max: 6 });
const price = fc.integer({ min: 96, max: 104 });
const timeInForce = fc.constantFrom(
  ...[TimeInForce.gtc, TimeInForce.gtc, TimeInForce.ioc, TimeInForce.fok],
);
const selfTradePrevention = fc.constantFrom(...Object.values(SelfTradePrevention));
const orderId = fc.integer({ min: 1, max: 60 });

const limits = fc
  .record({ account, side, amount, price, timeInForce, selfTradePrevention })
  .map(({ account, side, amount, price, ...terms }) =>
    limitOrder(account, side, amount, price, terms),
  );
const markets = fc
  .record({ account, side, amount })
  .map(({ account, side, amount }) =>
    limitOrder(account, side, amount, 0, { type: OrderType.market, timeInForce: TimeInForce.ioc }),
  );
const costs = fc
  .record({ account, side, cost: fc.integer({ min: 100, max: 900 }), selfTradePrevention })
  .map(({ account, side, ...terms }) =>
    limitOrder(account, side, 0, 0, {
      ...{ ...terms, type: OrderType.market, timeInForce: TimeInForce.ioc },
    }),
  );
const stops = fc
  .record({ account, side, amount, price, triggerPrice: price, isLimit: fc.boolean() })
  .map(
    ({ account, side, amount, price, triggerPrice, isLimit }): Command => ({
      ...limitOrder(account, side, amount, isLimit ? price : 0),
      kind: CommandKind.placeStopOrder,
      type: isLimit ? OrderType.stopLimit : OrderType.stop,
      triggerPrice,
    }),
  );
const pairs = fc.record({ account, side, amount, gain: price, loss: price }).map(
  ({ account, side, amount, gain, loss }): Command => ({
    kind: CommandKind.placeOco,
    ...{ account, key: -1, market: 0, side, amount, expiresAt: 0, clientOrderId: null },
    selfTradePrevention: SelfTradePrevention.expireMaker,
    takeProfit: { price: gain, triggerPrice: 0 },
    stopLoss: { price: 0, triggerPrice: loss },
  }),
);
const oto = fc.record({
  side,
  amount,
  order: fc.option(
    fc.record({
      type: fc.constantFrom(OrderType.limit, OrderType.limit, OrderType.market),
      timeInForce,
      price,
    }),
  ),
});
/** Orders that attach others: for what they have filled, or when they are filled completely. */
const brackets = fc
  .record({
    account,
    side,
    amount,
    price,
    timeInForce,
    gain: price,
    loss: price,
    oto: fc.option(oto),
  })
  .map(({ account, side, amount, price, timeInForce, gain, loss, oto: terms }): Command => {
    const own = terms?.order ?? null;
    const order =
      own?.type === OrderType.market ? { ...own, timeInForce: TimeInForce.ioc, price: 0 } : own;
    return {
      kind: CommandKind.placeBracket,
      order: limitOrder(account, side, amount, price, { timeInForce }),
      attached: {
        takeProfit: own === null ? { price: gain, triggerPrice: 0 } : null,
        stopLoss: own === null ? { price: 0, triggerPrice: loss } : null,
        ...(terms !== null && { oto: { ...terms, order } }),
      },
    };
  });
const cancels = fc
  .record({ account, orderId })
  .map((terms): Command => ({ kind: CommandKind.cancelOrder, key: -1, ...terms }));
const amendments = fc
  .record({
    account,
    orderId,
    amount,
    price: fc.constantFrom(0, 99, 101),
    triggerPrice: fc.constant(0),
  })
  .map((terms): Command => ({ kind: CommandKind.amendOrder, ...SYSTEM_ACTOR, ...terms }));
/** Each begins another portion. */
const ticks = fc.constant<Command>({ kind: CommandKind.tick });
const commands = fc.array(
  fc.oneof(
    ...[limits, limits, limits, markets, costs, stops, pairs, brackets, brackets],
    ...[cancels, amendments, ticks],
  ),
  {
    minLength: 20,
    maxLength: 80,
    size: 'max',
  },
);

test.each([
  ['', PORTION],
  [' in small portions', SMALL_PORTION],
] as const)(
  'every report continues the one before, and the open orders are those of the state%s',
  (_, portion) => {
    let trades = 0;
    const types = new Set<string>();
    let started = 0;
    const property = fc.property(commands, (all) => {
      const fixture = new Fixture({ collar: 500_000, minNotional: 1 });
      const { state } = fixture.exchange;
      const executions = new AccountExecutions(state, state.accounts[ALICE]!);
      const client = new Client();
      for (const command of all) {
        const firstNewId = state.nextOrderId;
        fixture.apply(command);
        const { events } = fixture;
        for (const execution of executions.read(events, new JoinedFills(events), firstNewId)) {
          client.note(execution);
          types.add(execution.type);
          if (execution.type === 'TRADE') trades++;
          if (execution.status === 'NEW' && execution.order.parentId !== 0) started++;
        }
        const open = listOpenOrders(state, state.accounts[ALICE]!);
        expect(client.open).toEqual(
          open.map(({ id, amount, remaining }) => `${id} ${amount - remaining}`).sort(),
        );
      }
    });
    withPortion({ ...portion }, () => check(property, 300));
    expect(trades).toBeGreaterThan(100);
    expect(started).toBeGreaterThan(100);
    expect([...types].sort()).toEqual([
      'CANCELED',
      'EXPIRED',
      'NEW',
      'REPLACED',
      'TRADE',
      'TRADE_PREVENTION',
    ]);
  },
);
