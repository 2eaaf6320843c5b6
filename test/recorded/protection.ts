import {
  CommandKind,
  type PlaceOrder,
  SYSTEM_ACTOR,
  type TradingLimits,
} from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { MarketStatus, NONE, OrderType, Side, TimeInForce } from '../../src/engine/terms.ts';
import { trades } from '../fixture.ts';
import type { Timed } from '../reference/scenario.ts';
import { CommandList, OTHER, TRADER } from './command-list.ts';

const OPERATOR = { account: 0, key: 0 } as const;

/** Returns commands that restrict trading in all markets. */
export function restrictions(): readonly Timed[] {
  const list = new CommandList();
  list.begin();
  const trading = { kind: CommandKind.setTradingStatus, ...OPERATOR, reason: 'test' } as const;
  const { online, halted, cancelOnly } = MarketStatus;
  list.accept({ ...trading, status: cancelOnly, cancelOrders: false });
  list.accept({ ...trading, status: halted, cancelOrders: true });
  list.accept({ ...trading, status: online, cancelOrders: false });
  // Long after the time of every recording.
  const from = 3e12;
  const kind = CommandKind.cancelMaintenance;
  for (const mode of [cancelOnly, halted]) {
    const terms = { from: from + mode, to: from + mode + 1, mode, message: 'test' };
    list.accept({ kind: CommandKind.scheduleMaintenance, ...OPERATOR, ...terms });
  }
  list.accept({ kind, ...OPERATOR, from: from + halted });
  list.reject({ kind, ...OPERATOR, from }, RejectionCode.unknownMaintenance);
  const announcement = { kind: CommandKind.announce, ...OPERATOR, severity: 1, title: 'test' };
  list.accept({ ...announcement, text: 'of both', until: from });
  list.accept({ ...announcement, text: '', until: 0 });
  const withdraw = { kind: CommandKind.withdrawAnnouncement, ...OPERATOR } as const;
  list.accept({ ...withdraw, id: 1 });
  list.reject({ ...withdraw, id: 1 }, RejectionCode.unknownAnnouncement);
  const terms = { market: 0, type: OrderType.limit, timeInForce: TimeInForce.gtc, postOnly: false };
  const rest = { selfTradePrevention: 0, cost: 0, expiresAt: 0, clientOrderId: null } as const;
  const order = { ...terms, ...rest, kind: CommandKind.placeOrder, price: 100, amount: 1 } as const;
  list.accept({ ...order, ...OTHER, side: Side.sell });
  list.accept({ ...order, ...TRADER, side: Side.buy });
  const { cost, makerFee, takerFee, ...trade } = trades(list.exchange.events)[0]!;
  list.accept({
    kind: CommandKind.bustTrade,
    ...SYSTEM_ACTOR,
    trade: { ...trade, makerFeePaid: makerFee, takerFeePaid: takerFee },
    reason: 'test',
  });
  limits(list, order);
  return list.timed;
}

/** Adds commands that set limits, and orders that reach them. */
function limits(list: CommandList, order: Omit<PlaceOrder, 'account' | 'key' | 'side'>): void {
  const none = { orderRate: 0, ordersPerTrade: 0, freeOrders: 0, openNotional: [] };
  const set = (owner: number, limits: TradingLimits | null) =>
    list.accept({ kind: CommandKind.setTradingLimits, ...OPERATOR, owner, limits });
  const bid = { ...order, ...TRADER, side: Side.buy, price: 50 } as const;
  const { account } = TRADER;
  const terms = { account, key: TRADER.key, price: 0, amount: 0, triggerPrice: 0 };
  set(NONE, { ...none, openNotional: [{ asset: 1, limit: 10n ** 20n }] });
  list.accept(bid);
  set(account, { ...none, orderRate: 2 });
  const { order: first } = list.accept(bid) as { order: { id: number } };
  list.accept({ kind: CommandKind.amendOrder, ...terms, orderId: first.id, price: 51 });
  list.reject(bid, RejectionCode.orderRateLimit);
  list.accept({ kind: CommandKind.cancelOrder, ...TRADER, orderId: first.id });
  set(account, { ...none, ordersPerTrade: 1, freeOrders: 1 });
  list.reject(bid, RejectionCode.ordersPerTradeLimit);
  set(account, { ...none, openNotional: [{ asset: 1, limit: 1 }] });
  list.reject(bid, RejectionCode.openNotionalLimit);
  set(account, null);
  list.accept(bid);
  set(NONE, null);
}
