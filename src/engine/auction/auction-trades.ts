import type { TradeEvent } from '../event.ts';
import type { Market } from '../markets/markets.ts';
import type { Exact } from '../numbers/exact.ts';
import { settleLink } from '../orders/endings/endings.ts';
import { reduceInBook } from '../orders/matching/icebergs.ts';
import { noteFill, noteTrade, settleTrade } from '../orders/matching/settlement.ts';
import type { State } from '../state.ts';
import { NONE, Side } from '../terms.ts';

/**
 * Fills every order that an auction at `price` fills: on both sides by price, then time, until one side has no order left
 * at this price or a better one. Both orders of a trade pay the maker fee, because both rested; no taker pays for a rebate, so that a negative fee is zero. Self-trade prevention does
 * not apply: orders trade with the auction, not with one another. An iceberg takes part with all it hides.
 */
export function uncrossAt(state: State, market: Market, price: number): void {
  const { orders } = state;
  const { book } = market;
  for (;;) {
    const bid = book.best(Side.buy);
    const ask = book.best(Side.sell);
    if (bid === NONE || ask === NONE) return;
    if (orders.price(bid) < price || orders.price(ask) > price) return;
    const quantity = Math.min(state.remaining(bid), state.remaining(ask));
    if (state.links.size > 0) {
      settleLink(state, bid);
      settleLink(state, ask);
    }
    const isBidYounger = state.details.id(bid) > state.details.id(ask);
    const [maker, taker] = isBidYounger ? [ask, bid] : [bid, ask];
    fill(state, market, maker, taker, price, quantity);
  }
}

/** A trade to which `isAuction` is added, because copying the event takes a twentieth of an auction. */
type AuctionTrade = { -readonly [Field in keyof TradeEvent]: TradeEvent[Field] };

/** Settles one match, then reduces or removes both orders. */
function fill(
  state: State,
  market: Market,
  maker: number,
  taker: number,
  price: number,
  quantity: number,
): void {
  const { orders, details, accounts, feeTiers, time } = state;
  releaseBefore(state, market, maker, taker, price, quantity);
  const makerAccount = accounts[orders.account(maker)]!;
  const takerAccount = accounts[orders.account(taker)]!;
  const trade: AuctionTrade = settleTrade(
    state,
    market,
    maker,
    details.id(taker),
    takerAccount,
    orders.side[taker] as Side,
    price,
    quantity,
    Math.max(0, feeTiers.makerFee(makerAccount, market, time)),
    Math.max(0, feeTiers.makerFee(takerAccount, market, time)),
  );
  trade.isAuction = true;
  state.events.push(trade);
  noteTrade(state, market, trade);
  reduce(state, market, maker, quantity, trade.cost, trade.makerFee);
  reduce(state, market, taker, quantity, trade.cost, trade.takerFee);
}

/**
 * Releases what a trade does not take from a hold itself: all that the taker holds for it, because a trade debits the
 * taker's available balance, and for a maker that buys what it pays less than its limit.
 */
function releaseBefore(
  { orders, details, accounts, ledger }: State,
  market: Market,
  maker: number,
  taker: number,
  price: number,
  quantity: number,
): void {
  const buyer = orders.side[taker] === Side.buy ? taker : maker;
  const limit = orders.price(buyer);
  const paidBelow = buyer === taker ? 0 : price;
  const account = accounts[orders.account(buyer)]!;
  if (limit > paidBelow) {
    const released = market.notional(limit - paidBelow, quantity);
    ledger.release(account, market.quote.index, released, details.id(buyer));
  }
  if (buyer === taker) return;
  const seller = accounts[orders.account(taker)]!;
  ledger.release(seller, market.base.index, market.baseAmount(quantity), details.id(taker));
}

/** Lowers an order by a fill and reports it; a filled order leaves the book. */
function reduce(
  state: State,
  market: Market,
  slot: number,
  quantity: number,
  cost: Exact,
  fee: Exact,
): void {
  const remaining = state.remaining(slot) - quantity;
  if (remaining === 0) state.removeFromBook(slot, market);
  else reduceInBook(state, slot, market, quantity);
  noteFill(state, slot, remaining, state.orders.remaining(slot), cost, fee);
  if (remaining === 0) state.unlink(slot);
}
