import type { Client, Order, PlaceOrdersParameters } from '../../client/index.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { type Quote, quotesAround } from './quotes.ts';
import type { BestLevel, BestPrices } from './random-flow.ts';

/** Maximum orders per batch request. */
const MAX_BATCH = 15;
/** Quotes follow the fair price once it has moved this many cells. */
const SLACK_CELLS = 0.6;
const QUOTE_AMOUNT_DECIMALS = 4;

interface OpenQuote {
  readonly orderId: string;
  readonly side: Quote['side'];
  readonly ticks: number;
  readonly remaining: number;
}

/** Maintains the market maker's quotes in one market. */
export class Quoter {
  private readonly open = new Map<string, OpenQuote>();
  /** Orders that ended before the response to their placing arrived. */
  private readonly endedEarly = new Set<string>();
  private center = 0;

  constructor(
    private readonly client: Pick<Client, 'placeOrders' | 'cancelOrders'>,
    /** Index. */
    private readonly market: number,
    private readonly seed: number,
  ) {}

  private get parameters() {
    return MAKER_MARKETS[this.market]!;
  }

  /** Handles an update of the maker's orders. */
  note(orders: readonly Order<number>[]): void {
    for (const order of orders) {
      if (order.symbol !== this.parameters.symbol) continue;
      const { orderId } = order;
      if (order.status !== 'open') {
        this.endedEarly.add(orderId);
        this.open.delete(orderId);
      } else if (this.open.has(orderId)) this.keep(order);
    }
  }

  /** Handles a snapshot of all open orders of the maker. */
  noteAll(orders: readonly Order<number>[]): void {
    this.open.clear();
    for (const order of orders) if (order.symbol === this.parameters.symbol) this.keep(order);
  }

  /** The best own quotes. */
  get best(): BestPrices {
    let bid: BestLevel | undefined;
    let ask: BestLevel | undefined;
    for (const { side, ticks, remaining: amount } of this.open.values()) {
      if (side === 'buy' && ticks > (bid?.ticks ?? 0)) bid = { ticks, amount };
      if (side === 'sell' && ticks < (ask?.ticks ?? Infinity)) ask = { ticks, amount };
    }
    return { bid, ask };
  }

  /**
   * Quotes around a fair price. Places new quotes before it cancels old ones, so that the book is never empty.
   * Self-trade prevention ends old quotes that new ones cross.
   */
  async quote(fair: number): Promise<void> {
    const { cell, priceDecimals } = this.parameters;
    const slack = (SLACK_CELLS * cell) / 10 ** priceDecimals;
    if (Math.abs(fair - this.center) > slack) this.center = fair;
    const wanted = quotesAround(this.market, this.center, this.seed);
    const open = [...this.open.values()];
    const missing = wanted.filter((quote) => !open.some((each) => isSame(each, quote)));
    const surplus = open.filter((each) => !wanted.some((quote) => isSame(each, quote)));
    for (let from = 0; from < missing.length; from += MAX_BATCH) {
      await this.place(missing.slice(from, from + MAX_BATCH));
    }
    if (surplus.length === 0) return;
    await this.client.cancelOrders({ ids: surplus.map(({ orderId }) => orderId).join() });
    for (const { orderId } of surplus) this.open.delete(orderId);
  }

  /** Places quotes. Rejected ones are placed again at the next turn. */
  private async place(quotes: readonly Quote[]): Promise<void> {
    this.endedEarly.clear();
    const orders = quotes.map(({ side, ticks, amount }) => ({
      symbol: this.parameters.symbol,
      side,
      type: 'limit' as const,
      price: priceText(this.market, ticks),
      amount: amountText(ticks, amount),
    })) satisfies PlaceOrdersParameters['orders'];
    const { results } = await this.client.placeOrders({ orders });
    for (const result of results) {
      if (!result.success || result.data.status !== 'open') continue;
      if (!this.endedEarly.has(result.data.orderId)) this.keep(result.data);
    }
  }

  private keep({ orderId, side, price, remaining }: Order<number>): void {
    const ticks = Math.round(price! * 10 ** this.parameters.priceDecimals);
    this.open.set(orderId, { orderId, side, ticks, remaining });
  }
}

function isSame(open: OpenQuote, { side, ticks }: Quote): boolean {
  return open.side === side && open.ticks === ticks;
}

/** Returns a price in ticks as a decimal. */
export function priceText(market: number, ticks: number): string {
  const { priceDecimals } = MAKER_MARKETS[market]!;
  return (ticks / 10 ** priceDecimals).toFixed(priceDecimals);
}

/**
 * Returns an amount as a decimal, raised if necessary to the minimum notional of the sandbox's markets: the cost
 * of one base at a price of one tick.
 */
export function amountText(ticks: number, amount: number): string {
  const unit = 10 ** -QUOTE_AMOUNT_DECIMALS;
  const minimum = Math.ceil(1 / ticks / unit) * unit;
  return Math.max(minimum, amount).toFixed(QUOTE_AMOUNT_DECIMALS);
}
