import { oppositeSide, Side, TimeInForce } from '../../engine/terms.ts';
import { cancelIn, placeLimit } from '../limit-orders.ts';
import { changeQuotes } from '../makers/quoter.ts';
import { type QuotedMarket, quotesFor } from '../makers/quotes.ts';
import type { RecordedEvent } from './events.ts';
import type { MarketPlayer, PlayerContext } from './market-player.ts';
import { openOrders } from './open-orders.ts';

/** Quotes follow trades at multiples of this time, so that their times are known after a restart too. */
const QUOTES_MS = 500;

export interface TradePlayerOptions extends PlayerContext {
  /** Indexes of accounts. */
  readonly maker: number;
  readonly taker: number;
  /** Undefined for recorded trades without quotes. */
  readonly quoted: QuotedMarket | undefined;
  readonly seed: number;
  /** Price before the first trade, in units. */
  readonly firstPrice: number;
  /** Time of the first quotes, milliseconds since 1970. */
  readonly startsAt: number;
}

/**
 * Plays recorded trades: the maker offers each at its price and amount, and the taker takes it. Other accounts' orders
 * at that price or a better one trade first. Around the last price the maker has quotes.
 */
export class TradePlayer implements MarketPlayer {
  nextAt: number;
  private price: number;
  /** The maker's orders of the present run that are not canceled yet; undefined before its first trade. */
  private resting: ReturnType<typeof openOrders> | undefined;

  constructor(private readonly options: TradePlayerOptions) {
    this.nextAt = options.quoted === undefined ? Number.POSITIVE_INFINITY : options.startsAt;
    this.price = options.firstPrice;
  }

  skip(event: RecordedEvent): void {
    if (event.kind !== 'trade') return;
    this.price = event.price;
    if (this.options.quoted !== undefined) this.nextAt = nextQuotes(event.time);
  }

  begin(now: number, isResumed: boolean): void {
    if (this.nextAt <= now) this.nextAt = isResumed ? Number.POSITIVE_INFINITY : now;
  }

  play(event: RecordedEvent): boolean {
    if (event.kind !== 'trade') return true;
    const { state, market, submit, maker, taker } = this.options;
    const { side, price, amount } = event;
    this.resting ??= openOrders(state, maker, market);
    // The maker's own quotes up to this price would trade in its place.
    const isInFront = (order: { side: Side; price: number }) =>
      order.side === Side.sell ? order.price <= price : order.price >= price;
    const orderIds = this.resting.filter(isInFront).map(({ orderId }) => orderId);
    if (orderIds.length > 0) submit(cancelIn(maker, market, { orderIds }));
    this.resting = this.resting.filter((order) => !isInFront(order));
    const offer = { side: oppositeSide(side), price, amount };
    submit(placeLimit(maker, market.index, offer, TimeInForce.gtc));
    submit(placeLimit(taker, market.index, { side, price, amount }, TimeInForce.ioc));
    this.price = price;
    return true;
  }

  endRun(time: number): void {
    const { quoted } = this.options;
    if (quoted === undefined) return;
    // The state has the orders of the run only after it, so that quotes have a run of their own.
    if (this.resting !== undefined) this.nextAt = nextQuotes(time);
    else if (time >= this.nextAt) this.quote(quoted);
    this.resting = undefined;
  }

  private quote(quoted: QuotedMarket): void {
    const { state, market, submit, maker, seed } = this.options;
    const { price } = this;
    // In whole cells, so that small moves of the price leave the quotes as they are.
    const center = Math.max(1, Math.round(price / quoted.cell)) * quoted.cell;
    const fair = center / 10 ** quoted.priceDecimals;
    const wanted = quotesFor(quoted, market.index, fair, seed).filter(({ side, ticks }) =>
      side === 'buy' ? ticks < price : ticks > price,
    );
    for (const command of changeQuotes(state, maker, market, wanted)) submit(command);
    this.nextAt = Number.POSITIVE_INFINITY;
  }
}

/** Returns the time of the quotes after a trade. */
function nextQuotes(time: number): number {
  return time - (time % QUOTES_MS) + QUOTES_MS;
}
