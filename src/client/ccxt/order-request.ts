import {
  ArgumentsRequired,
  type Dict,
  type Exchange,
  functions,
  InvalidOrder,
  type Num,
  type Str,
} from 'ccxt';

/** Parameters of CCXT's createOrder. Numbers may be texts of their digits. */
export interface Terms {
  readonly symbol: string;
  readonly type: Str;
  readonly side: Str;
  readonly amount?: Num;
  readonly price?: Num;
  readonly params?: Dict;
}

const LIMIT = 'limit';
const MARKET = 'market';

/**
 * Returns the body of POST /api/orders for one order, not an OCO order. As in CCXT, amounts are truncated to the market's step and prices rounded to
 * its tick. Unified `params` are converted; the others are sent unchanged, for the exchange to reject unknown ones.
 * An order without a clientOrderId gets one, so that a retry by CCXT or by the caller does not place a second order.
 * @throws ArgumentsRequired, InvalidOrder
 */
export function orderRequest(exchange: Exchange, terms: Terms): Dict {
  const { symbol, side, amount, price } = terms;
  const { cost, postOnly, timeInForce, selfTradePrevention, clientOrderId, ...others } =
    terms.params ?? {};
  const { takeProfit, stopLoss, icebergAmount, ...rest } = others;
  const market = exchange.market(symbol);
  const trail = trailing(exchange, symbol, rest);
  const { type, triggerPrice, params } =
    trail === undefined
      ? triggered(terms.type ?? '', side, rest)
      : { type: 'trailing_stop', triggerPrice: undefined, params: trail };
  const takesLimit = type.endsWith(LIMIT);
  if (takesLimit && price === undefined) {
    throw new ArgumentsRequired(`${exchange.id} createOrder() needs a price for a ${type} order`);
  }
  if (cost === undefined && amount === undefined) {
    throw new ArgumentsRequired(`${exchange.id} createOrder() needs an amount`);
  }
  const policy = (timeInForce as Str)?.toUpperCase();
  const isPostOnly = postOnly === true || policy === 'PO';
  if (isPostOnly && !takesLimit) {
    throw new InvalidOrder(`${exchange.id} createOrder() knows no postOnly ${type} orders`);
  }
  return {
    symbol: market.id,
    side,
    type,
    // A market order by cost has no amount, even if the caller passed one.
    amount: cost === undefined ? exchange.amountToPrecision(symbol, amount) : undefined,
    cost: cost === undefined ? undefined : costToPrecision(exchange, market.quote, cost),
    price: takesLimit ? exchange.priceToPrecision(symbol, price) : undefined,
    triggerPrice: triggerPrice && exchange.priceToPrecision(symbol, triggerPrice),
    timeInForce: policy === 'PO' ? undefined : (policy ?? (params.expiresAt && 'GTD')),
    postOnly: isPostOnly ? true : undefined,
    selfTradePrevention: (selfTradePrevention as Str)?.toLowerCase(),
    attached: attached(exchange, symbol, { takeProfit, stopLoss }),
    displayAmount: icebergAmount && exchange.amountToPrecision(symbol, icebergAmount),
    clientOrderId: clientOrderId ?? exchange.uuid(),
    ...params,
  };
}

/** Returns the body of PATCH /api/orders/:id, with the changed fields. */
export function amendRequest(
  exchange: Exchange,
  symbol: string,
  amount: Num,
  price: Num,
  params: Dict,
): Dict {
  const { triggerPrice, stopPrice, stopLossPrice, takeProfitPrice, icebergAmount, ...others } =
    params;
  const rest = trailing(exchange, symbol, others) ?? others;
  const trigger = triggerPrice ?? stopPrice ?? stopLossPrice ?? takeProfitPrice;
  return {
    amount: exchange.amountToPrecision(symbol, amount),
    price: price === undefined ? undefined : exchange.priceToPrecision(symbol, price),
    triggerPrice: trigger === undefined ? undefined : exchange.priceToPrecision(symbol, trigger),
    displayAmount: icebergAmount && exchange.amountToPrecision(symbol, icebergAmount),
    ...rest,
  };
}

/**
 * Returns the parameters with the exchange's names for those of a trailing stop; undefined if there are none.
 * trailingTriggerPrice is the price from which it trails.
 */
export function trailing(exchange: Exchange, symbol: string, input: Dict): Dict | undefined {
  const { trailingAmount, trailingPercent, trailingTriggerPrice, activationPrice, ...params } =
    input;
  const from = trailingTriggerPrice ?? activationPrice;
  if (trailingAmount === undefined && trailingPercent === undefined && from === undefined) {
    return undefined;
  }
  const fit = (value: Num) =>
    value === undefined ? undefined : exchange.priceToPrecision(symbol, value);
  return {
    ...params,
    trailingAmount: fit(trailingAmount),
    trailingPercent: trailingPercent === undefined ? undefined : String(trailingPercent),
    activationPrice: fit(from),
  };
}

/**
 * Returns the order type for CCXT's trigger parameters. A plain triggerPrice is a stop, unless triggerDirection is the
 * opposite one.
 */
function triggered(type: string, side: Str, input: Dict) {
  const { triggerPrice, stopPrice, stopLossPrice, takeProfitPrice, triggerDirection, ...params } =
    input;
  const price = stopLossPrice ?? takeProfitPrice ?? triggerPrice ?? stopPrice;
  if (price === undefined || (type !== LIMIT && type !== MARKET)) {
    return { type, triggerPrice: price, params };
  }
  const isRising = ['ascending', 'above', 'up'].includes(triggerDirection);
  const isAgainst = triggerDirection !== undefined && isRising !== (side === 'buy');
  const isTakeProfit = takeProfitPrice !== undefined || (stopLossPrice === undefined && isAgainst);
  const kind = isTakeProfit ? 'take_profit' : 'stop';
  return { type: type === LIMIT ? `${kind}_limit` : kind, triggerPrice: price, params };
}

/** Returns the attached orders of CCXT's takeProfit and stopLoss, which are limit orders if they have a price. */
function attached(exchange: Exchange, symbol: string, exits: Record<string, Dict | undefined>) {
  const fitted = Object.entries(exits).flatMap(([name, exit]) => {
    if (exit === undefined) return [];
    // In the API, a price makes it a limit order.
    const { triggerPrice, stopPrice, price, type: _, ...rest } = exit;
    const fit = (value: Num) =>
      value === undefined ? undefined : exchange.priceToPrecision(symbol, value);
    const further = trailing(exchange, symbol, rest) ?? rest;
    return [
      [name, { triggerPrice: fit(triggerPrice ?? stopPrice), price: fit(price), ...further }],
    ];
  });
  return fitted.length === 0 ? undefined : Object.fromEntries(fitted);
}

/**
 * Truncates a cost to the smallest unit of the quote asset; CCXT would use the tick size, which applies to prices
 * only.
 */
function costToPrecision(exchange: Exchange, quote: string, cost: number | string): string {
  const { precision } = exchange.currency(quote);
  const { precisionMode, paddingMode } = exchange;
  return exchange.decimalToPrecision(
    cost,
    functions.TRUNCATE,
    precision,
    precisionMode,
    paddingMode,
  );
}
