import type { Exchange } from '../../engine/exchange.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { Side } from '../../engine/terms.ts';
import { JsonNumber, type JsonObject } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { formatSubject, GridError } from './order-number.ts';
import { rejectionError } from './rejections.ts';

/** The account that places an order, and the key that it uses. */
export interface Placer {
  readonly account: Account;
  readonly key: number;
}

/** The state of reading one request: its placer, and the first number that is off the grid. */
export interface OrderReader extends Placer {
  readonly offGrid: GridError;
}

/** A request to place orders that has been read. */
export interface Placing<Command> {
  readonly command: Command;
  /** The error to respond with, unless the same order was placed before. */
  readonly rejection: ApiError | undefined;
}

/**
 * Reads a request to place orders. A number off the grid does not stop the reading: the order may have been
 * placed before, on another grid. If a later check fails too, the number is the error that is reported.
 * @throws ApiError
 */
export function readPlacing<Command>(
  read: (body: JsonObject, reader: OrderReader, exchange: Exchange) => Command,
  body: JsonObject,
  placer: Placer,
  exchange: Exchange,
): Placing<Command> {
  const offGrid = new GridError();
  try {
    const command = read(body, { ...placer, offGrid }, exchange);
    return { command, rejection: offGrid.first };
  } catch (error) {
    throw offGrid.first ?? error;
  }
}

/**
 * Returns the error for an order whose numbers are too large for a command. Funds are checked before bounds,
 * so it is INSUFFICIENT_BALANCE, with `required` exact at any size, unless the account can pay.
 */
export function tooLarge(
  required: Exact,
  side: Side,
  market: Market,
  placer: Placer,
  exchange: Exchange,
  field: string,
): ApiError {
  const asset = side === Side.buy ? market.quote : market.base;
  const shortage = exchange.insufficientFunds(placer.account.index, asset.index, required);
  if (shortage !== undefined) return rejectionError(shortage, exchange.state);
  const { rules } = market;
  const isAmount = field.endsWith('amount');
  const maximum = isAmount
    ? formatUnits(rules.maxAmount, rules.amountDecimals)
    : formatUnits(rules.maxPrice, rules.priceDecimals);
  return new ApiError(
    isAmount ? 'INVALID_AMOUNT' : 'INVALID_PRICE',
    `${formatSubject(field)} is above the maximum of ${maximum}.`,
    {
      field,
      rule: isAmount ? 'maxAmount' : 'maxPrice',
      nearest: new JsonNumber(maximum),
    },
  );
}
