import type { Client, Order, PlaceOrdersParameters } from '../../client/index.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { type Quote, quotesAround } from './quotes.ts';
import type { Best, Top } from './random-flow.ts';

/** As many as one request may place. */
const MAX_BATCH = 15;
/** The quotes follow the fair price once it is this far from where they stand, cells. */
const SLACK_CELLS = 0.6;
const AMOUNT_DECIMALS = 4;

interface OpenQuote {
  readonly orderId: string;
  readonly side: Quote['side'];
  readonly ticks: number;
  readonly remaining: number;
}

/** The house's quotes in one market, and what has become of them. */
export class Quoter {
  private readonly open = new Map<string, OpenQuote>();
  /** Orders that ended before the answer to their request was here. */
  private readonly endedEarly = new Set<string>();
  private center = 0;

  constructor(
    private readonly client: Pick<Client, 'placeOrders' | 'cancelOrders'>,
    /** Index. */
    private readonly market: number,
    private readonly seed: number,
  ) {}

  private get terms() {
    return MAKER_MARKETS[this.market]!;
  }

  /** The exchange says how orders of this market stand. */
  note(orders: readonly Order<number>[]): void {
    for (const order of orders) {
      if (order.symbol !== this.terms.symbol) continue;
      const { orderId } = order;
      if (order.status !== 'open') {
        this.endedEarly.add(orderId);
        this.open.delete(orderId);
      } else if (this.open.has(orderId)) this.keep(order);
    }
  }

  /** The exchange says all that is open: what it does not name has ended. */
  noteAll(orders: readonly Order<number>[]): void {
    this.open.clear();
    for (const order of orders) if (order.symbol === this.terms.symbol) this.keep(order);
  }

  /** The best that stands. */
  get top(): Top {
    let bid: Best | undefined;
    let ask: Best | undefined;
    for (const { side, ticks, remaining: amount } of this.open.values()) {
      if (side === 'buy' && ticks > (bid?.ticks ?? 0)) bid = { ticks, amount };
      if (side === 'sell' && ticks < (ask?.ticks ?? Infinity)) ask = { ticks, amount };
    }
    return { bid, ask };
  }

  /**
   * Makes the quotes what they are to be about a fair price. New ones come before old ones go, so that
   * the book is never empty; an old one that a new one meets ends by that (self-trade prevention).
   */
  async quote(fair: number): Promise<void> {
    const { cell, priceDecimals } = this.terms;
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

  /** What a market that is not online refuses is asked for again at the next turn. */
  private async place(quotes: readonly Quote[]): Promise<void> {
    this.endedEarly.clear();
    const orders = quotes.map(({ side, ticks, amount }) => ({
      symbol: this.terms.symbol,
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
    const ticks = Math.round(price! * 10 ** this.terms.priceDecimals);
    this.open.set(orderId, { orderId, side, ticks, remaining });
  }
}

function isSame(open: OpenQuote, { side, ticks }: Quote): boolean {
  return open.side === side && open.ticks === ticks;
}

/** The decimal that a price in ticks is. */
export function priceText(market: number, ticks: number): string {
  const { priceDecimals } = MAKER_MARKETS[market]!;
  return (ticks / 10 ** priceDecimals).toFixed(priceDecimals);
}

/**
 * The decimal that an amount is, raised to what the sandbox's markets take at the price: an order is worth
 * at least what one of the base costs at a price of one tick.
 */
export function amountText(ticks: number, amount: number): string {
  const unit = 10 ** -AMOUNT_DECIMALS;
  const least = Math.ceil(1 / ticks / unit) * unit;
  return Math.max(least, amount).toFixed(AMOUNT_DECIMALS);
}
