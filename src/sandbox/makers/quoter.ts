import type { Command } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { State } from '../../engine/state.ts';
import { Side, TimeInForce } from '../../engine/terms.ts';
import { cancelIn, placeLimit } from '../limit-orders.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import type { Quote } from './quotes.ts';
import type { BestLevel, BestPrices } from './random-flow.ts';

/** Amounts have at most this many decimals. */
const QUOTE_AMOUNT_DECIMALS = 4;

/** An open order of an account that rests in a book. */
interface RestingOrder {
  readonly orderId: number;
  readonly side: Quote['side'];
  readonly ticks: number;
  /** In base. */
  readonly amount: number;
}

/** Returns the orders of an account that rest in a market's book. */
function listResting(state: State, account: number, market: Market): RestingOrder[] {
  const { details, orders } = state;
  const unit = 10 ** market.rules.amountDecimals;
  return state.accounts[account]!.openSlots.flatMap((slot) => {
    if (details.market(slot) !== market.index || details.isPending(slot)) return [];
    const side = orders.side[slot] === Side.buy ? 'buy' : 'sell';
    const amount = orders.remaining(slot) / unit;
    return [{ orderId: details.id(slot), side, ticks: orders.price(slot), amount }];
  });
}

/** Returns the best prices of an account's own orders in a market. */
export function ownBest(state: State, account: number, market: Market): BestPrices {
  let bid: BestLevel | undefined;
  let ask: BestLevel | undefined;
  for (const { side, ticks, amount } of listResting(state, account, market)) {
    if (side === 'buy' && ticks > (bid?.ticks ?? 0)) bid = { ticks, amount };
    if (side === 'sell' && ticks < (ask?.ticks ?? Infinity)) ask = { ticks, amount };
  }
  return { bid, ask };
}

/** Returns the best prices of a market's book. */
export function bestPrices({ book, rules }: Market): BestPrices {
  const best = (side: Side): BestLevel | undefined => {
    const ticks = book.bestPrice(side);
    const amount = Number(book.bestAmount(side)) / 10 ** rules.amountDecimals;
    return ticks === undefined ? undefined : { ticks, amount };
  };
  return { bid: best(Side.buy), ask: best(Side.sell) };
}

/**
 * Returns the commands after which an account's orders in a market are exactly the wanted quotes. New quotes come before the
 * cancellation of old ones, so that the book is never empty; self-trade prevention ends old quotes that new ones cross.
 */
export function changeQuotes(
  state: State,
  account: number,
  market: Market,
  wanted: readonly Quote[],
): Command[] {
  const open = listResting(state, account, market);
  const keys = new Set(open.map(toKey));
  const wantedKeys = new Set(wanted.map(toKey));
  const placed = wanted
    .filter((quote) => !keys.has(toKey(quote)))
    .map((quote) => limitOrder(account, market, quote, TimeInForce.gtc));
  const orderIds = open.filter((order) => !wantedKeys.has(toKey(order))).map((o) => o.orderId);
  if (orderIds.length === 0) return placed;
  return [...placed, cancelIn(account, market, { orderIds })];
}

function toKey({ side, ticks }: Pick<Quote, 'side' | 'ticks'>): number {
  return side === 'buy' ? ticks : -ticks;
}

/** Returns the command that places a limit order, in the market's steps and above its minimum notional. */
export function limitOrder(
  account: number,
  market: Market,
  { side, ticks, amount }: Quote,
  timeInForce: number,
): Command {
  const terms = {
    side: side === 'buy' ? Side.buy : Side.sell,
    price: ticks,
    amount: toAmount(market, ticks, amount),
  };
  return placeLimit(account, market.index, terms, timeInForce);
}

/** Returns an amount in units of the market: a multiple of its step, raised to its minimum notional if necessary. */
export function toAmount(market: Market, ticks: number, amount: number): number {
  const { amountDecimals, step, minAmount, minNotional } = market.rules;
  const grain = 10 ** Math.max(0, amountDecimals - QUOTE_AMOUNT_DECIMALS);
  const unit = Math.ceil(grain / step) * step;
  const minimum = Math.max(minAmount, Number(minNotional) / (ticks * market.quoteUnit));
  const wanted = Math.round((amount * 10 ** amountDecimals) / unit) * unit;
  return Math.max(wanted, Math.ceil(minimum / unit) * unit);
}

/** Returns a price in ticks of the sandbox's markets, on the market's present tick size. */
export function toPrice({ symbol, rules }: Market, ticks: number): number {
  const { priceDecimals } = MAKER_MARKETS.find((each) => each.symbol === symbol)!;
  const price = ticks * 10 ** (rules.priceDecimals - priceDecimals);
  return Math.max(rules.tick, Math.round(price / rules.tick) * rules.tick);
}
