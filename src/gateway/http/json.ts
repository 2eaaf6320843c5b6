/**
 * Strict reading of JSON request bodies, and quoting of text for responses.
 *
 * The reader takes what RFC 8259 allows, less what API.md section 1 refuses. Two choices of its own:
 * a `\u` escape that leaves half a surrogate pair is refused, because such a text can neither be
 * stored nor sent back as UTF-8; and string values are copied out of the body, not sliced from it,
 * because a slice keeps the whole body alive for as long as, say, a client order id is kept.
 */
import { Buffer, isUtf8 } from 'node:buffer';

/** Objects and arrays within one another, the outermost object included. */
export const MAX_DEPTH = 8;

/** Why a body is refused, in plain words. The names go out as `details.rule`. */
export const JSON_RULES = {
  emptyBody: 'The body is empty. Send one JSON object.',
  byteOrderMark: 'The body begins with a byte order mark. Send UTF-8 without one.',
  invalidUtf8: 'The body is not valid UTF-8.',
  malformedJson: 'The body is not valid JSON.',
  notAnObject: 'The body must be one JSON object.',
  duplicateKey: 'A field occurs twice in one object. Send each field once.',
  tooDeep: `The body is nested more than ${MAX_DEPTH} levels deep.`,
  loneSurrogate: 'A \\u escape in the body is half of a surrogate pair. Send whole characters.',
} as const;
export type JsonRule = keyof typeof JSON_RULES;

/**
 * A number as its literal, never rounded to a double, in both directions. One that was read shares
 * memory with the body: turn it into units, do not keep it.
 */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** Without a prototype: every name in it is the sender's, `__proto__` too. */
export interface JsonObject {
  [field: string]: JsonValue;
}
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;

export class JsonError {
  constructor(
    readonly rule: JsonRule,
    /** The duplicate field. */
    readonly field?: string,
  ) {}
}

/** Reads a request body, in a time that grows no faster than its length. */
export function readJsonObject(body: Uint8Array): JsonObject | JsonError {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    return new JsonError('byteOrderMark');
  }
  if (!isUtf8(body)) return new JsonError('invalidUtf8');
  return new Reader(body).readBody();
}

/** `text` as a JSON string, quotes included. */
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
/** Turns an ASCII capital into its small letter. */
const LOWER_CASE_BIT = 0x20;

/** What stands for a character behind a backslash, by character code. */
const ESCAPES: (string | undefined)[] = [];
for (const [name, text] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  ESCAPES[name!.charCodeAt(0)] = text;
}

/**
 * Each method begins at `position` and leaves it behind what it read. Undefined means refused, with
 * the reason in `refusal`. Beyond the end every character reads as NaN, which no rule accepts.
 */
class Reader {
  private position = 0;
  private refusal: JsonError | undefined;
  private readonly text: string;
  /** Every character is one byte, so that positions in `text` and in `body` are the same. */
  private readonly isAscii: boolean;

  constructor(private readonly body: Uint8Array) {
    this.text = Buffer.prototype.utf8Slice.call(body, 0, body.length);
    this.isAscii = this.text.length === body.length;
  }

  readBody(): JsonObject | JsonError {
    const first = this.skipSpace();
    if (Number.isNaN(first)) return new JsonError('emptyBody');
    const value = this.readValue(first, 1);
    if (value === undefined) return this.refusal!;
    if (!Number.isNaN(this.skipSpace())) return new JsonError('malformedJson');
    if (first !== OPEN_BRACE) return new JsonError('notAnObject');
    return value as JsonObject;
  }

  private refuse(rule: JsonRule, field?: string): undefined {
    this.refusal = new JsonError(rule, field);
  }

  /** Skips white space; gives the character behind it without taking it. */
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

  /** `first` is the value's first character, `depth` the level it opens if it is a container. */
  private readValue(first: number, depth: number): JsonValue | undefined {
    switch (first) {
      case QUOTE:
        return this.readString(false);
      case OPEN_BRACE:
        return depth > MAX_DEPTH ? this.refuse('tooDeep') : this.readObject(depth);
      case OPEN_BRACKET:
        return depth > MAX_DEPTH ? this.refuse('tooDeep') : this.readArray(depth);
      case LOWER_T:
        return this.readWord('true', true);
      case LOWER_F:
        return this.readWord('false', false);
      case LOWER_N:
        return this.readWord('null', null);
      default:
        return this.readNumber();
    }
  }

  private readWord<Value>(word: string, value: Value): Value | undefined {
    if (!this.text.startsWith(word, this.position)) return this.refuse('malformedJson');
    this.position += word.length;
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
      if (next !== QUOTE) return this.refuse('malformedJson');
      const field = this.readString(true);
      if (field === undefined) return undefined;
      if (object[field] !== undefined) return this.refuse('duplicateKey', field);
      if (this.skipSpace() !== COLON) return this.refuse('malformedJson');
      this.position++;
      const value = this.readValue(this.skipSpace(), depth + 1);
      if (value === undefined) return undefined;
      object[field] = value;
      next = this.skipSpace();
      this.position++;
      if (next === CLOSE_BRACE) return object;
      if (next !== COMMA) return this.refuse('malformedJson');
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
      if (next !== COMMA) return this.refuse('malformedJson');
      next = this.skipSpace();
    }
  }

  private readNumber(): JsonNumber | undefined {
    const text = this.text;
    const start = this.position;
    const whole = text.charCodeAt(start) === MINUS ? start + 1 : start;
    let position = behindDigits(text, whole);
    if (position === whole || (text.charCodeAt(whole) === ZERO && position > whole + 1)) {
      return this.refuse('malformedJson');
    }
    if (text.charCodeAt(position) === POINT) {
      const fraction = position + 1;
      position = behindDigits(text, fraction);
      if (position === fraction) return this.refuse('malformedJson');
    }
    if ((text.charCodeAt(position) | LOWER_CASE_BIT) === LOWER_E) {
      const sign = text.charCodeAt(position + 1);
      const exponent = position + (sign === PLUS || sign === MINUS ? 2 : 1);
      position = behindDigits(text, exponent);
      if (position === exponent) return this.refuse('malformedJson');
    }
    this.position = position;
    return new JsonNumber(text.slice(start, position));
  }

  /** From the opening quote to behind the closing one. */
  private readString(isName: boolean): string | undefined {
    const text = this.text;
    const start = this.position + 1;
    for (let position = start; position < text.length; position++) {
      const character = text.charCodeAt(position);
      if (character === QUOTE) {
        this.position = position + 1;
        if (isName) return nameAt(text, start, position);
        return this.isAscii
          ? Buffer.prototype.latin1Slice.call(this.body, start, position)
          : copyOf(text.slice(start, position));
      }
      if (character === BACKSLASH) return this.readEscapedString(start, position);
      if (character < SPACE) break;
    }
    return this.refuse('malformedJson');
  }

  /** The string that begins at `start` and has its first backslash at `position`. */
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
        if (part === undefined) return this.refuse('malformedJson');
        unescaped += part;
        position += isUnicode ? 6 : 2;
        start = position;
      } else if (character >= SPACE) {
        position++;
      } else {
        return this.refuse('malformedJson');
      }
    }
    unescaped += text.slice(start, position);
    this.position = position + 1;
    return unescaped.isWellFormed() ? copyOf(unescaped) : this.refuse('loneSurrogate');
  }
}

/** Field names, each at a cheap hash of it: the first one met that has the hash, for good. */
const NAMES = new Array<string>(256).fill('');
const MAX_KEPT_NAME_LENGTH = 32;

/**
 * A field name, where it can be had as the string of an earlier time: the runtime finds that one in
 * an object without hashing it, which saves a quarter of the time that an order takes.
 */
function nameAt(text: string, start: number, end: number): string {
  const length = end - start;
  const hash = (length * 31 + text.charCodeAt(start) * 7 + text.charCodeAt(end - 1)) & 255;
  const known = NAMES[hash]!;
  if (known.length === length && text.startsWith(known, start)) return known;
  const name = text.slice(start, end);
  if (known === '' && length <= MAX_KEPT_NAME_LENGTH) NAMES[hash] = copyOf(name);
  return name;
}

/** The same text in memory of its own. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function behindDigits(text: string, from: number): number {
  let position = from;
  let character = text.charCodeAt(position);
  while (character >= ZERO && character <= NINE) character = text.charCodeAt(++position);
  return position;
}

const FOUR_HEX_DIGITS = /^[0-9a-fA-F]{4}$/;

/** The UTF-16 unit that four hexadecimal digits name, undefined if they are not that. */
function hexUnit(text: string, from: number): string | undefined {
  const digits = text.slice(from, from + 4);
  return FOUR_HEX_DIGITS.test(digits)
    ? String.fromCharCode(Number.parseInt(digits, 16))
    : undefined;
}
