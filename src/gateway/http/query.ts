import type { Exchange } from '../../engine/exchange.ts';
import type { Asset, Market } from '../../engine/markets/markets.ts';
import { parseUnits } from '../../engine/numbers/units.ts';
import { orderStatuses } from '../../engine/terms.ts';
import { readCursor } from './cursor.ts';
import { ApiError, quoteSender } from './errors.ts';
import { JsonNumber, type JsonValue } from './json.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const MILLISECONDS = /^\d{1,16}$/;
/** What a time may look like in a query; not every text of that form is one. */
export const TIME = new RegExp(`${ISO_TIME.source}|${MILLISECONDS.source}`);
export const CLIENT_ORDER_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Milliseconds since 1970 of an ISO 8601 time with a zone, or of milliseconds as digits. */
export function parseTime(text: string): number | undefined {
  if (MILLISECONDS.test(text)) {
    const time = Number(text);
    return time <= MAX_TIME_MS ? time : undefined;
  }
  if (!ISO_TIME.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const time = Math.floor(Date.parse(text));
  return Number.isNaN(time) || time < 0 ? undefined : time;
}

/** Date.parse takes February 30 for March 2. */
function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The last one that ISO 8601 says with a year of four digits. */
export const MAX_TIME_MS = Date.UTC(10_000, 0) - 1;

/** Most records on one page. */
export const MAX_LIMIT = 1000;

/** A time in a body: a text as above, or milliseconds as a JSON number, however it is written. */
export function timeOf(value: JsonValue): number | undefined {
  if (typeof value === 'string') return parseTime(value);
  if (!(value instanceof JsonNumber)) return undefined;
  const time = parseUnits(value.text, 0);
  return typeof time === 'number' && time >= 0 && time <= MAX_TIME_MS ? time : undefined;
}

/** A request's query: every parameter known, none twice, none empty. */
export class Query {
  private readonly values = new Map<string, string>();

  /** @throws ApiError INVALID_REQUEST */
  constructor(search: URLSearchParams, allowed: readonly string[]) {
    for (const [name, value] of search) {
      if (!allowed.includes(name)) {
        const takes = allowed.length === 0 ? 'none' : allowed.join(', ');
        throw invalid(
          name,
          'unknownParameter',
          `There is no parameter ${quoteSender(name)} here; it takes ${takes}.`,
        );
      }
      if (this.values.has(name)) throw invalid(name, 'once', `Send ${name} once.`);
      if (value === '')
        throw invalid(name, 'notEmpty', `${name} is empty. Leave it out, or give a value.`);
      this.values.set(name, value);
    }
  }

  text(name: string): string | undefined {
    return this.values.get(name);
  }

  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.values.get(name);
    if (value === undefined || words.includes(value as Word)) return value as Word | undefined;
    throw invalid(name, words.join(', '), `${name} is one of ${words.join(', ')}.`);
  }

  time(name: string): number | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    const time = parseTime(value);
    if (time !== undefined) return time;
    throw invalid(
      name,
      'time',
      `${name} is an ISO 8601 time with a zone, or milliseconds since 1970.`,
    );
  }

  /** Whether the newest come first. */
  isDescending(): boolean {
    return (this.word('sort', SORT_WORDS) ?? 'desc') === 'desc';
  }

  /**
   * Where the page before ended, undefined for the first page. @param owner As for `scope`.
   * @throws ApiError INVALID_REQUEST for what is no cursor of this very list.
   */
  cursor(list: string, owner?: number): number | undefined {
    const cursor = this.values.get('cursor');
    return cursor === undefined ? undefined : readCursor(cursor, this.scope(list, owner));
  }

  /**
   * What a cursor of this list belongs to: the account, if it is one's own, and all that is asked
   * for but the size of a page.
   */
  scope(list: string, owner?: number): string {
    const rest = [...this.values].filter(([name]) => !['cursor', 'limit', 'sort'].includes(name));
    return JSON.stringify([list, owner ?? null, this.isDescending(), rest.sort()]);
  }

  /** The id of `orderId`; 0, which is no order's, for what cannot be one. */
  orderId(): number | undefined {
    const value = this.values.get('orderId');
    if (value === undefined) return undefined;
    const id = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : 0;
    return Number.isSafeInteger(id) ? id : 0;
  }

  clientOrderId(): string | undefined {
    const value = this.values.get('clientOrderId');
    if (value !== undefined && !CLIENT_ORDER_ID.test(value)) throw invalidClientOrderId();
    return value;
  }

  /** The market of `symbol`, undefined where none is asked for. @throws ApiError INVALID_SYMBOL */
  market(exchange: Exchange): Market | undefined {
    const symbol = this.values.get('symbol');
    if (symbol === undefined) return undefined;
    const market = exchange.state.marketsBySymbol.get(symbol);
    if (market !== undefined) return market;
    throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
  }

  /** The asset of `asset`, undefined where none is asked for. @throws ApiError INVALID_REQUEST */
  asset(exchange: Exchange): Asset | undefined {
    const name = this.values.get('asset');
    if (name === undefined) return undefined;
    const asset = exchange.state.assetsByName.get(name);
    if (asset !== undefined) return asset;
    throw invalid('asset', 'known', 'There is no such asset: GET /api/assets lists them.');
  }

  /** The market of a `symbol` that must be there. @throws ApiError INVALID_SYMBOL */
  neededMarket(exchange: Exchange): Market {
    const market = this.market(exchange);
    if (market !== undefined) return market;
    const message = 'Send symbol: the market, as GET /api/markets lists it.';
    throw new ApiError('INVALID_SYMBOL', message, { field: 'symbol', rule: 'required' });
  }

  /** How much is asked for by `limit` or `depth`: 1 to 1000, 100 unless given. */
  count(name: 'limit' | 'depth'): number {
    const value = this.values.get(name) ?? '100';
    const count = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (count >= 1 && count <= MAX_LIMIT) return count;
    const message = `${name} is a whole number from 1 to ${MAX_LIMIT}.`;
    const nearest = /^\d+$/.test(value) ? (Number(value) < 1 ? 1 : MAX_LIMIT) : undefined;
    const details = { field: name, rule: `1 to ${MAX_LIMIT}`, nearest };
    throw new ApiError('INVALID_REQUEST', message, details);
  }
}

export const PREVIEW_WORDS = ['true', 'false'] as const;
export const ORDER_STATUS_WORDS = [...orderStatuses, 'cancelled', 'closed'] as const;
/** Widths of candles, milliseconds. */
export const INTERVALS_MS = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
} as const;
export const INTERVAL_WORDS = Object.keys(INTERVALS_MS) as (keyof typeof INTERVALS_MS)[];
export const SORT_WORDS = ['desc', 'asc'] as const;

export function invalidClientOrderId(): ApiError {
  const message = 'clientOrderId is 1 to 64 of A-Z a-z 0-9 _ . : -';
  return invalid('clientOrderId', 'clientOrderId', message);
}

export function invalid(field: string, rule: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { field, rule });
}
