import { Client, OrderBook, Streams } from '../../client/index.ts';
import { type Random, seededRandom } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { Walk } from './price-walk.ts';
import { amountText, priceText, Quoter } from './quoter.ts';
import { type Best, type Take, type Top, takeAtRandom, takeOfStranger } from './random-flow.ts';
import { Refusals } from './rejection-log.ts';

/** One market at a turn. */
const TURN_MS = 500;
/** The exchange cancels the quotes of a maker that has been silent for so long. */
const SILENCE_SECONDS = 10;
const SIGN_OF_LIFE_TURNS = 6;
const LOOK_AT_BALANCES_TURNS = 120;
const MEAN_TAKE_MS = 700;
const LONGEST_TAKE_MS = 2_000;

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
 * The sandbox's own traders: a maker that quotes all markets about prices that walk at random, and a
 * taker that trades with whatever is best. They are clients like any other; of REST they use what counts
 * by account alone, so that the windows of whoever shares their address stay whole.
 */
export class Traders {
  private readonly maker: Client;
  private readonly taker: Client;
  private readonly streams: Streams;
  private readonly desks: readonly Quoter[];
  private readonly books = MAKER_MARKETS.map(() => new OrderBook<number>());
  /** Each decides by random numbers of its own: how often the one looks changes nothing for the other. */
  private readonly randomFlow: Random;
  private walk!: Walk;
  private skew = 0;
  private readonly refusals = new Refusals();
  private readonly failed = Promise.withResolvers<never>();

  constructor(private readonly options: TradersOptions) {
    const { baseUrl, maker, taker, seed } = options;
    this.maker = new Client({ baseUrl, ...maker });
    this.taker = new Client({ baseUrl, ...taker });
    const onError = (error: Error) => this.failed.reject(error);
    this.streams = new Streams({ baseUrl, ...maker, onError });
    this.desks = MAKER_MARKETS.map((_, market) => new Quoter(this.maker, market, seed));
    this.randomFlow = seededRandom(seed + 1);
  }

  /** Trades until the signal is aborted; nothing is left open then. Throws what it cannot go on after. */
  async run(signal: AbortSignal): Promise<void> {
    const stopped = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    this.failed.promise.catch(() => {});
    try {
      // What a life before this one has left behind.
      await this.cancelAll();
      await this.look();
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

  /** Watches the books and the maker's orders; the walk goes on from the last prices. */
  private async look(): Promise<void> {
    const prices: number[] = [];
    for (const [market, { symbol }] of MAKER_MARKETS.entries()) {
      const book = this.books[market]!;
      await this.streams.subscribe({ channel: 'orderbook', symbol }, (message) =>
        book.apply(message),
      );
      const leave = await this.streams.subscribe({ channel: 'prices', symbol }, ({ data }) => {
        prices[market] = data.price;
      });
      leave();
    }
    this.walk = new Walk(seededRandom(this.options.seed), prices);
    await this.streams.subscribe({ channel: 'orders' }, ({ op, data }) => {
      for (const fixture of this.desks) {
        if (op === 'snapshot') fixture.noteAll(data.orders);
        else fixture.note(data.orders);
      }
    });
  }

  /** The maker: a sign of life, a step of the walk and a look at one market at each turn. */
  private async make(signal: AbortSignal): Promise<void> {
    for (const [market, fixture] of this.desks.entries()) await this.quote(fixture, market);
    for (let turn = 0; !signal.aborted; turn++) {
      if (turn % SIGN_OF_LIFE_TURNS === 0) {
        await this.refusals.outlive(this.maker.cancelAfter({ timeout: SILENCE_SECONDS }));
      }
      if (turn % LOOK_AT_BALANCES_TURNS === LOOK_AT_BALANCES_TURNS - 1) {
        await this.refusals.outlive(this.weigh());
      }
      this.walk.step(TURN_MS / 60_000, Date.now());
      const market = turn % MAKER_MARKETS.length;
      await this.quote(this.desks[market]!, market);
      await pause(TURN_MS, signal);
    }
  }

  private async quote(fixture: Quoter, market: number): Promise<void> {
    await this.refusals.outlive(fixture.quote(this.walk.fair(market)));
  }

  /** The taker: whoever quotes better than the house comes first, then a whim. */
  private async take(signal: AbortSignal): Promise<void> {
    const { randomFlow } = this;
    while (!signal.aborted) {
      await pause(Math.min(LONGEST_TAKE_MS, -Math.log(1 - randomFlow()) * MEAN_TAKE_MS), signal);
      if (signal.aborted) return;
      for (const [market, fixture] of this.desks.entries()) {
        const take = takeOfStranger(market, this.top(market), fixture.top);
        if (take !== undefined) await this.refusals.outlive(this.send(take));
      }
      const market = Math.floor(randomFlow() * MAKER_MARKETS.length);
      const activity = this.walk.activity(Date.now());
      const take = takeAtRandom(randomFlow, market, this.top(market), activity, this.skew);
      if (take !== undefined) await this.refusals.outlive(this.send(take));
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

  private top(market: number): Top {
    const { priceDecimals } = MAKER_MARKETS[market]!;
    const { bids, asks } = this.books[market]!;
    const best = (level: readonly [number, number] | undefined): Best | undefined =>
      level && { ticks: Math.round(level[0] * 10 ** priceDecimals), amount: level[1] };
    return { bid: best(bids[0]), ask: best(asks[0]) };
  }

  /** The one of the two that has less of the coins buys them back, so that neither ever runs dry. */
  private async weigh(): Promise<void> {
    const [maker, taker] = await Promise.all([this.maker.getBalances(), this.taker.getBalances()]);
    const bitcoins = ({ balances }: typeof maker) =>
      balances.find(({ asset }) => asset === 'BTC')?.total ?? 0;
    const [theirs, ours] = [bitcoins(maker), bitcoins(taker)];
    this.skew = theirs + ours === 0 ? 0 : (theirs - ours) / (theirs + ours);
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
