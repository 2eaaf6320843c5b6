import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { Side } from '../../../engine/terms.ts';
import type { Services } from '../../services.ts';
import {
  AVERAGE_MINUTES,
  averagePriceText,
  figureTexts,
  toMinute,
} from '../market-data/figures.ts';
import { amountText, bestTexts, priceText } from '../market-data/units.ts';
import { type Symbols, toSymbol } from '../symbols.ts';
import { Stream } from './stream.ts';

const PERIOD_MS = 1000;
const NO_MESSAGES: readonly string[] = [];

/** The figures of one market as one of the ticker streams shows them. */
export interface TickerFormat {
  /** Returns a value that changes whenever the ticker may change. */
  readonly version: (services: Services, market: Market, now: number) => string;
  readonly text: (services: Services, market: Market, now: number) => string;
}

const day = ({ statistics }: Services, { index }: Market, now: number) =>
  statistics.get(index).at(now);

/** A version of figures that change with trades, and with the minute as trades leave the window. */
function tradeVersion(services: Services, market: Market, now: number): string {
  return `${day(services, market, now).lastTradeId} ${toMinute(now)}`;
}

/** `miniTicker`: prices and volumes of 24 hours. */
export const MINI_TICKER: TickerFormat = {
  version: tradeVersion,
  text: (services, market, now) => {
    const texts = figureTexts(market, day(services, market, now));
    return (
      `{"e":"24hrMiniTicker","E":${now},"s":"${toSymbol(market)}","c":"${texts.last}",` +
      `"o":"${texts.open}","h":"${texts.high}","l":"${texts.low}","v":"${texts.volume}",` +
      `"q":"${texts.quoteVolume}"}`
    );
  },
};

/** `ticker`: all figures of 24 hours, and the best bid and ask. */
export const TICKER: TickerFormat = {
  version: (_, market, now) => `${market.bookSequence} ${toMinute(now)}`,
  text: (services, market, now) => {
    const figures = day(services, market, now);
    const texts = figureTexts(market, figures);
    const [bid, ask] = [bestTexts(market, Side.buy), bestTexts(market, Side.sell)];
    return (
      `{"e":"24hrTicker","E":${now},"s":"${toSymbol(market)}","p":"${texts.change}",` +
      `"P":"${texts.percent}","w":"${texts.average}",` +
      `"x":"${priceText(market, figures.previousClose ?? market.price)}","c":"${texts.last}",` +
      `"Q":"${amountText(market, figures.lastAmount ?? 0)}","b":"${bid.price}",` +
      `"B":"${bid.amount}","a":"${ask.price}","A":"${ask.amount}","o":"${texts.open}",` +
      `"h":"${texts.high}","l":"${texts.low}","v":"${texts.volume}","q":"${texts.quoteVolume}",` +
      `"O":${figures.openTime},"C":${now},"F":${texts.firstId},"L":${texts.lastId},` +
      `"n":${texts.count}}`
    );
  },
};

/** `ticker_<window>`: the figures of a window that begins at the start of a minute. @param windowMs At most a day. */
export function windowTicker(window: string, windowMs: number): TickerFormat {
  return {
    version: tradeVersion,
    text: ({ statistics }, market, now) => {
      const openTime = toMinute(now) - windowMs;
      const texts = figureTexts(market, statistics.get(market.index).since(openTime, now));
      return (
        `{"e":"${window}Ticker","E":${now},"s":"${toSymbol(market)}","p":"${texts.change}",` +
        `"P":"${texts.percent}","o":"${texts.open}","h":"${texts.high}","l":"${texts.low}",` +
        `"c":"${texts.last}","w":"${texts.average}","v":"${texts.volume}",` +
        `"q":"${texts.quoteVolume}","O":${openTime},"C":${now},"F":${texts.firstId},` +
        `"L":${texts.lastId},"n":${texts.count}}`
      );
    },
  };
}

/** The ticker of one market, when it has changed. */
export class TickerStream extends Stream {
  private version: string;

  constructor(
    name: string,
    override readonly market: Market,
    private readonly format: TickerFormat,
    private readonly services: Services,
  ) {
    super(name, market, PERIOD_MS);
    this.version = format.version(services, market, services.now());
  }

  take(): readonly string[] {
    const version = this.format.version(this.services, this.market, this.services.now());
    if (version === this.version) return NO_MESSAGES;
    this.version = version;
    return [this.current()];
  }

  override current(): string {
    return this.format.text(this.services, this.market, this.services.now());
  }
}

/** The tickers of all markets that have changed, in an array. */
export class AllTickersStream extends Stream {
  private readonly versions = new Map<Market, string>();

  constructor(
    name: string,
    private readonly format: TickerFormat,
    private readonly symbols: Symbols,
    private readonly services: Services,
  ) {
    super(name, undefined, PERIOD_MS);
    this.takeChanged();
  }

  take(): readonly string[] {
    const changed = this.takeChanged();
    return changed.length === 0 ? NO_MESSAGES : [this.text(changed)];
  }

  override current(): string {
    return this.text(this.symbols.all);
  }

  private takeChanged(): Market[] {
    const { services, versions } = this;
    const now = services.now();
    return this.symbols.all.filter((market) => {
      const version = this.format.version(services, market, now);
      if (versions.get(market) === version) return false;
      versions.set(market, version);
      return true;
    });
  }

  private text(markets: readonly Market[]): string {
    const now = this.services.now();
    return `[${markets.map((market) => this.format.text(this.services, market, now))}]`;
  }
}

/** `<symbol>@avgPrice`: the average price of 5 minutes, when it has changed. */
export class AveragePriceStream extends Stream {
  private lastTradeTime = 0;
  private version: string;

  constructor(
    name: string,
    override readonly market: Market,
    private readonly services: Services,
  ) {
    super(name, market, PERIOD_MS);
    this.version = tradeVersion(services, market, services.now());
  }

  override note(event: OrderRecord | TradeEvent): void {
    if (event.kind === 'trade') this.lastTradeTime = event.time;
  }

  take(): readonly string[] {
    const { services, market } = this;
    const now = services.now();
    const version = tradeVersion(services, market, now);
    // The time of the last trade is known from the first one on.
    if (version === this.version || this.lastTradeTime === 0) return NO_MESSAGES;
    this.version = version;
    const price = averagePriceText(services, market);
    return [
      `{"e":"avgPrice","E":${now},"s":"${toSymbol(market)}","i":"${AVERAGE_MINUTES}m",` +
        `"w":"${price}","T":${this.lastTradeTime}}`,
    ];
  }
}
