import { NUMBER, readJson } from '../json.ts';

/**
 * Parses JSON with every number as the text of its digits, with which CCXT computes.
 * @throws SyntaxError
 */
export function parseQuotingNumbers(text: string): unknown {
  return readJson(text, (digits) => digits);
}

/** Request fields that are numbers. */
const NUMBER_FIELDS = new Set([
  ...['amount', 'price', 'triggerPrice', 'cost', 'timeout'],
  ...['trailingAmount', 'trailingPercent', 'activationPrice', 'displayAmount'],
]);

/**
 * Serializes a request. Texts in number fields are written as numbers with the same digits, never converted to doubles.
 * A text that is not a number stays a text, for the exchange to reject.
 */
export function requestBody(value: unknown, field = ''): string {
  if (typeof value === 'number') return decimal(value);
  if (typeof value === 'string') {
    return NUMBER_FIELDS.has(field) && NUMBER.test(value) ? value : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => requestBody(item)).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${fields.map(([name, part]) => `${JSON.stringify(name)}:${requestBody(part, name)}`).join()}}`;
}

/** Returns the shortest digits of a double. JSON has no NaN, so it is sent as a text and rejected. */
function decimal(value: number): string {
  return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
}
