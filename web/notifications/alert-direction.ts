import type Big from 'big.js';
import { plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';

type Direction = 'above' | 'below';

/** Returns the direction in which the price reaches a typed one; undefined if it is not a price, or the last price. */
export function inferDirection(typed: string, last: string | undefined): Direction | undefined {
  const price = decimal(plainNumber(typed));
  return price === undefined ? undefined : directionTo(price, last);
}

/** Returns the direction in which the last price reaches another one; undefined if it is there, or there is none. */
export function directionTo(price: Big, last: string | undefined): Direction | undefined {
  if (last === undefined || price.eq(last)) return undefined;
  return price.gt(last) ? 'above' : 'below';
}
