import { ApiRequestError } from '../../src/client/index.ts';
import { errorMessage } from '../components/action.ts';
import { capitalize, grouped } from '../format.ts';
import { t } from '../i18n/t.ts';
import { type Draft, isByCost } from './draft.ts';
import { type Fault, type Field, WOULD_MATCH } from './order-rules.ts';

const CODE_FIELDS: Readonly<Record<string, Field>> = {
  INVALID_AMOUNT: 'amount',
  INVALID_PRICE: 'price',
  MIN_NOTIONAL: 'amount',
  INSUFFICIENT_BALANCE: 'amount',
};

/** Converts a failed request to a fault at the form field that caused it. */
export function toFault(error: unknown, now: Draft): Fault {
  const text = describeFailure(error, 'placed');
  if (!(error instanceof ApiRequestError)) return { field: undefined, text };
  const { code, details } = error;
  const named = typeof details.field === 'string' ? formField(details.field) : undefined;
  let field = named ?? CODE_FIELDS[code];
  if (field === 'amount' && isByCost(now)) field = 'cost';
  const nearest = details.nearest;
  return {
    field,
    text,
    ...(typeof nearest === 'string' && { nearest }),
    ...(code === 'INSUFFICIENT_BALANCE' && { lacksFunds: true }),
  };
}

/** Returns whether the exchange has rejected the request, so that it has not taken effect. */
export function isRejection(error: unknown): error is ApiRequestError {
  return error instanceof ApiRequestError && error.code !== 'OUTCOME_UNKNOWN';
}

/** Explains why a request failed; without a response its outcome is unknown. @param count Number of orders */
export function describeFailure(
  error: unknown,
  done: 'placed' | 'amended' | 'canceled',
  count = 1,
): string {
  if (isRejection(error)) {
    return error.code === 'POST_ONLY_WOULD_TAKE' ? t(WOULD_MATCH) : readable(errorMessage(error));
  }
  if (error instanceof RangeError) return error.message;
  return t(
    'No response. {count, plural, one {Your order} other {Your orders}} may have been {done, select, placed {placed} amended {amended} other {canceled}}. Check Open orders before retrying.',
    { count, done },
  );
}

/** Rewrites an API message for users: field names become words, numbers get thousands separators. */
function readable(message: string): string {
  const text = message
    .replace(/([a-z])\.([a-z])/g, '$1 $2')
    .replace(/([a-z])([A-Z])(?=[a-z])/g, (_, end: string, start: string) => {
      return `${end} ${start.toLowerCase()}`;
    })
    .replace(/(?<![\w.:#-])\d{4,}(?:\.\d+)?(?![\w:-])/g, grouped);
  return capitalize(text);
}

function formField(name: string): Field | undefined {
  if (/takeProfit/.test(name)) return 'takeProfitPrice';
  if (/stopLoss/.test(name)) return /trigger/i.test(name) ? 'stopTrigger' : 'stopPrice';
  const fields: readonly string[] = [
    ...['amount', 'cost', 'price', 'triggerPrice', 'expiresAt', 'displayAmount'],
    ...['trailingPercent', 'trailingAmount', 'activationPrice'],
  ];
  return fields.includes(name) ? (name as Field) : undefined;
}
