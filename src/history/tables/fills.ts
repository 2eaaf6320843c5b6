import type { EntryEvent, TradeEvent } from '../../engine/event.ts';
import { difference, type Exact, product, sum } from '../../engine/numbers/exact.ts';
import { EntryType, oppositeSide, Side } from '../../engine/terms.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, flag, integer, money } from './columns.ts';

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
  /** Minor units of the asset received; negative for a rebate, in minor units of the asset given. */
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
      side: oppositeSide(takerSide),
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
 * received, and the fee or rebate if there is one.
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
  const charged = fee > 0 ? fee : 0;
  const rebate = difference(charged, fee);
  const givenAfter = difference(fill.givenAfter, rebate);
  if (fill.isMaker) {
    const { asset, amount } = given;
    add(asset, EntryType.release, amount, sum(givenAfter, amount), fill.orderId);
  }
  add(given.asset, EntryType.trade, difference(0, given.amount), givenAfter, tradeId);
  const before = sum(fill.receivedAfter, charged);
  add(received.asset, EntryType.trade, received.amount, before, tradeId);
  if (fee < 0) add(given.asset, EntryType.rebate, rebate, fill.givenAfter, tradeId);
  if (fee <= 0) return entries;
  add(received.asset, EntryType.fee, difference(0, fee), fill.receivedAfter, tradeId);
  return entries;
}

const columns = new Columns<Fill>({
  account: integer('account'),
  tradeId: bigint('trade_id'),
  orderId: bigint('order_id'),
  market: integer('market'),
  side: integer<Side>('side'),
  isMaker: flag('is_maker'),
  price: bigint('price'),
  amount: bigint('amount'),
  fee: money('fee'),
  firstEntryId: bigint('first_entry_id'),
  givenAfter: money('given_after'),
  receivedAfter: money('received_after'),
  time: bigint('time'),
});

export const fillsTable: Table<Fill> = {
  name: 'fills',
  columns: columns.all,
  write: (fill, values, at) => columns.write(fill, values, at),
};

export function readFill(row: Row): Fill {
  return columns.read(row);
}
