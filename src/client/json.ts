/** Matches a JSON number. */
export const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const TOKENS = new RegExp(
  `(${STRING}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)(\\s*:)?`,
  'gs',
);
const STRINGS = new RegExp(`(${STRING})(:)?`, 'gs');

/**
 * Parses JSON without converting numbers to doubles, in every engine: Node 20 and older browsers lack both the
 * reviver's `context.source` and `JSON.rawJSON`. Before parsing, numbers become strings prefixed with `n`, and strings
 * are prefixed with `s`, so that no string in the input can pass for a number.
 * @param toValue Converts the digits of a number in the named field.
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
 * Writes JSON in which strings in number fields become numbers with the same digits.
 * @throws RangeError if such a string is not a number, or a number is not finite
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
  return new RangeError(`${field} is ${text}, which is not a number such as 0.015.`);
}
