/** A text, passed over as it is, or a number as JSON writes them. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses JSON with every number as the text of its digits, which is what CCXT computes with. One way
 * for every runtime: Node 20 has no reviver that sees the source.
 * @throws SyntaxError
 */
export function parseQuotingNumbers(text: string): unknown {
  return JSON.parse(
    text.replace(TEXT_OR_NUMBER, (token) => (token[0] === '"' ? token : `"${token}"`)),
  );
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
