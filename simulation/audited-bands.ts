import type { TradeEvent } from '../src/engine/event.ts';
import type { MarketRules } from '../src/engine/markets/market-rules.ts';
import { check } from './failure.ts';

const DAY_MS = 86_400_000;
const MILLION = 1_000_000n;

/** The reference prices of a market's bands, followed by its trades alone. */
export class AuditedBands {
  /** The last auction's price of the day, or the last price before its first trade; 0 if it is not known. */
  private reference = 0;
  private day = -1;
  /** The taker and the command of the last trade, and the last price before the taker's first trade in it. */
  private taker = 0;
  private command = 0;
  private before = 0;

  constructor(
    private readonly market: { readonly lastPrice: number; readonly rules: MarketRules },
  ) {}

  /**
   * Records a trade before it becomes the last price. In continuous trading it must be within the bands.
   * @param command Number of the command. @param isChecked False if the rules may have changed within it.
   */
  trade(trade: TradeEvent, command: number, isChecked: boolean): void {
    const { id, price, time, takerOrderId, isAuction } = trade;
    const { rules, lastPrice } = this.market;
    const last = lastPrice || rules.referencePrice;
    const day = Math.floor(time / DAY_MS);
    if (this.day !== day) this.reference = last;
    this.day = day;
    if (takerOrderId !== this.taker || command !== this.command) this.before = last;
    this.taker = takerOrderId;
    this.command = command;
    if (isAuction) this.reference = price;
    else if (isChecked && rules.dynamicBand > 0) {
      const isNear = isWithin(price, this.before, rules.dynamicBand);
      check(isNear, `trade ${id} at ${price} is outside the dynamic band around ${this.before}`);
    }
    if (!isChecked) this.reference = 0;
    this.forget();
    if (isAuction || this.reference === 0 || rules.staticBand === 0) return;
    const isNear = isWithin(price, this.reference, rules.staticBand);
    check(isNear, `trade ${id} at ${price} is outside the static band around ${this.reference}`);
  }

  /** Forgets the static reference if there is no static band; must be called if the rules change. */
  forget(): void {
    if (this.market.rules.staticBand === 0) this.day = -1;
  }
}

function isWithin(price: number, reference: number, band: number): boolean {
  const distance = BigInt(Math.abs(price - reference)) * MILLION;
  return distance <= BigInt(reference) * BigInt(band);
}
