import type { ListMarket, MarketRules } from '../src/engine/command.ts';
import type { OrderRecord } from '../src/engine/event.ts';
import { NO_AUCTIONS } from '../src/engine/markets/market-rules.ts';
import { MarketStatus, OrderType, Side } from '../src/engine/terms.ts';
import { AuditedBands } from './audited-bands.ts';
import { check } from './failure.ts';

/** One side's orders, the first to trade first. */
type Queue = { id: number; price: number }[];

const MAY_BE_CROSSED: readonly number[] = [
  MarketStatus.auction,
  MarketStatus.cancelOnly,
  MarketStatus.halted,
  MarketStatus.delisted,
];

/** A market as operators configured it, and its book rebuilt from reported orders. */
export class AuditedMarket {
  status: number = MarketStatus.online;
  lastPrice = 0;
  readonly bands = new AuditedBands(this);
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
    this.rules = { ...NO_AUCTIONS, ...listing };
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

  /** The largest quantity that one price would fill, compared at every limit. @param amounts By order id. */
  maxVolume(amounts: (id: number) => number): bigint {
    const [bids, asks] = this.queues;
    const total = (queue: Queue) => queue.reduce((sum, { id }) => sum + BigInt(amounts(id)), 0n);
    const volumes = [...bids, ...asks].map(({ price }) => {
      const bought = total(bids.filter((bid) => bid.price >= price));
      const sold = total(asks.filter((ask) => ask.price <= price));
      return bought < sold ? bought : sold;
    });
    return volumes.reduce((most, volume) => (volume > most ? volume : most), 0n);
  }

  /** Checks that a book is only crossed while no order of it can trade. @param status The engine's MarketStatus. */
  checkNotCrossed(symbol: string, status: number): void {
    if (MAY_BE_CROSSED.includes(status)) return;
    const [bid, ask] = [this.queues[Side.buy][0], this.queues[Side.sell][0]];
    const isCrossed = bid !== undefined && ask !== undefined && bid.price >= ask.price;
    check(
      !isCrossed,
      `the book of ${symbol} is crossed: ${bid?.price} is bid, ${ask?.price} asked`,
    );
  }
}
