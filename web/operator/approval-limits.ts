import { ApiRequestError } from '../../src/client/errors.ts';
import { FieldError } from '../components/field-error.ts';
import { localNumber, notNumber, plainNumber } from '../components/typed-number.ts';
import { decimal, ZERO } from '../decimal.ts';
import { grouped } from '../format.ts';
import { t } from '../i18n/t.ts';

/** A limit as it is typed. */
export interface LimitRow {
  readonly asset: string;
  readonly amount: string;
}

/** Returns the name of the input, and of its errors: rows are removed, so their positions are not enough. */
export function limitField(asset: string): string {
  return `limit-${asset}`;
}

/** Writes the limits of a policy as the user would type them. */
export function limitRows(limits: readonly LimitRow[]): readonly LimitRow[] {
  return limits.map(({ asset, amount }) => ({ asset, amount: localNumber(amount) }));
}

/** Reads typed limits for a request. @throws FieldError if one is not an amount */
export function readLimits(rows: readonly LimitRow[]): LimitRow[] {
  return rows.map(({ asset, amount }) => {
    const read = readAmount(amount);
    if (read !== undefined) return { asset, amount: read };
    const problem = t('Enter an amount, such as {example}.', { example: '10000' });
    throw new FieldError(limitField(asset), notNumber(plainNumber(amount), problem));
  });
}

/** Returns an error of the exchange about the limit at an index, such as `limits.2.amount`, as one of its row. */
export function toLimitError(error: unknown, rows: readonly LimitRow[]): unknown {
  if (!(error instanceof ApiRequestError)) return error;
  const [field, index] = /^limits\.(\d+)\.[a-z]+$/.exec(`${error.details.field}`) ?? [];
  const row = rows[Number(index)];
  if (field === undefined || row === undefined) return error;
  // The message names the amount by its place in the request.
  return new FieldError(limitField(row.asset), error.message.replace(field, t('Amount')));
}

/** Formats the typed limit of an asset for the list of changes; '' if it has none. */
export function limitText(rows: readonly LimitRow[], asset: string): string {
  const typed = rows.find((row) => row.asset === asset)?.amount.trim() ?? '';
  const read = readAmount(typed);
  return read === undefined ? typed : `${grouped(read)} ${asset}`;
}

/** Returns an amount without zeros that have no meaning; undefined if it is not one. */
function readAmount(typed: string): string | undefined {
  const value = decimal(plainNumber(typed));
  return value === undefined || value.lt(ZERO) ? undefined : value.toFixed();
}
