import type { ListMarket, MarketRules } from '../src/engine/command.ts';
import type { OrderRecord } from '../src/engine/event.ts';
import { MarketStatus, OrderType, Side } from '../src/engine/terms.ts';
import { check } from './failure.ts';

/** One side's orders, the first to trade first. */
type Queue = { id: number; price: number }[];

/** A market as operators configured it, and its book rebuilt from reported orders. */
export class AuditedMarket {
  status: number = MarketStatus.online;
  lastPrice = 0;
  rules: MarketRules;
  /** Minor units of the base in a unit of amount, and of the quote in a unit of price × amount. */
  readonly baseUnit: bigint;
  readonly quoteUnit: bigint;
  private readonly queues: readonly [Queue, Queue] = [[], []];

  /** @param base Index of the asset. @param decimals Decimals of all assets, by index. */
  constructor(
    listing: ListMarket,
    readonly base: number,
    readonly quote: number,
    decimals: readonly number[],
  ) {
    this.rules = listing;
    const { priceDecimals, amountDecimals } = listing;
    this.baseUnit = 10n ** BigInt(decimals[base]! - amountDecimals);
    this.quoteUnit = 10n ** BigInt(decimals[quote]! - priceDecimals - amountDecimals);
  }

  /** Whether a last price of `price` triggers a pending order. */
  static isReached({ type, side, triggerPrice }: OrderRecord, price: number): boolean {
    const isStop = type === OrderType.stop || type === OrderType.stopLimit;
    const triggersOnRise = (side === Side.buy) === isStop;
    return triggersOnRise ? price >= triggerPrice : price <= triggerPrice;
  }

  queue(side: Side): Queue {
    return this.queues[side];
  }

  /** Adds an order after all with the same or a better price. */
  add({ id, side, price }: OrderRecord): void {
    const queue = this.queues[side];
    const isWorse = (other: number) => (side === Side.buy ? other < price : other > price);
    const place = queue.findIndex((each) => isWorse(each.price));
    queue.splice(place < 0 ? queue.length : place, 0, { id, price });
  }

  /** Removes an order if it is in the book. */
  remove({ id, side }: OrderRecord): void {
    const queue = this.queues[side];
    const place = queue.findIndex((each) => each.id === id);
    if (place >= 0) queue.splice(place, 1);
  }

  checkNotCrossed(symbol: string): void {
    const [bid, ask] = [this.queues[Side.buy][0], this.queues[Side.sell][0]];
    const isCrossed = bid !== undefined && ask !== undefined && bid.price >= ask.price;
    check(
      !isCrossed,
      `the book of ${symbol} is crossed: ${bid?.price} is bid, ${ask?.price} asked`,
    );
  }
}
