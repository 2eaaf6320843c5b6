import type { Attached } from '../../engine/command.ts';
import type { OrderRecord } from '../../engine/event.ts';
import type { Side } from '../../engine/terms.ts';
import type { Row, Table } from '../database/database.ts';
import {
  addedIn,
  bigint,
  Columns,
  flag,
  integer,
  jsonOrNull,
  money,
  textOrNull,
} from './columns.ts';

/** A final order and the batch that made it final. */
export interface EndedOrder {
  readonly account: number;
  readonly order: OrderRecord;
  readonly endedIn: number;
  /** Fingerprint of the request that placed it under its client order id; undefined if unknown. */
  readonly fingerprint?: number | undefined;
}

type RareTerms = Pick<
  OrderRecord,
  'attached' | 'trailing' | 'displayAmount' | 'ocoId' | 'triggeredAt'
>;

/** An order as stored: one column has all terms that few orders have. Most such orders have legs of a bracket alone. */
type StoredOrder = Omit<OrderRecord, 'kind' | keyof RareTerms> & {
  readonly attached: Attached | RareTerms | null;
};

const orderColumns = new Columns<StoredOrder>({
  account: integer('account'),
  id: bigint('id'),
  market: integer('market'),
  side: integer<Side>('side'),
  status: integer('status'),
  key: integer('key'),
  type: integer('type'),
  timeInForce: integer('time_in_force'),
  postOnly: flag('post_only'),
  selfTradePrevention: integer('self_trade_prevention'),
  price: bigint('price'),
  amount: bigint('amount'),
  remaining: bigint('remaining'),
  cost: money('cost'),
  filledCost: money('filled_cost'),
  fees: money('fees'),
  reason: integer('reason'),
  clientOrderId: textOrNull('client_order_id'),
  createdAt: bigint('created_at'),
  updatedAt: bigint('updated_at'),
  lastFillAt: bigint('last_fill_at'),
  expiresAt: bigint('expires_at'),
  triggerPrice: addedIn(2, bigint('trigger_price')),
  attached: addedIn(3, jsonOrNull<Attached | RareTerms>('attached')),
  parentId: addedIn(3, bigint('parent_id')),
});

const endColumns = new Columns<Pick<EndedOrder, 'endedIn' | 'fingerprint'>>({
  endedIn: addedIn(3, bigint('ended_in')),
  fingerprint: addedIn(4, {
    ...bigint('fingerprint'),
    write: toFingerprintColumn,
    read: (value) => fromFingerprintColumn(Number(value)),
  }),
});

/** Final orders; rows never change. */
export const ordersTable: Table<EndedOrder> = {
  name: 'orders',
  columns: [...orderColumns.all, ...endColumns.all],
  write(ended, values, at) {
    orderColumns.write(toStored(ended.order), values, at);
    endColumns.write(ended, values, at + orderColumns.all.length);
  },
};

export function readOrder(row: Row): OrderRecord {
  const { attached, ...order } = orderColumns.read(row);
  const terms = attached === null || 'takeProfit' in attached ? { attached } : attached;
  return { kind: 'order', ...order, ...terms };
}

function toStored(order: OrderRecord): StoredOrder {
  const { attached, trailing, displayAmount, ocoId, triggeredAt } = order;
  const hasSpecialTerms = trailing !== undefined || displayAmount !== undefined;
  if (!hasSpecialTerms && ocoId === undefined && triggeredAt === undefined) return order;
  const terms: RareTerms = {
    attached,
    ...(trailing === undefined ? {} : { trailing }),
    ...(displayAmount === undefined ? {} : { displayAmount }),
    ...(ocoId === undefined ? {} : { ocoId }),
    ...(triggeredAt === undefined ? {} : { triggeredAt }),
  };
  return { ...order, attached: terms };
}

/** Returns the column's value: the unsigned fingerprint plus one, or 0 if it is unknown. */
function toFingerprintColumn(fingerprint: number | undefined): number {
  return fingerprint === undefined ? 0 : (fingerprint >>> 0) + 1;
}

export function fromFingerprintColumn(value: number): number | undefined {
  return value === 0 ? undefined : (value - 1) | 0;
}
