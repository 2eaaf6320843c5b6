import type { Exchange } from '../../engine/exchange.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { MarketStatus } from '../../engine/terms.ts';
import { DECIMALS } from './decimals.ts';
import { invalidSymbol } from './errors.ts';
import { missing, type Parameters } from './parameters.ts';

/** Returns the symbol of a market in the dialect: BTCUSDT for BTC/USDT. */
export function toSymbol({ base, quote }: Pick<Market, 'base' | 'quote'>): string {
  return base.asset + quote.asset;
}

export const TRADING_STATUSES = [
  'TRADING',
  'HALT',
  'BREAK',
  'CANCEL_ONLY',
  'AUCTION_MATCH',
] as const;
export type TradingStatus = (typeof TRADING_STATUSES)[number];

/** Returns a market's status as Binance names it (enums.md): it trades, only cancels, is halted, is in
 * an auction (a status of earlier releases of the document), or has ended.
 */
export function tradingStatus({
  currentStatus: status,
}: Pick<Market, 'currentStatus'>): TradingStatus {
  if (status <= MarketStatus.limitOnly) return 'TRADING';
  if (status === MarketStatus.auction) return 'AUCTION_MATCH';
  if (status === MarketStatus.cancelOnly) return 'CANCEL_ONLY';
  return status === MarketStatus.delisted ? 'BREAK' : 'HALT';
}

/**
 * The markets that the dialect can express, by symbol: those whose prices and amounts have at most 8 decimals. Of markets with the same
 * symbol, such as AB/C and A/BC, it has the one that was listed first.
 */
export class Symbols {
  private readonly markets = new Map<string, Market>();
  /** Markets are only ever added, so those up to this index are in the map or left out for good. */
  private known = 0;
  /** The markets that are left out, each with the reason. */
  private readonly leftOut: string[] = [];

  constructor(private readonly exchange: () => Exchange) {}

  get all(): readonly Market[] {
    this.update();
    return [...this.markets.values()];
  }

  find(symbol: string): Market | undefined {
    this.update();
    return this.markets.get(symbol);
  }

  /** Returns whether the dialect can express a market. */
  includes(market: Market): boolean {
    return this.find(toSymbol(market)) === market;
  }

  /** Returns why markets are left out: one line each. */
  get omissions(): readonly string[] {
    this.update();
    return this.leftOut;
  }

  /** Returns the market of a mandatory `symbol`. @throws BinanceError -1100, -1102, -1121 */
  read(parameters: Parameters): Market {
    const market = this.readOptional(parameters);
    if (market === undefined) throw missing('symbol');
    return market;
  }

  readOptional(parameters: Parameters): Market | undefined {
    const symbol = parameters.symbol();
    if (symbol === undefined) return undefined;
    const market = this.find(symbol);
    if (market === undefined) throw invalidSymbol();
    return market;
  }

  private update(): void {
    const { markets } = this.exchange().state;
    for (; this.known < markets.length; this.known++) {
      const market = markets[this.known]!;
      const reason = this.findReason(market);
      if (reason === undefined) this.markets.set(toSymbol(market), market);
      else this.leftOut.push(`${market.symbol}: ${reason}`);
    }
  }

  private findReason(market: Market): string | undefined {
    const { priceDecimals, amountDecimals } = market.rules;
    if (priceDecimals > DECIMALS) return `prices have ${priceDecimals} decimals`;
    if (amountDecimals > DECIMALS) return `amounts have ${amountDecimals} decimals`;
    const other = this.markets.get(toSymbol(market));
    return other === undefined ? undefined : `${other.symbol} has the same symbol`;
  }
}
