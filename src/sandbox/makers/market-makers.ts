import { MINUTE_MS } from '../../config/durations.ts';
import type { Command } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { State } from '../../engine/state.ts';
import { MarketStatus, TimeInForce } from '../../engine/terms.ts';
import { type Random, seededRandom } from '../../storage/seeded-random.ts';
import type { TimedTask } from '../clock/timeline.ts';
import {
  type MakerBehavior,
  moveAt,
  moveBy,
  NO_MOVE,
  NORMAL_BEHAVIOR,
  type PriceMove,
} from './behavior.ts';
import { MAKER, TAKER } from './maker-accounts.ts';
import { cancelLeftovers } from './maker-genesis.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { Walk, type WalkState } from './price-walk.ts';
import { bestPrices, changeQuotes, limitOrder, ownBest, toPrice } from './quoter.ts';
import { quotesAround } from './quotes.ts';
import { TAKES_PER_MINUTE, type Take, takeAtRandom, takeBetterQuote } from './random-flow.ts';

export { type MakerBehavior, NORMAL_BEHAVIOR } from './behavior.ts';
export { MAKER, MAKER_ACCOUNTS, TAKER } from './maker-accounts.ts';
export { cancelLeftovers, missingMakers } from './maker-genesis.ts';
export { MAKER_MARKETS } from './maker-markets.ts';

/** Each turn quotes one market. */
const TURN_MS = 500;
/** Mean and maximum time between orders of the taker. */
const MEAN_TAKE_MS = 700;
const MAX_TAKE_MS = 2_000;
/** While hours are played at once, a turn quotes all markets and takes in all of them. */
const COARSE_TURN_MS = 30_000;
/** Quotes follow the fair price once it has moved this many cells. */
const SLACK_CELLS = 0.6;

export interface MarketMakersOptions {
  readonly state: State;
  readonly submit: (command: Command) => void;
  readonly seed: number;
  /** Time of the first turn, milliseconds since 1970. */
  readonly startsAt: number;
  /** Whether so much time is being played that turns are rare. */
  readonly isCoarse: () => boolean;
}

/** The state from which market makers continue as if they had never stopped. */
export interface SavedMakers {
  readonly quotesAt: number;
  readonly takesAt: number;
  readonly turn: number;
  readonly walkedTo: number;
  readonly centers: readonly number[];
  readonly walk: WalkState;
  readonly behaviors: readonly MakerBehavior[];
  readonly moves: readonly PriceMove[];
}

/** A change of the behavior in one market. */
export interface BehaviorChange extends Partial<MakerBehavior> {
  /** Relative change of the fair price, such as -0.2, and the time that it takes. */
  readonly move?: { readonly change: number; readonly durationMs: number };
}

/**
 * The sandbox's own traders: a market maker that quotes all markets around randomly walking prices, and a taker that trades
 * at the best prices. Their commands depend only on the seed, the time, and the state of the exchange.
 */
export class MarketMakers implements TimedTask {
  private readonly walk: Walk;
  /** The random numbers of the present turn, which depend on nothing before it. */
  private random: Random = seededRandom(0);
  private quotesAt: number;
  private takesAt: number;
  private walkedTo: number;
  private turn = 0;
  private readonly centers = MAKER_MARKETS.map(() => 0);
  private readonly behaviors = MAKER_MARKETS.map(() => NORMAL_BEHAVIOR);
  private readonly moves = MAKER_MARKETS.map(() => NO_MOVE);

  constructor(
    private readonly options: MarketMakersOptions,
    saved?: SavedMakers,
  ) {
    const { state, startsAt } = options;
    const prices = MAKER_MARKETS.map(({ symbol, priceDecimals, reference }) => {
      const price = state.marketsBySymbol.get(symbol)?.lastPrice ?? 0;
      return price === 0 ? reference : price / 10 ** priceDecimals;
    });
    this.walk = new Walk(() => this.random(), prices);
    this.quotesAt = startsAt;
    this.takesAt = startsAt + 1;
    this.walkedTo = startsAt;
    if (saved !== undefined) this.restore(saved);
  }

  get nextAt(): number {
    return Math.min(this.quotesAt, this.takesAt);
  }

  run(time: number): void {
    if (time >= this.quotesAt) this.runQuotes(time);
    if (time >= this.takesAt) this.runTakes(time);
  }

  /** The state from which others continue. */
  get saved(): SavedMakers {
    const { quotesAt, takesAt, turn, walkedTo, centers, behaviors, moves } = this;
    return {
      quotesAt,
      takesAt,
      turn,
      walkedTo,
      centers: [...centers],
      behaviors: [...behaviors],
      moves: [...moves],
      walk: this.walk.state,
    };
  }

  /** Returns the behavior in a market. @param market Index in `MAKER_MARKETS`. */
  behavior(market: number): MakerBehavior {
    return this.behaviors[market]!;
  }

  /** Changes the behavior in a market from its next turn on, which is due at once. @param time The present. */
  change(market: number, { move, ...behavior }: BehaviorChange, time: number): void {
    this.behaviors[market] = { ...this.behaviors[market]!, ...behavior };
    if (market < 3) this.walk.volatility[market] = this.behaviors[market]!.volatility;
    if (move !== undefined) {
      this.moves[market] = moveBy(this.moves[market]!, move.change, move.durationMs, time);
    }
    this.quoteMarket(market, time);
  }

  /** Cancels all orders of the market makers. */
  cancelAll(): void {
    for (const command of cancelLeftovers(this.options.state)) this.options.submit(command);
  }

  private restore(saved: SavedMakers): void {
    const { quotesAt, takesAt, turn, walkedTo, centers, behaviors, moves, walk } = saved;
    Object.assign(this, { quotesAt, takesAt, turn, walkedTo });
    this.centers.splice(0, Number.POSITIVE_INFINITY, ...centers);
    this.behaviors.splice(0, Number.POSITIVE_INFINITY, ...behaviors);
    this.moves.splice(0, Number.POSITIVE_INFINITY, ...moves);
    this.walk.restore(walk);
    for (let coin = 0; coin < 3; coin++) this.walk.volatility[coin] = behaviors[coin]!.volatility;
  }

  /** Advances the walk and quotes: one market per turn, or all if turns are rare. */
  private runQuotes(time: number): void {
    this.beginTurn(time, 0);
    const isCoarse = this.options.isCoarse();
    this.walk.step(Math.min(5, (time - this.walkedTo) / MINUTE_MS), time);
    this.walkedTo = time;
    const isFirst = this.turn === 0;
    for (const market of MAKER_MARKETS.keys()) {
      if (isCoarse || isFirst || market === this.turn % MAKER_MARKETS.length) {
        this.quoteMarket(market, time);
      }
    }
    this.turn++;
    this.quotesAt = time + (isCoarse ? COARSE_TURN_MS : TURN_MS);
    // Turns that are rare are one batch each.
    if (isCoarse) this.takesAt = time;
  }

  private quoteMarket(index: number, time: number): void {
    const { state, submit, seed } = this.options;
    const found = this.find(index, MAKER);
    if (found === undefined) return;
    const { market, account } = found;
    const { cell, priceDecimals } = MAKER_MARKETS[index]!;
    const fair = this.walk.fair(index) * Math.exp(moveAt(this.moves[index]!, time));
    const slack = (SLACK_CELLS * cell) / 10 ** priceDecimals;
    if (Math.abs(fair - this.centers[index]!) > slack) this.centers[index] = fair;
    const behavior = this.behaviors[index]!;
    const quotes = behavior.running
      ? quotesAround(index, this.centers[index]!, seed, behavior)
      : [];
    const wanted = quotes.map((quote) => ({ ...quote, ticks: toPrice(market, quote.ticks) }));
    for (const command of changeQuotes(state, account, market, wanted)) submit(command);
  }

  /** Takes better quotes of other accounts first, then follows the random flow. */
  private runTakes(time: number): void {
    this.beginTurn(time, 1);
    const { random } = this;
    const isCoarse = this.options.isCoarse();
    for (const index of MAKER_MARKETS.keys()) this.takeBetter(index);
    const activity = this.walk.activity(time);
    if (isCoarse) {
      const factor = (TAKES_PER_MINUTE * COARSE_TURN_MS) / MINUTE_MS;
      for (const index of MAKER_MARKETS.keys()) this.takeRandomly(index, activity * factor);
      this.takesAt = this.quotesAt;
    } else {
      this.takeRandomly(Math.floor(random() * MAKER_MARKETS.length), activity);
      const waitMs = Math.min(MAX_TAKE_MS, -Math.log(1 - random()) * MEAN_TAKE_MS);
      this.takesAt = time + Math.max(1, Math.floor(waitMs));
    }
  }

  private takeBetter(index: number): void {
    const maker = this.find(index, MAKER);
    if (maker === undefined || !this.behaviors[index]!.running) return;
    const own = ownBest(this.options.state, maker.account, maker.market);
    this.send(takeBetterQuote(index, bestPrices(maker.market), own));
  }

  private takeRandomly(index: number, activity: number): void {
    const found = this.find(index, TAKER);
    const { running, flow, bias } = this.behaviors[index]!;
    if (found === undefined || !running || flow === 0) return;
    const best = bestPrices(found.market);
    this.send(takeAtRandom(this.random, index, best, activity * flow, this.skew, bias));
  }

  private send(take: Take | undefined): void {
    const found = take && this.find(take.market, TAKER);
    if (take === undefined || found === undefined) return;
    const { market, account } = found;
    const order = { ...take, ticks: toPrice(market, take.ticks) };
    this.options.submit(limitOrder(account, market, order, TimeInForce.ioc));
  }

  /** The inventory skew: the taker buys or sells so that neither account runs out of coins. */
  private get skew(): number {
    const { accountsById, assetsByName } = this.options.state;
    const asset = assetsByName.get('BTC')?.index ?? 0;
    const [maker, taker] = [MAKER, TAKER].map((id) => {
      const balance = accountsById.get(id)?.balances[asset];
      return balance === undefined ? 0 : Number(balance.available) + Number(balance.held);
    }) as [number, number];
    return maker + taker === 0 ? 0 : (maker - taker) / (maker + taker);
  }

  /** Returns a market that trades and the index of an account; undefined if either is missing. */
  private find(index: number, id: string): { market: Market; account: number } | undefined {
    const { marketsBySymbol, accountsById } = this.options.state;
    const market = marketsBySymbol.get(MAKER_MARKETS[index]!.symbol);
    const account = accountsById.get(id);
    if (market === undefined || account === undefined) return undefined;
    return market.currentStatus === MarketStatus.online
      ? { market, account: account.index }
      : undefined;
  }

  private beginTurn(time: number, purpose: number): void {
    const { seed } = this.options;
    let hash = Math.imul(seed ^ (purpose + 1), 0x9e3779b1);
    hash = Math.imul(hash ^ Math.floor(time / 2 ** 20), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ (time % 2 ** 20), 0xc2b2ae35);
    this.random = seededRandom((hash ^ (hash >>> 13)) >>> 0);
  }
}
