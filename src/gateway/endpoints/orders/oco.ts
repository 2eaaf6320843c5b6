import type { PlaceOco } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import { OrderType } from '../../../engine/terms.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { ocoBody } from '../../openapi/order-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { readOco } from '../../orders/oco-request.ts';
import { type PlacedReply, prepare, submit } from '../../orders/placing.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { formatOrderWithFills } from './order-fills.ts';
import { findOrder, formatOrder } from './orders.ts';
import { type Receipted, receiptText, withReceipt } from './receipts.ts';

/**
 * POST /api/orders/oco: places a take profit and a stop loss that cancel each other (one cancels the other).
 * `{orders}` has them in that order.
 */
export async function placeOco(call: Call): Promise<string> {
  const body = call.body();
  const { orders, receipt } = await placeForReceipt(call, body, readOco);
  const format = body.returnFills === true ? formatOrderWithFills : formatOrder;
  const plain = await Promise.all(orders.map((order) => format(call, order)));
  const texts =
    body.returnReceipt === true ? plain.map((text) => withReceipt(text, receipt)) : plain;
  return `{"orders":[${texts.join(',')}]}`;
}

/**
 * Places an OCO order. Returns its take profit and its stop loss, or those of the first request if it is repeated.
 * @param read Reads the command from the body.
 * @throws ApiError
 */
export async function executeOco(
  call: Call,
  body: JsonObject,
  read: typeof readOco = readOco,
): Promise<readonly OrderRecord[]> {
  return (await placeForReceipt(call, body, read)).orders;
}

async function placeForReceipt(
  call: Call,
  body: JsonObject,
  read: typeof readOco,
): Promise<{ readonly orders: readonly OrderRecord[]; readonly receipt: string }> {
  const preparing = prepare(call, body, read);
  const prepared = preparing instanceof Promise ? await preparing : preparing;
  const { command } = prepared;
  const { outcome, receipt } = await new Promise<Receipted>((resolve, reject) => {
    const reply: PlacedReply = (outcome, batch, index) =>
      resolve({ outcome, receipt: receiptText(batch, index) });
    submit(call, prepared, reply, reject);
  });
  if (outcome.kind === 'oco') return { orders: outcome.orders, receipt };
  if (outcome.kind === 'rejected') {
    throw rejectionError(outcome, call.exchange.state, smallerLeg(command));
  }
  if (outcome.kind !== 'repeated')
    throw new Error(`unexpected outcome of placing an OCO order: ${outcome.kind}`);
  // The two orders have consecutive ids.
  const ids = [outcome.orderId, outcome.orderId + 1];
  const orders = (await Promise.all(ids.map((id) => findOrder(call, id)))) as OrderRecord[];
  return { orders, receipt: receiptText() };
}
placeOco.description = describe({
  operationId: 'placePair',
  tag: 'Trading',
  summary: 'Place an OCO order (one cancels the other)',
  notes:
    'Any fill or trigger of one leg cancels the other at once; canceling either cancels both. The hold is the ' +
    'larger of the two holds. `orders` lists the take-profit order first. With `returnFills` each order has its `fills`, with `returnReceipt` the `receipt` of their place in the log.',
  body: {
    schema: fromZod(ocoBody),
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
    'ACCOUNT_LIMIT',
    'DUPLICATE_CLIENT_ORDER_ID',
    'CLOCK_OFF',
    'OVERLOADED',
  ],
});

/** Returns the leg of less value, to which a rejection refers. */
export function smallerLeg({ market, takeProfit, stopLoss }: PlaceOco) {
  const prices = [takeProfit, stopLoss]
    .map(({ price, triggerPrice }) => price || triggerPrice)
    .filter((price) => price !== 0);
  return { market, type: OrderType.limit, price: Math.min(...prices), cost: 0 };
}
