import type { OrderRecord, TradeEvent } from '../../engine/event.ts';
import { Side } from '../../engine/terms.ts';
import { Activities } from '../activities.ts';
import { type Detector, type Finding, type FindOwner, PARAMETERS, type Place } from '../alert.ts';

const DAY_MS = 86_400_000;
const CLOSING_MS = 300_000;
const {
  minTrades: MIN_TRADES,
  minMoveBasisPoints: MIN_MOVE_BASIS_POINTS,
  minSharePercent: MIN_SHARE_PERCENT,
} = PARAMETERS.marking_the_close;

const NET = 0;
const TRADES = 1;
const COLUMNS = 2;

/** A market since the closing period began. */
interface Closing {
  /** Price of the last trade before the period. */
  readonly reference: number;
  volume: number;
}

interface SavedClose {
  readonly rows: number[][];
  /** Last price by market; JSON has null for a market without trades. */
  readonly prices: [number, number | null | undefined][];
  readonly closings: [number, Closing][];
}

/**
 * Finds users whose orders take most of the volume in the last minutes of a day (UTC), the close of daily candles and
 * statements, and move the price in their direction.
 */
export class MarkingTheClose implements Detector {
  readonly name = 'marking_the_close';
  readonly windowMs = CLOSING_MS;
  private readonly rows = new Activities(COLUMNS);
  private readonly lastPrices: number[] = [];
  private readonly closings = new Map<number, Closing>();

  constructor(private readonly findOwner: FindOwner) {}

  readTrades(trades: readonly TradeEvent[], _: readonly OrderRecord[], place: Place): void {
    const isClosing = place.time % DAY_MS >= DAY_MS - CLOSING_MS;
    for (const trade of trades) {
      if (isClosing && trade.isAuction === undefined) this.add(trade, place);
      this.lastPrices[trade.market] = trade.price;
    }
  }

  endWindow(): Finding[] {
    const findings: Finding[] = [];
    this.rows.forEach((at, market, owner) => {
      const figures = this.evaluate(at, market);
      if (figures === undefined) return;
      findings.push({ market, owners: [owner], ...this.rows.cited(at), figures });
    });
    this.rows.clear();
    this.closings.clear();
    return findings;
  }

  save(): SavedClose {
    const { rows, lastPrices, closings } = this;
    return { rows: rows.save(), prices: [...lastPrices.entries()], closings: [...closings] };
  }

  restore(saved: unknown): void {
    const { rows, prices, closings } = saved as SavedClose;
    this.rows.restore(rows);
    for (const [market, price] of prices) if (price !== null) this.lastPrices[market] = price!;
    for (const [market, closing] of closings) this.closings.set(market, closing);
  }

  private evaluate(at: number, market: number): Finding['figures'] | undefined {
    const { values } = this.rows;
    const { reference, volume } = this.closings.get(market)!;
    const moveBasisPoints = Math.trunc((this.lastPrices[market]! / reference - 1) * 10_000);
    const sharePercent = Math.trunc((Math.abs(values[at + NET]!) * 100) / volume);
    if (Math.sign(moveBasisPoints) !== Math.sign(values[at + NET]!)) return undefined;
    if (Math.abs(moveBasisPoints) < MIN_MOVE_BASIS_POINTS) return undefined;
    if (sharePercent < MIN_SHARE_PERCENT || values[at + TRADES]! < MIN_TRADES) return undefined;
    return { moveBasisPoints, sharePercent, trades: values[at + TRADES]! };
  }

  private add({ market, amount, takerSide, takerAccount }: TradeEvent, place: Place): void {
    const reference = this.lastPrices[market];
    // Nothing is known about the price before the first trade of a market.
    if (reference === undefined) return;
    const closing = this.closings.get(market) ?? { reference, volume: 0 };
    this.closings.set(market, closing);
    closing.volume += amount;
    const at = this.rows.find(market, this.findOwner(takerAccount));
    this.rows.values[at + NET]! += takerSide === Side.buy ? amount : -amount;
    this.rows.values[at + TRADES]!++;
    this.rows.cite(at, place);
  }
}
