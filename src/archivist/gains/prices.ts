import { MINUTE_MS } from '../../config/durations.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { HistoryReader } from '../../history/history.ts';
import type { Valuation } from './account-gains.ts';

type PricedMarket = Pick<
  Market,
  'index' | 'base' | 'quote' | 'baseUnit' | 'quoteUnit' | 'lastPrice'
>;

/** One conversion of a route, by the market's price or by its inverse. */
interface Step {
  readonly market: PricedMarket;
  readonly isInverse: boolean;
}

/** Returns the price of a market in price units; undefined if it has none. */
export type PriceLookup = (market: number) => number | undefined;

/** A price as a fraction: minor units of the quote asset per minor unit. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Maximum number of markets in a route. */
const MAX_STEPS = 3;
/** Prices that are kept. */
const MAX_KEPT = 20_000;

/** The routes by which assets are valued in one quote asset: the shortest ones, through markets that have traded. */
export class Routes {
  private readonly markets: readonly PricedMarket[];
  private readonly routes = new Map<number, readonly Step[] | undefined>();

  constructor(
    readonly quote: number,
    markets: readonly PricedMarket[],
  ) {
    this.markets = markets.filter(({ lastPrice }) => lastPrice > 0);
  }

  /** Number of markets that have traded: with more, routes may be others. */
  get tradedMarkets(): number {
    return this.markets.length;
  }

  /** Returns the markets by which assets are valued. */
  marketsFor(assets: Iterable<number>): Set<number> {
    const steps = [...assets].flatMap((asset) => this.route(asset) ?? []);
    return new Set(steps.map(({ market }) => market.index));
  }

  /** Returns the price of an asset; undefined if there is none. */
  price(asset: number, lookup: PriceLookup): Fraction | undefined {
    const route = this.route(asset);
    if (route === undefined) return undefined;
    let [numerator, denominator] = [1n, 1n];
    for (const { market, isInverse } of route) {
      const price = lookup(market.index);
      if (price === undefined || price === 0) return undefined;
      const quoteUnits = BigInt(price) * BigInt(market.quoteUnit);
      numerator *= isInverse ? BigInt(market.baseUnit) : quoteUnits;
      denominator *= isInverse ? quoteUnits : BigInt(market.baseUnit);
    }
    return { numerator, denominator };
  }

  valuation(lookup: PriceLookup): Valuation {
    return (asset, amount) => {
      const price = this.price(asset, lookup);
      return price && (amount * price.numerator) / price.denominator;
    };
  }

  private route(asset: number): readonly Step[] | undefined {
    if (!this.routes.has(asset)) this.routes.set(asset, this.findRoute(asset));
    return this.routes.get(asset);
  }

  private findRoute(asset: number): readonly Step[] | undefined {
    let routes: { readonly at: number; readonly steps: Step[] }[] = [{ at: asset, steps: [] }];
    const seen = new Set([asset]);
    for (let length = 0; length <= MAX_STEPS; length++) {
      const found = routes.find(({ at }) => at === this.quote);
      if (found !== undefined) return found.steps;
      routes = routes.flatMap(({ at, steps }) =>
        this.markets.flatMap((market) => {
          const isInverse = at === market.quote.index;
          if (!isInverse && at !== market.base.index) return [];
          const next = isInverse ? market.base.index : market.quote.index;
          if (seen.has(next)) return [];
          seen.add(next);
          return [{ at: next, steps: [...steps, { market, isInverse }] }];
        }),
      );
    }
    return undefined;
  }
}

/** The prices of the last trades before minutes of the past. Before the first trade of a market its first price counts. */
export class PastPrices {
  private readonly kept = new Map<string, number | undefined>();
  private readonly first = new Map<number, number | undefined>();

  constructor(
    private readonly read: <A>(work: (reader: HistoryReader) => Promise<A>) => Promise<A>,
  ) {}

  /** Returns the prices of markets at a time. */
  async at(time: number, markets: Iterable<number>): Promise<PriceLookup> {
    const minute = time - (time % MINUTE_MS);
    const found = new Map<number, number | undefined>();
    for (const market of markets) {
      const key = `${market} ${minute}`;
      if (!this.kept.has(key)) {
        if (this.kept.size >= MAX_KEPT) this.kept.clear();
        const price = await this.read((reader) => reader.priceBefore(market, minute));
        this.kept.set(key, price ?? (await this.firstPrice(market)));
      }
      found.set(market, this.kept.get(key));
    }
    return (market) => found.get(market);
  }

  /** Returns the price of a market's first trade. */
  async firstPrice(market: number): Promise<number | undefined> {
    if (!this.first.has(market)) {
      const candle = await this.read((reader) => reader.firstCandle(market));
      this.first.set(market, candle?.open);
    }
    return this.first.get(market);
  }
}
