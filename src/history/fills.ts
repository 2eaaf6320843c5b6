import type { EntryEvent, Event, TradeEvent } from '../engine/event.ts';
import { invariant } from '../engine/rejection.ts';
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
  readonly fee: bigint;
  readonly firstEntryId: number;
  /** Available of the asset given and of the one received after all of it, minor units. */
  readonly givenAfter: bigint;
  readonly receivedAfter: bigint;
  readonly time: number;
}

/** What expanding a fill needs to know of its market. */
export interface FillTerms {
  readonly base: { readonly index: number };
  readonly quote: { readonly index: number };
  /** Minor units of the base that one amount unit is worth. */
  readonly baseUnit: bigint;
  /** Minor units of the quote that one price unit × one amount unit is worth. */
  readonly quoteUnit: bigint;
}

/**
 * Takes the trade at `at` and the ledger entries that follow it: first the maker's, then the
 * taker's.
 * @returns Where the events go on behind them.
 * @throws InvariantError where other entries follow, which a fill could not stand for.
 */
export function takeFills(events: readonly Event[], at: number, add: (fill: Fill) => void): number {
  const trade = events[at] as TradeEvent;
  const taker = at + (trade.makerFee === 0n ? 4 : 5);
  const end = taker + (trade.takerFee === 0n ? 2 : 3);
  const side = trade.takerSide === Side.buy ? Side.sell : Side.buy;
  add(fillOf(events, at + 1, taker, trade, side, true));
  add(fillOf(events, taker, end, trade, trade.takerSide, false));
  return end;
}

function fillOf(
  events: readonly Event[],
  start: number,
  end: number,
  trade: TradeEvent,
  side: Side,
  isMaker: boolean,
): Fill {
  const account = isMaker ? trade.makerAccount : trade.takerAccount;
  const given = start + (isMaker ? 1 : 0);
  const first = entryAt(events, start, account, isMaker ? EntryType.release : EntryType.trade);
  const givenAfter = entryAt(events, given, account, EntryType.trade).after;
  const received = entryAt(events, given + 1, account, EntryType.trade);
  const hasFee = end === given + 3;
  const last = hasFee ? entryAt(events, given + 2, account, EntryType.fee) : received;
  invariant(last.id === first.id + end - start - 1, 'the entries of a trade have a gap');
  return {
    account,
    tradeId: trade.id,
    orderId: isMaker ? trade.makerOrderId : trade.takerOrderId,
    market: trade.market,
    side,
    isMaker,
    price: trade.price,
    amount: trade.amount,
    fee: isMaker ? trade.makerFee : trade.takerFee,
    firstEntryId: first.id,
    givenAfter,
    receivedAfter: last.after,
    time: trade.time,
  };
}

function entryAt(events: readonly Event[], at: number, account: number, type: number): EntryEvent {
  const event = events[at];
  invariant(
    event?.kind === 'entry' && event.account === account && event.type === type,
    'a trade is followed by other entries than history knows',
  );
  return event;
}

/**
 * The ledger entries that a fill stands for, as the engine reported them: the maker's hold
 * released, what was given, what was received, the fee on it where there is one.
 */
export function expandFill(fill: Fill, terms: FillTerms): EntryEvent[] {
  const { account, tradeId, fee, time } = fill;
  const baseAmount = BigInt(fill.amount) * terms.baseUnit;
  const cost = BigInt(fill.price) * BigInt(fill.amount) * terms.quoteUnit;
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
  const add = (asset: number, type: number, amount: bigint, after: bigint, reference: number) => {
    const id = fill.firstEntryId + entries.length;
    entries.push({ kind: 'entry', id, account, asset, type, amount, after, reference, time });
  };
  if (fill.isMaker) {
    const { asset, amount } = given;
    add(asset, EntryType.release, amount, fill.givenAfter + amount, fill.orderId);
  }
  add(given.asset, EntryType.trade, -given.amount, fill.givenAfter, tradeId);
  add(received.asset, EntryType.trade, received.amount, fill.receivedAfter + fee, tradeId);
  if (fee !== 0n) add(received.asset, EntryType.fee, -fee, fill.receivedAfter, tradeId);
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
    fee: BigInt(row.fee!),
    firstEntryId: Number(row.first_entry_id),
    givenAfter: BigInt(row.given_after!),
    receivedAfter: BigInt(row.received_after!),
    time: Number(row.time),
  };
}
