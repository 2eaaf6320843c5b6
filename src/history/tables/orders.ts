import type { Attached } from '../../engine/command.ts';
import type { OrderRecord } from '../../engine/event.ts';
import { exact } from '../../engine/numbers/exact.ts';
import type { Side } from '../../engine/terms.ts';
import type { Row, Table } from '../database/database.ts';

/** A final order and the batch that made it final. */
export interface EndedOrder {
  readonly account: number;
  readonly order: OrderRecord;
  readonly endedIn: number;
  /** Fingerprint of the request that placed it under its client order id; undefined if unknown. */
  readonly fingerprint?: number | undefined;
}

/** Final orders; rows never change. */
export const ordersTable: Table<EndedOrder> = {
  name: 'orders',
  columns: [
    'account',
    'id',
    'market',
    'side',
    'status',
    'key',
    'type',
    'time_in_force',
    'post_only',
    'self_trade_prevention',
    'price',
    'amount',
    'remaining',
    'cost',
    'filled_cost',
    'fees',
    'reason',
    'client_order_id',
    'created_at',
    'updated_at',
    'last_fill_at',
    'expires_at',
    'trigger_price',
    'attached',
    'parent_id',
    'ended_in',
    'fingerprint',
  ],
  texts: ['cost', 'filled_cost', 'fees', 'client_order_id', 'attached'],
  write({ order, endedIn, fingerprint }, values, at) {
    values[at] = order.account;
    values[at + 1] = order.id;
    values[at + 2] = order.market;
    values[at + 3] = order.side;
    values[at + 4] = order.status;
    values[at + 5] = order.key;
    values[at + 6] = order.type;
    values[at + 7] = order.timeInForce;
    values[at + 8] = order.postOnly ? 1 : 0;
    values[at + 9] = order.selfTradePrevention;
    values[at + 10] = order.price;
    values[at + 11] = order.amount;
    values[at + 12] = order.remaining;
    values[at + 13] = order.cost.toString();
    values[at + 14] = order.filledCost.toString();
    values[at + 15] = order.fees.toString();
    values[at + 16] = order.reason;
    values[at + 17] = order.clientOrderId ?? '';
    values[at + 18] = order.createdAt;
    values[at + 19] = order.updatedAt;
    values[at + 20] = order.lastFillAt;
    values[at + 21] = order.expiresAt;
    values[at + 22] = order.triggerPrice;
    values[at + 23] = toRareTerms(order);
    values[at + 24] = order.parentId;
    values[at + 25] = endedIn;
    values[at + 26] = toFingerprintColumn(fingerprint);
  },
};

export function readOrder(row: Row): OrderRecord {
  return {
    kind: 'order',
    id: Number(row.id),
    account: Number(row.account),
    key: Number(row.key),
    market: Number(row.market),
    side: Number(row.side) as Side,
    type: Number(row.type),
    timeInForce: Number(row.time_in_force),
    postOnly: Number(row.post_only) === 1,
    selfTradePrevention: Number(row.self_trade_prevention),
    price: Number(row.price),
    triggerPrice: Number(row.trigger_price),
    amount: Number(row.amount),
    remaining: Number(row.remaining),
    cost: exact(BigInt(row.cost!)),
    filledCost: exact(BigInt(row.filled_cost!)),
    fees: exact(BigInt(row.fees!)),
    status: Number(row.status),
    reason: Number(row.reason),
    clientOrderId: row.client_order_id === '' ? null : String(row.client_order_id),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    lastFillAt: Number(row.last_fill_at),
    expiresAt: Number(row.expires_at),
    ...fromRareTerms(String(row.attached)),
    parentId: Number(row.parent_id),
  };
}

type RareTerms = Pick<OrderRecord, 'attached' | 'trailing' | 'displayAmount'>;

/** Returns the value of the column `attached`: the terms that few orders have, as JSON; '' for none. */
function toRareTerms({ attached, trailing, displayAmount }: RareTerms): string {
  if (trailing === undefined && displayAmount === undefined) {
    return attached === null ? '' : JSON.stringify(attached);
  }
  return JSON.stringify({ attached, trailing, displayAmount });
}

function fromRareTerms(column: string): RareTerms {
  if (column === '') return { attached: null };
  const terms = JSON.parse(column) as Attached | RareTerms;
  // Most rows with such terms have the legs of a bracket order alone.
  return 'takeProfit' in terms ? { attached: terms } : terms;
}

/** Returns the column's value: the unsigned fingerprint plus one, or 0 if it is unknown. */
function toFingerprintColumn(fingerprint: number | undefined): number {
  return fingerprint === undefined ? 0 : (fingerprint >>> 0) + 1;
}

export function fromFingerprintColumn(value: number): number | undefined {
  return value === 0 ? undefined : (value - 1) | 0;
}
