import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { MarketStatus, OrderType, Side, TimeInForce } from '../../src/engine/terms.ts';
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
  return list.timed;
}
