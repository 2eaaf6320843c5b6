import { NUMBER, readJson } from '../json.ts';

/**
 * Parses JSON with every number as the text of its digits, which is what CCXT computes with.
 * @throws SyntaxError
 */
export function parseQuotingNumbers(text: string): unknown {
  return readJson(text, (digits) => digits);
}

/** The fields of requests that the API takes as numbers. */
const NUMBER_FIELDS = new Set(['amount', 'price', 'triggerPrice', 'cost', 'timeout']);

/**
 * JSON of a request: texts in fields of numbers go out as the very digits that they hold, never by way
 * of a double. What is no number stays a text, for the exchange to refuse.
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

/** The shortest digits that mean this double; JSON knows no NaN, so that one is refused as a text. */
function decimal(value: number): string {
  return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
}
