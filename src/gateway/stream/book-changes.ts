import type { Market } from '../../engine/markets.ts';
import { Side } from '../../engine/terms.ts';
import { formatUnits } from '../../engine/units.ts';

/** The prices of one market's book that changed since its last update was sent. */
export class BookChanges {
  private readonly prices: readonly [Set<number>, Set<number>] = [new Set(), new Set()];

  /** @param sequence The book's sequence up to which updates were sent. */
  constructor(
    private readonly market: Market,
    public sequence: number,
  ) {}

  touch(side: Side, price: number): void {
    this.prices[side === Side.buy ? 0 : 1].add(price);
  }

  /** `"prevSequence":…` and the changed levels as they are now; undefined where nothing changed. */
  take(): string | undefined {
    const { market, sequence } = this;
    const [bids, asks] = this.prices;
    if (market.bookSequence === sequence) {
      bids.clear();
      asks.clear();
      return undefined;
    }
    this.sequence = market.bookSequence;
    const text =
      `"prevSequence":${sequence},"sequence":${this.sequence},` +
      `"data":{"symbol":"${market.symbol}","bids":[${this.levels(Side.buy, bids)}],` +
      `"asks":[${this.levels(Side.sell, asks)}]}`;
    bids.clear();
    asks.clear();
    return text;
  }

  private levels(side: Side, prices: ReadonlySet<number>): string {
    const { book, rules } = this.market;
    const texts: string[] = [];
    for (const price of prices) {
      const total = formatUnits(book.totalAt(side, price), rules.amountDecimals);
      texts.push(`[${formatUnits(price, rules.priceDecimals)},${total}]`);
    }
    return texts.join(',');
  }
}
