import { BinanceError } from './errors.ts';

/** A time is in milliseconds up to this value, and in microseconds beyond it. */
const MAX_MILLISECONDS = 9_999_999_999_999;
/** Far more than any endpoint has. */
const MAX_PARAMETERS = 64;
/** Texts with such characters must be decoded. */
const ENCODED = /[%+]/;
const DECIMAL = /^\d{1,20}(\.\d{1,20})?$/;
/** Numbers with more than 8 decimals that are not all zeros after the eighth. */
const TOO_PRECISE = /\.\d{8}\d*[1-9]/;
/** The legal range of a symbol, as the errors name it. */
const SYMBOL_RANGE = '^[\\w\\-._&&[^a-z]]{1,50}$';
const SYMBOL = /^[A-Z0-9_.-]{1,50}$/;
const CLIENT_ORDER_ID_RANGE = '^[\\.A-Z\\:/a-z0-9_-]{1,36}$';
const CLIENT_ORDER_ID = /^[A-Za-z0-9_.:-]{1,36}$/;

/**
 * The parameters of a request, from its query and its form body, or of a WebSocket request. Reading one notes its name, so that
 * `checkAllRead` can reject those that the endpoint does not have. Texts of errors are Binance's (errors.md).
 */
export class Parameters {
  readonly names: string[] = [];
  private readonly isRead: boolean[] = [];
  private readonly values: string[] = [];

  /** The number of parameters. */
  get size(): number {
    return this.names.length;
  }

  /**
   * Adds a parameter that is absent. Few parameters are found faster in an array than in a map.
   * @throws BinanceError -1101 if it is one too many
   */
  add(name: string, value: string): void {
    if (this.size >= MAX_PARAMETERS) {
      throw new BinanceError(-1101, 'Too many parameters sent for this endpoint.');
    }
    this.names.push(name);
    this.values.push(value);
    this.isRead.push(false);
  }

  /** All of them as one text, for the key of a cached response. */
  get all(): string {
    return JSON.stringify([this.names, this.values]);
  }

  has(name: string): boolean {
    return this.find(name) >= 0;
  }

  /** Returns the place of a parameter in the order of their addition, -1 if it is absent. */
  find(name: string): number {
    return this.names.indexOf(name);
  }

  /** Returns the text of a parameter, undefined if absent, without noting that it was read. */
  value(name: string): string | undefined {
    return this.values[this.find(name)];
  }

  /** Returns a text that is not empty, undefined if absent. @throws BinanceError -1105 */
  text(name: string): string | undefined {
    const index = this.find(name);
    if (index < 0) return undefined;
    this.isRead[index] = true;
    const value = this.values[index]!;
    if (value === '') throw new BinanceError(-1105, `Parameter '${name}' was empty.`);
    return value;
  }

  /** @throws BinanceError -1102 if absent or empty */
  required(name: string): string {
    if (!this.value(name)) throw missing(name);
    return this.text(name)!;
  }

  /** Returns a whole number that is not negative. @throws BinanceError -1100, -1108 */
  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,20}$/.test(value)) throw illegal(name, '^[0-9]{1,20}$');
    const number = Number(value);
    if (!Number.isSafeInteger(number))
      throw new BinanceError(-1108, `Parameter '${name}' overflowed.`);
    return number;
  }

  /** Returns a number from 1 to `maximum`; larger ones are reduced to it, as Binance does. */
  limit(defaultLimit: number, maximum: number): number {
    const limit = this.integer('limit') ?? defaultLimit;
    if (limit === 0) throw illegalData('limit');
    return Math.min(limit, maximum);
  }

  /** Returns milliseconds since 1970; microseconds are rounded down. */
  time(name: string): number | undefined {
    const time = this.exactTime(name);
    return time === undefined ? undefined : Math.floor(time);
  }

  /** Returns milliseconds since 1970, with a fraction if the client sent microseconds. */
  exactTime(name: string): number | undefined {
    const value = this.integer(name);
    return value === undefined || value <= MAX_MILLISECONDS ? value : value / 1000;
  }

  /** Returns a decimal number as its text. @throws BinanceError -1100, -1111 */
  decimal(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!DECIMAL.test(value)) throw illegal(name, '^([0-9]{1,20})(\\.[0-9]{1,20})?$');
    if (!TOO_PRECISE.test(value)) return value;
    throw new BinanceError(-1111, `Parameter '${name}' has too much precision.`);
  }

  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    error: () => BinanceError = () => illegalData(name),
  ): Choice | undefined {
    const value = this.text(name);
    if (value === undefined || choices.includes(value as Choice)) return value as Choice;
    throw error();
  }

  boolean(name: string): boolean | undefined {
    const value = this.choice(name, ['true', 'false', 'TRUE', 'FALSE'] as const);
    return value === undefined ? undefined : value.toLowerCase() === 'true';
  }

  /** @throws BinanceError -1100 if it has characters that no symbol has, such as lower-case letters */
  symbol(name = 'symbol'): string | undefined {
    const value = this.text(name);
    if (value === undefined || SYMBOL.test(value)) return value;
    throw illegal(name, SYMBOL_RANGE);
  }

  clientOrderId(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || CLIENT_ORDER_ID.test(value)) return value;
    throw illegal(name, CLIENT_ORDER_ID_RANGE);
  }

  /** Marks parameters as read that are checked elsewhere, or have no effect here. */
  ignore(...names: readonly string[]): void {
    for (const name of names) {
      const index = this.find(name);
      if (index >= 0) this.isRead[index] = true;
    }
  }

  /** Rejects parameters that were not read. @throws BinanceError -1101, -1104 */
  checkAllRead(): void {
    if (!this.isRead.includes(false)) return;
    const sent = this.size;
    const read = this.isRead.filter((isRead) => isRead).length;
    if (read === 0) {
      throw new BinanceError(-1101, `Too many parameters; expected '0' and received '${sent}'.`);
    }
    throw new BinanceError(
      -1104,
      `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${sent}'.`,
    );
  }
}

/** @throws BinanceError -1101 if a parameter is given twice in the query or twice in the form, or there are too many */
export function readParameters(query: string, form: string): Parameters {
  const parameters = new Parameters();
  if (query !== '') addAll(parameters, query, 0);
  // The query's value is used if a parameter is in both.
  if (form !== '') addAll(parameters, form, parameters.size);
  return parameters;
}

/** Adds the parameters of a text. @param known The number of parameters that it may repeat. */
function addAll(parameters: Parameters, text: string, known: number): void {
  if (ENCODED.test(text)) {
    for (const [name, value] of new URLSearchParams(text)) addNew(parameters, name, value, known);
    return;
  }
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    const equals = text.indexOf('=', start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    if (end > start) {
      addNew(parameters, text.slice(start, nameEnd), text.slice(nameEnd + 1, end), known);
    }
    start = end + 1;
  }
}

function addNew(parameters: Parameters, name: string, value: string, known: number): void {
  const index = parameters.find(name);
  if (index < 0) parameters.add(name, value);
  else if (index >= known) {
    throw new BinanceError(-1101, 'Duplicate values for a parameter detected.');
  }
}

export function missing(name: string): BinanceError {
  return new BinanceError(
    -1102,
    `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
  );
}

export function illegal(name: string, range: string): BinanceError {
  return new BinanceError(
    -1100,
    `Illegal characters found in parameter '${name}'; legal range is '${range}'.`,
  );
}

export function illegalData(name: string): BinanceError {
  return new BinanceError(-1130, `Data sent for parameter '${name}' is not valid.`);
}
