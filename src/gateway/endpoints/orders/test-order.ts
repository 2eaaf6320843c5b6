import type { PlacingCommand } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { Exchange } from '../../../engine/exchange.ts';
import {
  MAX_PREVIEWED_FILLS,
  type Preview,
  type PreviewedFill,
  type PreviewedHold,
} from '../../../engine/orders/preview/preview.ts';
import type { Rejection } from '../../../engine/rejection.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { list, nullableReference, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { readOco } from '../../orders/oco-request.ts';
import type { OrderReader } from '../../orders/order-reader.ts';
import { readOrder } from '../../orders/order-request.ts';
import { prepare, previewPrepared } from '../../orders/placing.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { holdText, testedFillText, testedOrderText } from '../tested-records.ts';
import { placeOco, smallerLeg } from './oco.ts';
import { findOrder, placeOrder, rejectedOrder } from './orders.ts';

const hold = nullableReference(
  'OrderHold',
  'The balance that would be held; null if nothing would stay open.',
  { asset: 'USDT', amount: 450 },
);

/** The result of testing an order. */
const orderTest = record({
  order: recordRef('TestedOrder'),
  fills: list(recordRef('TestedFill'), 'Fills that the order would have at once.'),
  hold,
});

/** The result of testing an OCO order. */
const ocoTest = record({ orders: recordList('TestedOrder'), hold });

/**
 * POST /api/orders/test: returns what POST /api/orders would do with the same body, and does nothing. A repeated
 * `clientOrderId` returns the first order, as placing it again does.
 */
export function testOrder(call: Call): Promise<string> {
  return previewOrder(call, call.body());
}

/** Returns what placing an order would do now. @param body As for POST /api/orders. @throws ApiError */
export async function previewOrder(call: Call, body: JsonObject): Promise<string> {
  const { preview, command } = await test(call, body, readOrder);
  if (preview.kind === 'rejected') {
    throw rejectionError(preview, call.exchange.state, rejectedOrder(command, preview));
  }
  if (preview.kind === 'repeated') {
    const order = await findOrder(call, preview.orderId);
    if (order !== undefined) return resultText(call, order, [], null);
  }
  if (preview.kind !== 'order') throw unexpected(preview);
  return resultText(call, preview.order, preview.fills, preview.hold);
}
testOrder.description = describe({
  operationId: 'testOrder',
  tag: 'Trading',
  summary: 'Test an order without placing it',
  notes:
    'Takes the body of `POST /api/orders` and returns what that request would do at this moment: the order after ' +
    'matching, its fills and its hold, or the error. Nothing is placed, held or remembered. ' +
    `An order with more than ${MAX_PREVIEWED_FILLS} fills cannot be tested.`,
  body: placeOrder.description.body!,
  data: orderTest,
  errors: placeOrder.description.errors!,
});

/** POST /api/orders/oco/test: returns what POST /api/orders/oco would do with the same body, and does nothing. */
export async function testOco(call: Call): Promise<string> {
  const { preview, command } = await test(call, call.body(), readOco);
  const { state } = call.exchange;
  if (preview.kind === 'rejected') throw rejectionError(preview, state, smallerLeg(command));
  if (preview.kind === 'repeated') {
    const ids = [preview.orderId, preview.orderId + 1];
    const orders = await Promise.all(ids.map((id) => findOrder(call, id)));
    return ocoText(call, orders as OrderRecord[], null);
  }
  if (preview.kind !== 'oco') throw unexpected(preview);
  return ocoText(call, preview.orders, preview.hold);
}
testOco.description = describe({
  operationId: 'testOco',
  tag: 'Trading',
  summary: 'Test an OCO order without placing it',
  notes:
    'Takes the body of `POST /api/orders/oco` and returns what that request would do at this moment: both orders ' +
    'and the hold that they share, or the error. Nothing is placed, held or remembered.',
  body: placeOco.description.body!,
  data: ocoTest,
  errors: placeOco.description.errors!,
});

interface Tested<Command> {
  readonly command: Command;
  readonly preview: Preview;
}

/** Reads a request to place orders and previews it in the present state. @throws ApiError */
async function test<Command extends PlacingCommand>(
  call: Call,
  body: JsonObject,
  read: (body: JsonObject, placer: OrderReader, exchange: Exchange) => Command,
): Promise<Tested<Command>> {
  // An order that another node has acknowledged must be in the book and in the balances.
  const current = call.services.replica.whenCurrent();
  if (current !== undefined) await current;
  const preparing = prepare(call, body, read);
  const prepared = preparing instanceof Promise ? await preparing : preparing;
  const preview = previewPrepared(call, prepared);
  if (preview.kind === 'tooManyFills') throw tooManyFills();
  return { command: prepared.command, preview };
}

function tooManyFills(): ApiError {
  const message = `A test computes at most ${MAX_PREVIEWED_FILLS} fills, and this order would have more. Test a smaller amount.`;
  return new ApiError('INVALID_AMOUNT', message, { field: 'amount', rule: 'maxTestedFills' });
}

function unexpected({ kind }: Exclude<Preview, Rejection>): Error {
  return new Error(`unexpected result of testing an order: ${kind}`);
}

function resultText(
  { exchange }: Call,
  order: OrderRecord,
  fills: readonly PreviewedFill[],
  hold: PreviewedHold | null,
): string {
  const market = exchange.state.markets[order.market]!;
  const fillTexts = fills.map((fill) => testedFillText(fill, order.side, market));
  return (
    `{"order":${testedOrderText(order, market)},"fills":[${fillTexts.join(',')}],` +
    `"hold":${holdText(hold, exchange.state)}}`
  );
}

function ocoText(
  { exchange: { state } }: Call,
  orders: readonly OrderRecord[],
  hold: PreviewedHold | null,
): string {
  const texts = orders.map((order) => testedOrderText(order, state.markets[order.market]!));
  return `{"orders":[${texts.join(',')}],"hold":${holdText(hold, state)}}`;
}
