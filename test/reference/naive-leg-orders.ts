import {
  type Attached,
  CommandKind,
  type OcoLeg,
  type PlaceOco,
} from '../../src/engine/command.ts';
import type { Leg } from '../../src/engine/orders/order-terms.ts';
import { OrderType, Side, TimeInForce } from '../../src/engine/terms.ts';

type Terms = Pick<
  PlaceOco,
  'account' | 'key' | 'market' | 'side' | 'amount' | 'expiresAt' | 'selfTradePrevention'
>;

/** Returns the legs of a bracket order: of its own terms if it has some, else of the other side and `amount`. */
export function bracketLegOrders(
  { account, key, market, side, selfTradePrevention }: Omit<Terms, 'amount' | 'expiresAt'>,
  { takeProfit, stopLoss, oto }: Attached,
  amount: number,
): Leg[] {
  const other = side === Side.buy ? Side.sell : Side.buy;
  const own = oto === undefined ? { side: other, amount } : { side: oto.side, amount: oto.amount };
  const terms = { account, key, market, selfTradePrevention, expiresAt: 0, ...own };
  const legs = legOrders(terms, takeProfit, stopLoss);
  if (oto === undefined || oto.order === null) return legs;
  const plain = { cost: 0, clientOrderId: null, postOnly: false } as const;
  return [{ kind: CommandKind.placeOrder, ...terms, ...plain, ...oto.order }];
}

/** Returns the legs of an OCO or bracket order: take profit, then stop loss. */
export function legOrders(
  { account, key, market, side, amount, expiresAt, selfTradePrevention }: Terms,
  takeProfit: OcoLeg | null,
  stopLoss: OcoLeg | null,
): Leg[] {
  const timeInForce = expiresAt === 0 ? TimeInForce.gtc : TimeInForce.gtd;
  const terms = {
    account,
    key,
    market,
    side,
    amount,
    expiresAt,
    selfTradePrevention,
    timeInForce,
    cost: 0,
    clientOrderId: null,
  };
  const legs: Leg[] = [];
  if (takeProfit !== null && takeProfit.triggerPrice === 0) {
    const { price, displayAmount } = takeProfit;
    const shown = displayAmount === undefined ? {} : { displayAmount };
    const kind = CommandKind.placeOrder;
    legs.push({ kind, ...terms, type: OrderType.limit, price, postOnly: true, ...shown });
  } else if (takeProfit !== null) {
    const type = takeProfit.price === 0 ? OrderType.takeProfit : OrderType.takeProfitLimit;
    legs.push({ kind: CommandKind.placeStopOrder, ...terms, ...takeProfit, type, postOnly: false });
  }
  if (stopLoss !== null) {
    const isTrailing = stopLoss.trailing !== undefined;
    const fixed = stopLoss.price === 0 ? OrderType.stop : OrderType.stopLimit;
    const type = isTrailing ? OrderType.trailingStop : fixed;
    legs.push({ kind: CommandKind.placeStopOrder, ...terms, ...stopLoss, type, postOnly: false });
  }
  return legs;
}
