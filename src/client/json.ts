/** A number as JSON writes it. */
export const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const TOKENS = new RegExp(
  `(${STRING}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)(\\s*:)?`,
  'gs',
);
const STRINGS = new RegExp(`(${STRING})(:)?`, 'gs');

/**
 * Reads JSON whose numbers never become doubles, in every engine: `context.source` of a reviver and
 * `JSON.rawJSON` are not in Node 20, nor in older browsers. Before parsing, every number becomes a
 * text and every text is marked as one, so that nothing that was sent can pass for a number.
 * @param toValue What becomes of a number, by its digits and the field that holds it.
 * @throws SyntaxError
 */
export function readJson(text: string, toValue: (digits: string, field: string) => unknown) {
  const marked = text.replace(TOKENS, (whole, token: string, colon?: string) => {
    if (colon !== undefined) return whole;
    return token[0] === '"' ? `"s${token.slice(1)}` : `"n${token}"`;
  });
  return JSON.parse(marked, (field, value: unknown) => {
    if (typeof value !== 'string') return value;
    return value[0] === 'n' ? toValue(value.slice(1), field) : value.slice(1);
  }) as unknown;
}

/**
 * Writes JSON in which the texts of some fields stand as numbers, with just those digits.
 * @throws RangeError where such a text is no number, or a number is not finite.
 */
export function writeJson(value: unknown, isNumber: (field: string) => boolean): string {
  const marked = JSON.stringify(value, (field, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) throw notANumber(field, `${part}`);
    if (typeof part !== 'string') return part;
    if (!isNumber(field)) return `s${part}`;
    if (!NUMBER.test(part)) throw notANumber(field, JSON.stringify(part));
    return `n${part}`;
  });
  return marked.replace(STRINGS, (whole, string: string, colon?: string) => {
    if (colon !== undefined) return whole;
    return string[1] === 'n' ? string.slice(2, -1) : `"${string.slice(2)}`;
  });
}

function notANumber(field: string, text: string): RangeError {
  return new RangeError(`${field} is ${text}, which is not a number: write it like 0.015.`);
}
