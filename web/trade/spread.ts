import Big from 'big.js';
import { fixed, percent } from '../format.ts';
import { priceDecimals } from './markets.ts';

/** Formats the distance of the best prices, and its share of the best ask. */
export function describeSpread(bid: string, ask: string) {
  const distance = new Big(ask).minus(bid);
  const share = (distance.toNumber() / Number(ask)) * 100;
  return {
    spread: fixed(distance, priceDecimals.value),
    share: percent(share.toFixed(6), 3).replace('+', ''),
  };
}
