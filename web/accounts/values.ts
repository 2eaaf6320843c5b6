import Big from 'big.js';
import type { Balance } from '../../src/client/index.ts';
import { ZERO } from '../decimal.ts';
import { rounded } from '../format.ts';
import { t } from '../i18n/t.ts';
import { markets, roundedValue, shownQuote, valueDecimals } from '../portfolio/holdings.ts';
import { convert, findRoute } from '../portfolio/rates.ts';

/** Returns the value of a balance in the currency of the portfolio page; undefined if no market gives a price. */
export function balanceValue({ asset, total }: Balance<string>): Big | undefined {
  const route = findRoute(asset, shownQuote.value, markets.value);
  const findLast = (symbol: string) => markets.value.find((each) => each.symbol === symbol)?.last;
  return route && convert(new Big(total), route, findLast);
}

/** Returns the value of all balances that have a price. */
export function totalValue(balances: readonly Balance<string>[]): Big {
  return balances.reduce(
    (sum, balance) => sum.plus(roundedValue(balanceValue(balance) ?? ZERO)),
    ZERO,
  );
}

export function valueText(value: Big | undefined): string {
  return value === undefined ? t('No price') : `${valueNumber(value)} ${shownQuote.value}`;
}

/** Formats a value in a column whose header has the currency. */
export function valueNumber(value: Big | undefined): string {
  return value === undefined ? t('No price') : rounded(value, valueDecimals.value);
}
