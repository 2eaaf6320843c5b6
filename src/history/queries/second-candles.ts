import { SECOND_MS } from '../../config/durations.ts';
import { intervalStart } from '../../config/intervals.ts';
import { product } from '../../engine/numbers/exact.ts';
import { type Candle, fold, toCandle } from '../tables/candles.ts';
import type { Fill } from '../tables/fills.ts';
import type { CandleFilter, CandleSource, TradedCandles } from './candle-page.ts';
import type { FillQueries } from './fill-queries.ts';

/** Maximum trades read for a page, unless one second has more: some milliseconds. */
export const MAX_TRADES_READ = 10_000;

/**
 * Candles of one second, made of a market's trades whenever they are requested. Stored ones would cost a row for almost
 * every trade of a quiet market, and are rarely requested for times long ago.
 */
export class SecondCandles implements CandleSource {
  /** @param quoteUnit Minor units of the quote asset per price unit × amount unit. */
  constructor(
    private readonly fills: Pick<FillQueries, 'trades'>,
    private readonly quoteUnit: number,
    private readonly maxTrades = MAX_TRADES_READ,
  ) {}

  async first(market: number): Promise<number | undefined> {
    const [trade] = await this.fills.trades({ market, descending: false, limit: 1 });
    return trade?.time;
  }

  async priceBefore(market: number, time: number): Promise<number | undefined> {
    const until = time - 1;
    const [trade] = await this.fills.trades({ market, until, descending: true, limit: 1 });
    return trade?.price;
  }

  async read(
    { market }: CandleFilter,
    first: number,
    last: number,
    fromStart: boolean,
  ): Promise<TradedCandles> {
    const since = first;
    const until = last + SECOND_MS - 1;
    const terms = { market, since, until, descending: !fromStart, limit: this.maxTrades };
    const trades = await this.fills.trades(terms);
    let range = { first, last };
    if (trades.length === this.maxTrades) {
      // The last second that was read may have further trades.
      const cut = await this.cut(trades, market, fromStart);
      range = fromStart ? { first, last: cut } : { first: cut, last };
    }
    if (!fromStart) trades.reverse();
    const singles = trades.map((trade) => this.toCandle(trade));
    return { candles: fold(singles, (time) => intervalStart(time, SECOND_MS)), ...range };
  }

  /**
   * Drops the trades of a second that was not read completely, or reads the rest of it if there is no other second.
   * @returns The last second that is complete.
   */
  private async cut(trades: Fill[], market: number, fromStart: boolean): Promise<number> {
    const second = (trade: Fill) => intervalStart(trade.time, SECOND_MS);
    const partial = second(trades.at(-1)!);
    if (second(trades[0]!) !== partial) {
      while (second(trades.at(-1)!) === partial) trades.pop();
      return fromStart ? partial - SECOND_MS : partial + SECOND_MS;
    }
    for (;;) {
      const edge = trades.at(-1)!.tradeId;
      const more = await this.fills.trades({
        market,
        since: partial,
        until: partial + SECOND_MS - 1,
        ...(fromStart ? { afterId: edge } : { beforeId: edge }),
        descending: !fromStart,
        limit: this.maxTrades,
      });
      trades.push(...more);
      if (more.length < this.maxTrades) return partial;
    }
  }

  private toCandle({ tradeId: id, price, amount, side, time }: Fill): Candle {
    const cost = product(price, amount, this.quoteUnit);
    return toCandle({ id, price, amount, cost, takerSide: side }, time);
  }
}
