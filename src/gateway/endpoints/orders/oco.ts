import type { PlaceOco } from '../../../engine/command.ts';
import type { OrderRecord, Outcome } from '../../../engine/event.ts';
import { OrderType } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { ORDER_FIELDS, STOP_LOSS_FORMS } from '../../openapi/order-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { readOco } from '../../orders/oco-request.ts';
import { prepare, submit } from '../../orders/placing.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { findOrder, formatOrder } from './orders.ts';

const { symbol, side, amount, price, triggerPrice } = ORDER_FIELDS;
const { expiresAt, clientOrderId, selfTradePrevention, displayAmount } = ORDER_FIELDS;
const { trailingAmount, trailingPercent, activationPrice } = ORDER_FIELDS;

/** The schema for OpenAPI. `readOco` parses the body without it. */
const OCO_SCHEMA = {
  type: 'object',
  required: ['symbol', 'side', 'amount', 'takeProfit', 'stopLoss'],
  additionalProperties: false,
  properties: {
    symbol,
    side,
    amount,
    expiresAt,
    clientOrderId,
    selfTradePrevention,
    takeProfit: {
      type: 'object',
      description: 'With only `price` a post-only limit order, else a take profit.',
      additionalProperties: false,
      minProperties: 1,
      properties: { price, triggerPrice, displayAmount },
    },
    stopLoss: {
      type: 'object',
      description:
        'A stop; with `price` a stop_limit; with `trailingAmount` or `trailingPercent` a trailing stop.',
      anyOf: STOP_LOSS_FORMS,
      additionalProperties: false,
      properties: { price, triggerPrice, trailingAmount, trailingPercent, activationPrice },
    },
  },
} as const;

/**
 * POST /api/orders/oco: places a take profit and a stop loss that cancel each other (one cancels the other).
 * `{orders}` has them in that order.
 */
export async function placeOco(call: Call): Promise<string> {
  const preparing = prepare(call, call.body(), readOco);
  const prepared = preparing instanceof Promise ? await preparing : preparing;
  const { command } = prepared;
  const outcome = await new Promise<Outcome>((resolve, reject) =>
    submit(call, prepared, resolve, reject),
  );
  if (outcome.kind === 'oco') return ordersText(call, outcome.orders);
  if (outcome.kind === 'rejected') {
    throw rejectionError(outcome, call.exchange.state, smallerLeg(command));
  }
  if (outcome.kind !== 'repeated')
    throw new Error(`unexpected outcome of placing an OCO order: ${outcome.kind}`);
  // The two orders have consecutive ids.
  const ids = [outcome.orderId, outcome.orderId + 1];
  const orders = await Promise.all(ids.map((id) => findOrder(call, id)));
  return ordersText(call, orders as OrderRecord[]);
}
placeOco.description = describe({
  operationId: 'placePair',
  tag: 'Trading',
  summary: 'Place an OCO order (one cancels the other)',
  notes:
    'Any fill or trigger of one leg cancels the other at once; canceling either cancels both. The hold is the ' +
    'larger of the two holds. `orders` lists the take-profit order first.',
  body: {
    schema: OCO_SCHEMA,
    examples: {
      sell: {
        symbol: 'BTC/USDT',
        side: 'sell',
        amount: 0.01,
        takeProfit: { price: 200000 },
        stopLoss: { triggerPrice: 20000 },
      },
    },
  },
  data: record({ orders: recordList('Order') }),
  errors: [
    'INVALID_SYMBOL',
    'INVALID_SIDE',
    'INVALID_AMOUNT',
    'INVALID_PRICE',
    'MIN_NOTIONAL',
    'INSUFFICIENT_BALANCE',
    'POST_ONLY_WOULD_TAKE',
    'MARKET_UNAVAILABLE',
    'TOO_MANY_OPEN_ORDERS',
    'DUPLICATE_CLIENT_ORDER_ID',
    'CLOCK_OFF',
    'OVERLOADED',
  ],
});

function ordersText(call: Call, orders: readonly OrderRecord[]): string {
  return `{"orders":[${orders.map((order) => formatOrder(call, order)).join(',')}]}`;
}

/** Returns the leg of less value, to which a rejection refers. */
function smallerLeg({ market, takeProfit, stopLoss }: PlaceOco) {
  const prices = [takeProfit, stopLoss]
    .map(({ price, triggerPrice }) => price || triggerPrice)
    .filter((price) => price !== 0);
  return { market, type: OrderType.limit, price: Math.min(...prices), cost: 0 };
}
