import type { Exchange } from '../../../engine/exchange.ts';
import type { Asset, Market } from '../../../engine/markets/markets.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import { orderStatuses } from '../../../engine/terms.ts';
import { JsonNumber, type JsonValue } from '../json.ts';
import { ApiError, quoteSender } from '../response/errors.ts';
import { readCursor } from './cursor.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const MILLISECONDS = /^\d{1,16}$/;
/** The form of a time; not every text of this form is a valid time. */
export const TIME = new RegExp(`${ISO_TIME.source}|${MILLISECONDS.source}`);
export const CLIENT_ORDER_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Returns milliseconds since 1970 of an ISO 8601 time with a zone, or of milliseconds as digits; undefined if invalid. */
export function parseTime(text: string): number | undefined {
  if (MILLISECONDS.test(text)) {
    const time = Number(text);
    return time <= MAX_TIME_MS ? time : undefined;
  }
  if (!ISO_TIME.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const time = Math.floor(Date.parse(text));
  return Number.isNaN(time) || time < 0 ? undefined : time;
}

/** Rejects dates such as February 30, which Date.parse reads as March 2. */
function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The last time with a four-digit year. */
export const MAX_TIME_MS = Date.UTC(10_000, 0) - 1;

/** Maximum records per page. */
export const MAX_LIMIT = 1000;

/** Returns milliseconds since 1970 of a time in a body: a text as for `parseTime`, or a JSON number; undefined if invalid. */
export function parseTimeValue(value: JsonValue): number | undefined {
  if (typeof value === 'string') return parseTime(value);
  if (!(value instanceof JsonNumber)) return undefined;
  const time = parseUnits(value.text, 0);
  return typeof time === 'number' && time >= 0 && time <= MAX_TIME_MS ? time : undefined;
}

/** Returns the error for a parameter that an endpoint, or an operation of a socket, does not have. */
export function unknownParameter(
  name: string,
  known: readonly string[],
  subject: 'endpoint' | 'operation',
): ApiError {
  const names = known.length === 0 ? 'none' : known.join(', ');
  const message = `Unknown parameter ${quoteSender(name)}. Parameters of this ${subject}: ${names}.`;
  return invalid(name, 'unknownParameter', message);
}

/** The query of a request; every parameter is known, given once and not empty. */
export class Query {
  private readonly values: Map<string, string>;

  /**
   * @param preset Parameters that the client cannot send.
   * @throws ApiError INVALID_REQUEST
   */
  constructor(
    search: Iterable<readonly [name: string, value: string]>,
    allowed: readonly string[],
    preset: Readonly<Record<string, string>> = {},
  ) {
    this.values = new Map(Object.entries(preset));
    for (const [name, value] of search) {
      if (!allowed.includes(name)) {
        throw unknownParameter(name, allowed, 'endpoint');
      }
      if (this.values.has(name)) {
        throw invalid(name, 'once', `${name} is given more than once. Send it once.`);
      }
      if (value === '') {
        throw invalid(name, 'notEmpty', `${name} is empty. Send a value, or omit it.`);
      }
      this.values.set(name, value);
    }
  }

  text(name: string): string | undefined {
    return this.values.get(name);
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.values.get(name);
    if (value === undefined || choices.includes(value as Choice))
      return value as Choice | undefined;
    const names = choices.join(', ');
    throw invalid(name, names, `${name} must be ${choices.length > 1 ? 'one of ' : ''}${names}.`);
  }

  time(name: string): number | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    const time = parseTime(value);
    if (time !== undefined) return time;
    const message = `${name} must be an ISO 8601 time with a zone, or milliseconds since 1970.`;
    throw invalid(name, 'time', message);
  }

  /** Returns whether the newest records come first. */
  isDescending(): boolean {
    return (this.choice('sort', SORT_ORDERS) ?? 'desc') === 'desc';
  }

  /**
   * Returns the id of the last item on the previous page, undefined for the first page.
   * @param owner As for `scope`.
   * @throws ApiError INVALID_REQUEST if the cursor does not belong to this list
   */
  cursor(list: string, owner?: number): number | undefined {
    const cursor = this.values.get('cursor');
    return cursor === undefined ? undefined : readCursor(cursor, this.scope(list, owner));
  }

  /**
   * Returns the scope of a list's cursors: the list, its filters and order, but not the page size.
   * @param owner The account, if the list is private.
   */
  scope(list: string, owner?: number): string {
    const rest = [...this.values].filter(([name]) => !['cursor', 'limit', 'sort'].includes(name));
    return JSON.stringify([list, owner ?? null, this.isDescending(), rest.sort()]);
  }

  /** Returns `orderId` as a number; 0, which no order has, if it cannot be an order id. */
  orderId(): number | undefined {
    const value = this.values.get('orderId');
    if (value === undefined) return undefined;
    const id = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : 0;
    return Number.isSafeInteger(id) ? id : 0;
  }

  /** Returns `fromId`, a trade id. @throws ApiError INVALID_REQUEST */
  fromId(): number | undefined {
    const value = this.values.get('fromId');
    if (value === undefined) return undefined;
    if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
    throw invalid('fromId', 'tradeId', 'fromId must be the id of a trade.');
  }

  clientOrderId(): string | undefined {
    const value = this.values.get('clientOrderId');
    if (value !== undefined && !CLIENT_ORDER_ID.test(value)) throw invalidClientOrderId();
    return value;
  }

  /** Returns the market of `symbol`, undefined if absent. @throws ApiError INVALID_SYMBOL */
  market(exchange: Exchange): Market | undefined {
    const symbol = this.values.get('symbol');
    if (symbol === undefined) return undefined;
    const market = exchange.state.marketsBySymbol.get(symbol);
    if (market !== undefined) return market;
    throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
  }

  /** Returns the asset of a parameter, undefined if absent. @throws ApiError INVALID_REQUEST */
  asset(exchange: Exchange, parameter: 'asset' | 'quote' = 'asset'): Asset | undefined {
    const name = this.values.get(parameter);
    if (name === undefined) return undefined;
    const asset = exchange.state.assetsByName.get(name);
    if (asset !== undefined) return asset;
    throw invalid(parameter, 'known', 'Unknown asset. Use one from GET /api/assets.');
  }

  /** Returns the market of a required `symbol`. @throws ApiError INVALID_SYMBOL */
  requiredMarket(exchange: Exchange): Market {
    const market = this.market(exchange);
    if (market !== undefined) return market;
    const message = 'symbol is required. Use one from GET /api/markets.';
    throw new ApiError('INVALID_SYMBOL', message, { field: 'symbol', rule: 'required' });
  }

  /** Returns `limit` or `depth`: 1 to 1000, default 100. @throws ApiError INVALID_REQUEST */
  count(name: 'limit' | 'depth'): number {
    const value = this.values.get(name) ?? '100';
    const count = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (count >= 1 && count <= MAX_LIMIT) return count;
    const message = `${name} must be a whole number from 1 to ${MAX_LIMIT}.`;
    const nearest = /^\d+$/.test(value) ? (Number(value) < 1 ? 1 : MAX_LIMIT) : undefined;
    const details = { field: name, rule: `1 to ${MAX_LIMIT}`, nearest };
    throw new ApiError('INVALID_REQUEST', message, details);
  }
}

export const BOOLEAN_VALUES = ['true', 'false'] as const;
export const ORDER_STATUS_VALUES = [...orderStatuses, 'cancelled', 'closed'] as const;
export const SORT_ORDERS = ['desc', 'asc'] as const;

export function invalidClientOrderId(): ApiError {
  const message = 'clientOrderId must have 1 to 64 characters of A-Z a-z 0-9 _ . : -';
  return invalid('clientOrderId', 'clientOrderId', message);
}

export function invalid(field: string, rule: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { field, rule });
}
