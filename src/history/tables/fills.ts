import type { EntryEvent, TradeEvent } from '../../engine/event.ts';
import { difference, type Exact, exact, product, sum } from '../../engine/numbers/exact.ts';
import { EntryType, Side } from '../../engine/terms.ts';
import type { Row, Table } from '../database/database.ts';

/**
 * One account's side of a trade. It also represents that side's ledger entries, whose ids are consecutive (see
 * `expandFill`).
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
  /** Available balances of the assets given and received after the fill, minor units. */
  readonly givenAfter: Exact;
  readonly receivedAfter: Exact;
  readonly time: number;
}

/** The properties of a market that expanding its fills requires. */
export interface FillTerms {
  readonly base: { readonly index: number };
  readonly quote: { readonly index: number };
  /** Minor units of the base asset per amount unit. */
  readonly baseUnit: number;
  /** Minor units of the quote asset per price unit × amount unit. */
  readonly quoteUnit: number;
}

/** Returns the maker's and the taker's fill of a trade. */
export function toFills(trade: TradeEvent): [Fill, Fill] {
  const { id: tradeId, market, price, amount, takerSide, time } = trade;
  const common = { tradeId, market, price, amount, time };
  return [
    {
      ...common,
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
      ...common,
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
 * Returns a fill's ledger entries as the engine reported them: the release of the maker's hold, the asset given, the asset
 * received, and the fee if there is one.
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
