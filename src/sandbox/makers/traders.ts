import { Client, OrderBook, Streams } from '../../client/index.ts';
import { type Random, seededRandom } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { Walk } from './price-walk.ts';
import { amountText, priceText, Quoter } from './quoter.ts';
import {
  type BestLevel,
  type BestPrices,
  type Take,
  takeAtRandom,
  takeBetterQuote,
} from './random-flow.ts';
import { RejectionLog } from './rejection-log.ts';

/** Each turn quotes one market. */
const TURN_MS = 500;
/** The exchange cancels the maker's quotes after this long without a heartbeat. */
const CANCEL_AFTER_SECONDS = 10;
const HEARTBEAT_TURNS = 6;
const REBALANCE_TURNS = 120;
/** Time between orders of the taker. */
const MEAN_TAKE_MS = 700;
const MAX_TAKE_MS = 2_000;

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface TradersOptions {
  readonly baseUrl: string;
  readonly maker: Credentials;
  readonly taker: Credentials;
  readonly seed: number;
}

/**
 * The sandbox's own traders: a market maker that quotes all markets around randomly walking prices, and a taker
 * that trades at the best prices. They use the public API. All their REST endpoints have rate limits by account,
 * so that they do not use up the limits of clients at the same address.
 */
export class Traders {
  private readonly maker: Client;
  private readonly taker: Client;
  private readonly streams: Streams;
  private readonly quoters: readonly Quoter[];
  private readonly books = MAKER_MARKETS.map(() => new OrderBook<number>());
  /** Separate from the walk's random numbers, so that neither depends on the timing of the other. */
  private readonly randomFlow: Random;
  private walk!: Walk;
  private skew = 0;
  private readonly rejections = new RejectionLog();
  private readonly failed = Promise.withResolvers<never>();

  constructor(private readonly options: TradersOptions) {
    const { baseUrl, maker, taker, seed } = options;
    this.maker = new Client({ baseUrl, ...maker });
    this.taker = new Client({ baseUrl, ...taker });
    const onError = (error: Error) => this.failed.reject(error);
    this.streams = new Streams({ baseUrl, ...maker, onError });
    this.quoters = MAKER_MARKETS.map((_, market) => new Quoter(this.maker, market, seed));
    this.randomFlow = seededRandom(seed + 1);
  }

  /** Trades until the signal is aborted, then cancels all open orders. @throws any error that `RejectionLog` does not tolerate */
  async run(signal: AbortSignal): Promise<void> {
    const stopped = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    this.failed.promise.catch(() => {});
    try {
      // A previous run may have left orders open.
      await this.cancelAll();
      await this.watch();
      await Promise.race([this.failed.promise, this.make(signal), this.take(signal), stopped]);
    } finally {
      this.streams.close();
    }
    await this.cancelAll();
    await this.maker.cancelAfter({ timeout: 0 });
  }

  private async cancelAll(): Promise<void> {
    await this.maker.cancelOrders({ all: 'true' });
    await this.taker.cancelOrders({ all: 'true' });
  }

  /** Subscribes to the books and the maker's orders, and starts the walk at the last prices. */
  private async watch(): Promise<void> {
    const prices: number[] = [];
    for (const [market, { symbol }] of MAKER_MARKETS.entries()) {
      const book = this.books[market]!;
      await this.streams.subscribe({ channel: 'orderbook', symbol }, (message) =>
        book.apply(message),
      );
      const unsubscribe = await this.streams.subscribe(
        { channel: 'prices', symbol },
        ({ data }) => {
          prices[market] = data.price;
        },
      );
      unsubscribe();
    }
    this.walk = new Walk(seededRandom(this.options.seed), prices);
    await this.streams.subscribe({ channel: 'orders' }, ({ op, data }) => {
      for (const quoter of this.quoters) {
        if (op === 'snapshot') quoter.noteAll(data.orders);
        else quoter.note(data.orders);
      }
    });
  }

  /** The maker's loop: heartbeat, rebalance, a step of the walk, and quotes in one market per turn. */
  private async make(signal: AbortSignal): Promise<void> {
    for (const [market, quoter] of this.quoters.entries()) await this.quote(quoter, market);
    for (let turn = 0; !signal.aborted; turn++) {
      if (turn % HEARTBEAT_TURNS === 0) {
        await this.rejections.tolerate(this.maker.cancelAfter({ timeout: CANCEL_AFTER_SECONDS }));
      }
      if (turn % REBALANCE_TURNS === REBALANCE_TURNS - 1) {
        await this.rejections.tolerate(this.rebalance());
      }
      this.walk.step(TURN_MS / 60_000, Date.now());
      const market = turn % MAKER_MARKETS.length;
      await this.quote(this.quoters[market]!, market);
      await pause(TURN_MS, signal);
    }
  }

  private async quote(quoter: Quoter, market: number): Promise<void> {
    await this.rejections.tolerate(quoter.quote(this.walk.fair(market)));
  }

  /** The taker's loop: takes better quotes of other accounts first, then follows the random flow. */
  private async take(signal: AbortSignal): Promise<void> {
    const { randomFlow } = this;
    while (!signal.aborted) {
      await pause(Math.min(MAX_TAKE_MS, -Math.log(1 - randomFlow()) * MEAN_TAKE_MS), signal);
      if (signal.aborted) return;
      for (const [market, quoter] of this.quoters.entries()) {
        const take = takeBetterQuote(market, this.bestPrices(market), quoter.best);
        if (take !== undefined) await this.rejections.tolerate(this.send(take));
      }
      const market = Math.floor(randomFlow() * MAKER_MARKETS.length);
      const activity = this.walk.activity(Date.now());
      const take = takeAtRandom(randomFlow, market, this.bestPrices(market), activity, this.skew);
      if (take !== undefined) await this.rejections.tolerate(this.send(take));
    }
  }

  private send({ market, side, ticks, amount }: Take): Promise<unknown> {
    return this.taker.placeOrder({
      symbol: MAKER_MARKETS[market]!.symbol,
      side,
      type: 'limit',
      timeInForce: 'IOC',
      price: priceText(market, ticks),
      amount: amountText(ticks, amount),
    });
  }

  private bestPrices(market: number): BestPrices {
    const { priceDecimals } = MAKER_MARKETS[market]!;
    const { bids, asks } = this.books[market]!;
    const best = (level: readonly [number, number] | undefined): BestLevel | undefined =>
      level && { ticks: Math.round(level[0] * 10 ** priceDecimals), amount: level[1] };
    return { bid: best(bids[0]), ask: best(asks[0]) };
  }

  /** Measures the inventory skew. The taker then buys or sells so that neither account runs out of coins. */
  private async rebalance(): Promise<void> {
    const [maker, taker] = await Promise.all([this.maker.getBalances(), this.taker.getBalances()]);
    const bitcoins = ({ balances }: typeof maker) =>
      balances.find(({ asset }) => asset === 'BTC')?.total ?? 0;
    const [makerCoins, takerCoins] = [bitcoins(maker), bitcoins(taker)];
    const total = makerCoins + takerCoins;
    this.skew = total === 0 ? 0 : (makerCoins - takerCoins) / total;
  }
}

function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, timeMs);
    signal.addEventListener('abort', end);
  });
}
