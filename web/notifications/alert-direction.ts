import { plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';

/** Returns the direction in which the price reaches a typed one; undefined if it is not a price, or the last price. */
export function inferDirection(
  typed: string,
  last: string | undefined,
): 'above' | 'below' | undefined {
  const price = decimal(plainNumber(typed));
  if (price === undefined || last === undefined || price.eq(last)) return undefined;
  return price.gt(last) ? 'above' : 'below';
}
