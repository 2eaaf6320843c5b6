import type { OrderRecord, TradeEvent } from '../../engine/event.ts';
import { Side } from '../../engine/terms.ts';
import { Activities } from '../activities.ts';
import { type Detector, type Finding, type FindOwner, PARAMETERS, type Place } from '../alert.ts';

const {
  minRisePercent: MIN_RISE_PERCENT,
  minSharePercent: MIN_SHARE_PERCENT,
  minSoldPercent: MIN_SOLD_PERCENT,
  minGainPercent: MIN_GAIN_PERCENT,
} = PARAMETERS.pump;

// Amounts, and their costs in amount times price, of which only ratios are used.
const BOUGHT = 0;
const BOUGHT_COST = 1;
const SOLD = 2;
const SOLD_COST = 3;
const COLUMNS = 4;

/** The prices and the volume of a market in the window. */
interface Trend {
  low: number;
  /** The highest ratio of a price to the lowest price before it. */
  rise: number;
  volume: number;
}

interface SavedPump {
  readonly rows: number[][];
  /** By market; JSON has null for a market without trades. */
  readonly trends: [number, Trend | null | undefined][];
}

/** Finds users who drive a price up with a large part of the volume, and sell again at the higher price. */
export class Pump implements Detector {
  readonly name = 'pump';
  readonly windowMs = 3_600_000;
  private readonly rows = new Activities(COLUMNS);
  private readonly trends: (Trend | undefined)[] = [];

  constructor(private readonly findOwner: FindOwner) {}

  readTrades(trades: readonly TradeEvent[], _: readonly OrderRecord[], place: Place): void {
    for (const trade of trades) {
      const { market, price, amount, takerSide, makerAccount, takerAccount } = trade;
      this.follow(market, price, amount);
      const isBuy = takerSide === Side.buy;
      // Only orders that take drive a price up; it is sold with any.
      if (isBuy && trade.isAuction === undefined) this.noteBought(trade, place);
      this.noteSold(market, isBuy ? makerAccount : takerAccount, amount, price, place);
    }
  }

  endWindow(): Finding[] {
    const findings: Finding[] = [];
    this.rows.forEach((at, market, owner) => {
      const figures = this.evaluate(at, this.trends[market]!);
      if (figures === undefined) return;
      findings.push({ market, owners: [owner], ...this.rows.cited(at), figures });
    });
    this.rows.clear();
    this.trends.length = 0;
    return findings;
  }

  save(): SavedPump {
    return { rows: this.rows.save(), trends: [...this.trends.entries()] };
  }

  restore(saved: unknown): void {
    const { rows, trends } = saved as SavedPump;
    this.rows.restore(rows);
    for (const [market, trend] of trends) this.trends[market] = trend ?? undefined;
  }

  private evaluate(at: number, { rise, volume }: Trend): Finding['figures'] | undefined {
    const { values } = this.rows;
    const risePercent = Math.floor((rise - 1) * 100);
    const bought = values[at + BOUGHT]!;
    const sold = values[at + SOLD]!;
    if (risePercent < MIN_RISE_PERCENT || bought === 0 || sold === 0) return undefined;
    const sharePercent = Math.floor((bought * 100) / volume);
    const soldPercent = Math.floor((sold * 100) / bought);
    const ratio = values[at + SOLD_COST]! / sold / (values[at + BOUGHT_COST]! / bought);
    const gainPercent = Math.floor((ratio - 1) * 100);
    if (sharePercent < MIN_SHARE_PERCENT || soldPercent < MIN_SOLD_PERCENT) return undefined;
    if (gainPercent < MIN_GAIN_PERCENT) return undefined;
    return { risePercent, sharePercent, soldPercent, gainPercent };
  }

  private follow(market: number, price: number, amount: number): void {
    const trend = this.trends[market];
    if (trend === undefined) {
      this.trends[market] = { low: price, rise: 1, volume: amount };
      return;
    }
    trend.volume += amount;
    if (price < trend.low) trend.low = price;
    else if (price > trend.low * trend.rise) trend.rise = price / trend.low;
  }

  private noteBought({ market, takerAccount, amount, price }: TradeEvent, place: Place): void {
    const at = this.rows.find(market, this.findOwner(takerAccount));
    const { values } = this.rows;
    values[at + BOUGHT]! += amount;
    values[at + BOUGHT_COST]! += amount * price;
    this.rows.cite(at, place);
  }

  /** Counts a sale of a user who has bought in this window. */
  private noteSold(market: number, account: number, amount: number, price: number, place: Place) {
    const at = this.rows.find(market, this.findOwner(account));
    const { values } = this.rows;
    if (values[at + BOUGHT] === 0) return;
    values[at + SOLD]! += amount;
    values[at + SOLD_COST]! += amount * price;
    this.rows.cite(at, place);
  }
}
