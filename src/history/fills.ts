import type { EntryEvent, TradeEvent } from '../engine/event.ts';
import { difference, type Exact, exact, product, sum } from '../engine/numbers/exact.ts';
import { EntryType, Side } from '../engine/terms.ts';
import type { Row, Table } from './database.ts';

/**
 * What a trade was to one of its two accounts. It stands for the ledger entries of that side too,
 * whose ids have no gap (see `expandFill`).
 */
export interface Fill {
  readonly account: number;
  readonly tradeId: number;
  readonly orderId: number;
  readonly market: number;
  readonly side: Side;
  readonly isMaker: boolean;
  /** Price and amount units of the market. */
  readonly price: number;
  readonly amount: number;
  /** Minor units of the asset received. */
  readonly fee: Exact;
  readonly firstEntryId: number;
  /** Available of the asset given and of the one received after all of it, minor units. */
  readonly givenAfter: Exact;
  readonly receivedAfter: Exact;
  readonly time: number;
}

/** What expanding a fill needs to know of its market. */
export interface FillTerms {
  readonly base: { readonly index: number };
  readonly quote: { readonly index: number };
  /** Minor units of the base that one amount unit is worth. */
  readonly baseUnit: number;
  /** Minor units of the quote that one price unit × one amount unit is worth. */
  readonly quoteUnit: number;
}

/** What a trade was to its maker and to its taker. */
export function fillsOf(trade: TradeEvent): [Fill, Fill] {
  const { id: tradeId, market, price, amount, takerSide, time } = trade;
  const of = { tradeId, market, price, amount, time };
  return [
    {
      ...of,
      account: trade.makerAccount,
      orderId: trade.makerOrderId,
      side: takerSide === Side.buy ? Side.sell : Side.buy,
      isMaker: true,
      fee: trade.makerFee,
      firstEntryId: trade.makerEntryId,
      givenAfter: trade.makerGivenAfter,
      receivedAfter: trade.makerReceivedAfter,
    },
    {
      ...of,
      account: trade.takerAccount,
      orderId: trade.takerOrderId,
      side: takerSide,
      isMaker: false,
      fee: trade.takerFee,
      firstEntryId: trade.takerEntryId,
      givenAfter: trade.takerGivenAfter,
      receivedAfter: trade.takerReceivedAfter,
    },
  ];
}

/**
 * The ledger entries that a fill stands for, as the engine reported them: the maker's hold
 * released, what was given, what was received, the fee on it where there is one.
 */
export function expandFill(fill: Fill, terms: FillTerms): EntryEvent[] {
  const { account, tradeId, fee, time } = fill;
  const baseAmount = product(fill.amount, 1, terms.baseUnit);
  const cost = product(fill.price, fill.amount, terms.quoteUnit);
  const buys = fill.side === Side.buy;
  const given = {
    asset: buys ? terms.quote.index : terms.base.index,
    amount: buys ? cost : baseAmount,
  };
  const received = {
    asset: buys ? terms.base.index : terms.quote.index,
    amount: buys ? baseAmount : cost,
  };
  const entries: EntryEvent[] = [];
  const add = (asset: number, type: number, amount: Exact, after: Exact, reference: number) => {
    const id = fill.firstEntryId + entries.length;
    entries.push({ kind: 'entry', id, account, asset, type, amount, after, reference, time });
  };
  if (fill.isMaker) {
    const { asset, amount } = given;
    add(asset, EntryType.release, amount, sum(fill.givenAfter, amount), fill.orderId);
  }
  add(given.asset, EntryType.trade, difference(0, given.amount), fill.givenAfter, tradeId);
  const before = sum(fill.receivedAfter, fee);
  add(received.asset, EntryType.trade, received.amount, before, tradeId);
  if (fee === 0) return entries;
  add(received.asset, EntryType.fee, difference(0, fee), fill.receivedAfter, tradeId);
  return entries;
}

export const fillsTable: Table<Fill> = {
  name: 'fills',
  columns: [
    'account',
    'trade_id',
    'order_id',
    'market',
    'side',
    'is_maker',
    'price',
    'amount',
    'fee',
    'first_entry_id',
    'given_after',
    'received_after',
    'time',
  ],
  texts: ['fee', 'given_after', 'received_after'],
  write(fill, values, at) {
    values[at] = fill.account;
    values[at + 1] = fill.tradeId;
    values[at + 2] = fill.orderId;
    values[at + 3] = fill.market;
    values[at + 4] = fill.side;
    values[at + 5] = fill.isMaker ? 1 : 0;
    values[at + 6] = fill.price;
    values[at + 7] = fill.amount;
    values[at + 8] = fill.fee.toString();
    values[at + 9] = fill.firstEntryId;
    values[at + 10] = fill.givenAfter.toString();
    values[at + 11] = fill.receivedAfter.toString();
    values[at + 12] = fill.time;
  },
};

export function readFill(row: Row): Fill {
  return {
    account: Number(row.account),
    tradeId: Number(row.trade_id),
    orderId: Number(row.order_id),
    market: Number(row.market),
    side: Number(row.side) as Side,
    isMaker: Number(row.is_maker) === 1,
    price: Number(row.price),
    amount: Number(row.amount),
    fee: exact(BigInt(row.fee!)),
    firstEntryId: Number(row.first_entry_id),
    givenAfter: exact(BigInt(row.given_after!)),
    receivedAfter: exact(BigInt(row.received_after!)),
    time: Number(row.time),
  };
}
