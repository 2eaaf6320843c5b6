/**
 * Strict reader of JSON request bodies, and quoting of text for responses.
 *
 * The reader accepts RFC 8259 without byte order marks, duplicate fields and deep nesting, and keeps numbers exact.
 * It rejects a `\u` escape that is half of a surrogate pair, because such text cannot be stored or sent as UTF-8.
 * String values are copied out of the body, because a slice would keep the whole body in memory for as long as, for example,
 * a client order id is kept.
 */
import { Buffer, isUtf8 } from 'node:buffer';

/** Maximum nesting of objects and arrays, the outermost object included. */
export const MAX_DEPTH = 8;

/** Messages for invalid bodies. The names are sent as `details.rule`. */
export const JSON_RULES = {
  emptyBody: 'The body is empty. Send one JSON object.',
  byteOrderMark: 'The body starts with a byte order mark. Send UTF-8 without one.',
  invalidUtf8: 'The body is not valid UTF-8. Send JSON in UTF-8.',
  malformedJson: 'The body is not valid JSON. Send one JSON object.',
  notAnObject: 'The body is not a JSON object. Send one JSON object.',
  duplicateKey: 'An object has the same field twice. Send each field once.',
  tooDeep: `The body is nested too deeply. Use at most ${MAX_DEPTH} levels.`,
  loneSurrogate: 'A \\u escape in the body is half of a surrogate pair. Send both halves.',
} as const;
export type JsonRule = keyof typeof JSON_RULES;

/**
 * A number as its literal, in requests and responses, never rounded to a double. A number that was read shares memory
 * with the body: convert it to units instead of keeping it.
 */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** Has no prototype, so that fields named `__proto__` and the like are ordinary. */
export interface JsonObject {
  [field: string]: JsonValue;
}
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;

export class JsonError {
  constructor(
    readonly rule: JsonRule,
    /** The duplicate field, for `duplicateKey`. */
    readonly field?: string,
  ) {}
}

/** Reads a request body, in time linear in its length. */
export function readJsonObject(body: Uint8Array): JsonObject | JsonError {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    return new JsonError('byteOrderMark');
  }
  if (!isUtf8(body)) return new JsonError('invalidUtf8');
  return new JsonReader(body).readBody();
}

/** Returns `text` as a JSON string, quotes included. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Converts an ASCII letter to lower case. */
const LOWER_CASE_BIT = 0x20;

/** The characters that escapes stand for, by the code of the character after the backslash. */
const ESCAPES: (string | undefined)[] = [];
for (const [name, text] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  ESCAPES[name!.charCodeAt(0)] = text;
}

/**
 * Each method starts at `position` and leaves it after what it read. It returns undefined for invalid text and sets
 * `error`. After the end every character code is NaN, which no rule accepts.
 */
class JsonReader {
  private position = 0;
  private error: JsonError | undefined;
  private readonly text: string;
  /** Whether every character is one byte, so that positions in `text` and `body` are the same. */
  private readonly isAscii: boolean;

  constructor(private readonly body: Uint8Array) {
    this.text = Buffer.prototype.utf8Slice.call(body, 0, body.length);
    this.isAscii = this.text.length === body.length;
  }

  readBody(): JsonObject | JsonError {
    const first = this.skipSpace();
    if (Number.isNaN(first)) return new JsonError('emptyBody');
    const value = this.readValue(first, 1);
    if (value === undefined) return this.error!;
    if (!Number.isNaN(this.skipSpace())) return new JsonError('malformedJson');
    if (first !== OPEN_BRACE) return new JsonError('notAnObject');
    return value as JsonObject;
  }

  private fail(rule: JsonRule, field?: string): undefined {
    this.error = new JsonError(rule, field);
  }

  /** Skips white space and returns the code of the next character, without consuming it. */
  private skipSpace(): number {
    const text = this.text;
    let position = this.position;
    let character = text.charCodeAt(position);
    while (
      character === SPACE ||
      character === LINE_FEED ||
      character === CARRIAGE_RETURN ||
      character === TAB
    ) {
      character = text.charCodeAt(++position);
    }
    this.position = position;
    return character;
  }

  /** @param first The value's first character. @param depth The nesting level of the value. */
  private readValue(first: number, depth: number): JsonValue | undefined {
    switch (first) {
      case QUOTE:
        return this.readString(false);
      case OPEN_BRACE:
        return depth > MAX_DEPTH ? this.fail('tooDeep') : this.readObject(depth);
      case OPEN_BRACKET:
        return depth > MAX_DEPTH ? this.fail('tooDeep') : this.readArray(depth);
      case LOWER_T:
        return this.readKeyword('true', true);
      case LOWER_F:
        return this.readKeyword('false', false);
      case LOWER_N:
        return this.readKeyword('null', null);
      default:
        return this.readNumber();
    }
  }

  private readKeyword<Value>(keyword: string, value: Value): Value | undefined {
    if (!this.text.startsWith(keyword, this.position)) return this.fail('malformedJson');
    this.position += keyword.length;
    return value;
  }

  private readObject(depth: number): JsonObject | undefined {
    const object: JsonObject = Object.create(null);
    this.position++;
    let next = this.skipSpace();
    if (next === CLOSE_BRACE) {
      this.position++;
      return object;
    }
    for (;;) {
      if (next !== QUOTE) return this.fail('malformedJson');
      const field = this.readString(true);
      if (field === undefined) return undefined;
      if (object[field] !== undefined) return this.fail('duplicateKey', field);
      if (this.skipSpace() !== COLON) return this.fail('malformedJson');
      this.position++;
      const value = this.readValue(this.skipSpace(), depth + 1);
      if (value === undefined) return undefined;
      object[field] = value;
      next = this.skipSpace();
      this.position++;
      if (next === CLOSE_BRACE) return object;
      if (next !== COMMA) return this.fail('malformedJson');
      next = this.skipSpace();
    }
  }

  private readArray(depth: number): JsonValue[] | undefined {
    const array: JsonValue[] = [];
    this.position++;
    let next = this.skipSpace();
    if (next === CLOSE_BRACKET) {
      this.position++;
      return array;
    }
    for (;;) {
      const value = this.readValue(next, depth + 1);
      if (value === undefined) return undefined;
      array.push(value);
      next = this.skipSpace();
      this.position++;
      if (next === CLOSE_BRACKET) return array;
      if (next !== COMMA) return this.fail('malformedJson');
      next = this.skipSpace();
    }
  }

  private readNumber(): JsonNumber | undefined {
    const text = this.text;
    const start = this.position;
    const whole = text.charCodeAt(start) === MINUS ? start + 1 : start;
    let position = afterDigits(text, whole);
    if (position === whole || (text.charCodeAt(whole) === ZERO && position > whole + 1)) {
      return this.fail('malformedJson');
    }
    if (text.charCodeAt(position) === POINT) {
      const fraction = position + 1;
      position = afterDigits(text, fraction);
      if (position === fraction) return this.fail('malformedJson');
    }
    if ((text.charCodeAt(position) | LOWER_CASE_BIT) === LOWER_E) {
      const sign = text.charCodeAt(position + 1);
      const exponent = position + (sign === PLUS || sign === MINUS ? 2 : 1);
      position = afterDigits(text, exponent);
      if (position === exponent) return this.fail('malformedJson');
    }
    this.position = position;
    return new JsonNumber(text.slice(start, position));
  }

  /** Reads a string from its opening quote. */
  private readString(isName: boolean): string | undefined {
    const text = this.text;
    const start = this.position + 1;
    for (let position = start; position < text.length; position++) {
      const character = text.charCodeAt(position);
      if (character === QUOTE) {
        this.position = position + 1;
        if (isName) return internName(text, start, position);
        return this.isAscii
          ? Buffer.prototype.latin1Slice.call(this.body, start, position)
          : copyText(text.slice(start, position));
      }
      if (character === BACKSLASH) return this.readEscapedString(start, position);
      if (character < SPACE) break;
    }
    return this.fail('malformedJson');
  }

  /** Reads the string that begins at `start` and has its first backslash at `position`. */
  private readEscapedString(start: number, position: number): string | undefined {
    const text = this.text;
    let unescaped = '';
    for (;;) {
      const character = text.charCodeAt(position);
      if (character === QUOTE) break;
      if (character === BACKSLASH) {
        unescaped += text.slice(start, position);
        const isUnicode = text.charCodeAt(position + 1) === LOWER_U;
        const part = isUnicode
          ? hexUnit(text, position + 2)
          : ESCAPES[text.charCodeAt(position + 1)];
        if (part === undefined) return this.fail('malformedJson');
        unescaped += part;
        position += isUnicode ? 6 : 2;
        start = position;
      } else if (character >= SPACE) {
        position++;
      } else {
        return this.fail('malformedJson');
      }
    }
    unescaped += text.slice(start, position);
    this.position = position + 1;
    return unescaped.isWellFormed() ? copyText(unescaped) : this.fail('loneSurrogate');
  }
}

/** The first field name that was read with each hash. */
const NAMES = new Array<string>(256).fill('');
const MAX_INTERNED_LENGTH = 32;

/**
 * Returns a field name, as the same string as an earlier time if possible. The runtime finds such a string in an object
 * without hashing it again, which saves a quarter of the time of an order request.
 */
function internName(text: string, start: number, end: number): string {
  const length = end - start;
  const hash = (length * 31 + text.charCodeAt(start) * 7 + text.charCodeAt(end - 1)) & 255;
  const known = NAMES[hash]!;
  if (known.length === length && text.startsWith(known, start)) return known;
  const name = text.slice(start, end);
  if (known === '' && length <= MAX_INTERNED_LENGTH) NAMES[hash] = copyText(name);
  return name;
}

/** Returns the same text in its own memory. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

function afterDigits(text: string, from: number): number {
  let position = from;
  let character = text.charCodeAt(position);
  while (character >= ZERO && character <= NINE) character = text.charCodeAt(++position);
  return position;
}

const FOUR_HEX_DIGITS = /^[0-9a-fA-F]{4}$/;

/** Returns the UTF-16 unit with a code of four hexadecimal digits, undefined if they are not that. */
function hexUnit(text: string, from: number): string | undefined {
  const digits = text.slice(from, from + 4);
  return FOUR_HEX_DIGITS.test(digits)
    ? String.fromCharCode(Number.parseInt(digits, 16))
    : undefined;
}
