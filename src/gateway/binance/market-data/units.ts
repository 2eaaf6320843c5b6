import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import type { Side } from '../../../engine/terms.ts';
import { DECIMALS, decimalText } from '../decimals.ts';

/** Returns a price with 8 decimals. @param units Price units. */
export function priceText({ rules }: Market, units: Exact): string {
  return decimalText(units, rules.priceDecimals);
}

/** Returns an amount of the base asset with 8 decimals. @param units Amount units. */
export function amountText({ rules }: Market, units: Exact): string {
  return decimalText(units, rules.amountDecimals);
}

/** Returns an amount of the quote asset with 8 decimals. @param units Its minor units. */
export function quoteText({ quote }: Market, units: Exact): string {
  return decimalText(units, quote.decimals);
}

/** Returns quote ÷ base with 8 decimals, rounded half up; undefined if there is no base. */
export function averageText(
  { rules, quote }: Market,
  quoteVolume: Exact,
  baseVolume: Exact,
): string | undefined {
  if (baseVolume === 0) return undefined;
  const scaled = BigInt(quoteVolume) * 10n ** BigInt(rules.amountDecimals + DECIMALS);
  const base = BigInt(baseVolume) * 10n ** BigInt(quote.decimals);
  return decimalText((scaled * 2n + base) / (base * 2n), DECIMALS);
}

/** Returns change ÷ open in percent with 3 decimals, rounded half away from zero. */
export function percentText(change: number, open: number): string {
  const scaled = BigInt(Math.abs(change)) * 100_000n;
  const rounded = String((scaled * 2n + BigInt(open)) / (BigInt(open) * 2n)).padStart(4, '0');
  const sign = change < 0 && Number(rounded) > 0 ? '-' : '';
  return `${sign}${rounded.slice(0, -3)}.${rounded.slice(-3)}`;
}

/** Returns the best price of a side and the amount at it; zeros if the side is empty. */
export function bestTexts(market: Market, side: Side): { price: string; amount: string } {
  const { book } = market;
  return {
    price: priceText(market, book.bestPrice(side) ?? 0),
    amount: amountText(market, book.bestAmount(side)),
  };
}
