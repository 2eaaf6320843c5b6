import {
  ArgumentsRequired,
  type Dict,
  type Exchange,
  InvalidOrder,
  NotSupported,
  type Num,
} from 'ccxt';
import { orderRequest, type Terms, trailing } from './order-request.ts';

/** A request to place or test an order, of a call of createOrder. */
export interface Placement {
  readonly isOco: boolean;
  /** Whether nothing is placed: CCXT's `test` in `params`. */
  readonly isTest: boolean;
  /** The body of the request. */
  readonly body: Dict;
}

/** Returns the request of a call of createOrder. @throws ArgumentsRequired, InvalidOrder */
export function toPlacement(exchange: Exchange, terms: Terms): Placement {
  const { test, ...params } = terms.params ?? {};
  const isOco = hasBothExits(params);
  const read = isOco ? ocoRequest : orderRequest;
  return { isOco, isTest: test === true, body: read(exchange, { ...terms, params }) };
}

/** Returns the orders of a batch. @throws NotSupported for tests and OCO orders, ArgumentsRequired, InvalidOrder */
export function batchRequest(exchange: Exchange, orders: readonly Terms[], params: Dict): Dict[] {
  return orders.map((terms) => {
    const { isOco, isTest, body } = toPlacement(exchange, terms);
    if (!isOco && !isTest && params.test !== true) return body;
    const what = isOco ? 'OCO orders' : 'tests';
    throw new NotSupported(`${exchange.id} createOrders() takes no ${what}. Use createOrder().`);
  });
}

/** Whether an order has a take profit and a stop loss for itself, which makes it an OCO order in CCXT. */
function hasBothExits(params: Dict): boolean {
  const { takeProfitPrice, takeProfitLimitPrice } = params;
  const { stopLossPrice, trailingAmount, trailingPercent } = params;
  const takeProfit = takeProfitPrice ?? takeProfitLimitPrice;
  return (
    takeProfit !== undefined && (stopLossPrice ?? trailingAmount ?? trailingPercent) !== undefined
  );
}

/**
 * Returns the body of POST /api/orders/oco. Each leg is a limit order if it has a limit price of its own; the order's
 * type says nothing. Without a takeProfitPrice the take profit is a limit order from the start.
 */
function ocoRequest(exchange: Exchange, { symbol, side, amount, price, params = {} }: Terms): Dict {
  const { takeProfitPrice, takeProfitLimitPrice, stopLossPrice, stopLossLimitPrice, ...others } =
    params;
  const { selfTradePrevention, clientOrderId, icebergAmount, ...input } = others;
  if (price !== undefined) {
    throw new InvalidOrder(
      `${exchange.id} createOrder() takes takeProfitLimitPrice and stopLossLimitPrice for an OCO order, not a price`,
    );
  }
  if (amount === undefined) {
    throw new ArgumentsRequired(`${exchange.id} createOrder() needs an amount`);
  }
  const { trailingAmount, trailingPercent, activationPrice, ...rest } =
    trailing(exchange, symbol, input) ?? input;
  const fit = (value: Num) =>
    value === undefined ? undefined : exchange.priceToPrecision(symbol, value);
  return {
    symbol: exchange.market(symbol).id,
    side,
    amount: exchange.amountToPrecision(symbol, amount),
    takeProfit: {
      price: fit(takeProfitLimitPrice),
      triggerPrice: fit(takeProfitPrice),
      displayAmount: icebergAmount && exchange.amountToPrecision(symbol, icebergAmount),
    },
    stopLoss: {
      price: fit(stopLossLimitPrice),
      triggerPrice: fit(stopLossPrice),
      ...{ trailingAmount, trailingPercent, activationPrice },
    },
    selfTradePrevention: (selfTradePrevention as string | undefined)?.toLowerCase(),
    clientOrderId: clientOrderId ?? exchange.uuid(),
    ...rest,
  };
}
