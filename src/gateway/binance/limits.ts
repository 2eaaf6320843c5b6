import { DAY_MS, MINUTE_MS } from '../../config/durations.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import type { BinanceWindows } from '../limits/windows.ts';
import { BinanceError } from './errors.ts';

/** The weight that is counted before anything of a request is read, so that none is free: that of the cheapest ones. */
export const BASE_WEIGHT = 1;
/** The status of requests from an address that is banned. */
export const BANNED = 418;
/** Requests rejected with 429 in a row, after which their address is banned. */
const MAX_REJECTIONS = 50;
const FIRST_BAN_MS = 2 * MINUTE_MS;
const MAX_BAN_MS = 3 * DAY_MS;
/** Offenders remembered; the oldest are forgotten first. */
const MAX_OFFENDERS = 10_000;

/** The used part of a limit. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** The orders that an account has placed in 10 seconds and in a day. */
export interface OrderCounts {
  readonly tenSeconds: Usage;
  readonly day: Usage;
}

/** An address that keeps sending requests although it has to wait. */
interface Offender {
  /** Rejected requests in the window that ends at `windowEndsAt`. */
  rejections: number;
  windowEndsAt: number;
  bannedUntil: number;
  nextBanMs: number;
}

/**
 * The limits of the dialect, as Binance counts them (rest-api.md, "LIMITS"): weight by address, orders by account; and bans of
 * addresses that ignore them, from 2 minutes to 3 days. Bans concern this node only.
 */
export class BinanceLimits {
  private readonly offenders = new Map<string, Offender>();

  constructor(
    private readonly windows: BinanceWindows,
    private readonly now: () => number,
  ) {}

  /** Counts the weight of a request. @returns What its address has used @throws BinanceError -1003, with status 429 or 418 */
  takeWeight(scope: string, weight: number): Usage {
    const now = this.now();
    const offender = this.offenders.get(scope);
    if (offender !== undefined && now < offender.bannedUntil) throw banned(offender, now);
    const { weights } = this.windows;
    if (weights.take(scope, 0, now, 1, weight)) return usage(weights);
    this.noteRejection(scope, now);
    throw new BinanceError(
      -1003,
      `Too much request weight used; current limit is ${weights.limit} request weight per 1 MINUTE. ` +
        'Please use WebSocket Streams for live updates to avoid polling the API.',
      429,
      weights.retryAfterSeconds,
    );
  }

  /** Returns whether an address is banned. */
  isBanned(scope: string): boolean {
    const offender = this.offenders.get(scope);
    return offender !== undefined && this.now() < offender.bannedUntil;
  }

  /** Counts the orders that a request is to place. @throws BinanceError -1015 */
  takeOrders({ index, limitClass }: Account, count: number): OrderCounts {
    const now = this.now();
    const { orders, ordersOfDay } = this.windows;
    if (!orders.take(index, 0, limitClass, now, count)) {
      throw tooManyOrders(orders.limit, '10 SECOND', orders.retryAfterSeconds);
    }
    if (!ordersOfDay.take(index, 0, limitClass, now, count)) {
      throw tooManyOrders(ordersOfDay.limit, '1 DAY', ordersOfDay.retryAfterSeconds);
    }
    return { tenSeconds: usage(orders), day: usage(ordersOfDay) };
  }

  /** The limits of weight and of an ordinary account's orders. */
  get maxima(): { readonly weight: number; readonly orders: number; readonly ordersOfDay: number } {
    const { weights, orders, ordersOfDay } = this.windows;
    return { weight: weights.maximum, orders: orders.maximum, ordersOfDay: ordersOfDay.maximum };
  }

  /** Returns the weight that an address has used. */
  usedWeight(scope: string): Usage {
    const { weights } = this.windows;
    weights.take(scope, 0, this.now(), 1, 0);
    return usage(weights);
  }

  /** Returns the orders that an account has placed. */
  usedOrders({ index, limitClass }: Account): OrderCounts {
    const now = this.now();
    const { orders, ordersOfDay } = this.windows;
    orders.take(index, 0, limitClass, now, 0);
    ordersOfDay.take(index, 0, limitClass, now, 0);
    return { tenSeconds: usage(orders), day: usage(ordersOfDay) };
  }

  private noteRejection(scope: string, now: number): void {
    let offender = this.offenders.get(scope);
    const windowEndsAt = now + this.windows.weights.retryAfterSeconds * 1000;
    if (offender === undefined) {
      offender = { rejections: 0, windowEndsAt, bannedUntil: 0, nextBanMs: FIRST_BAN_MS };
      this.remember(scope, offender);
    } else if (now >= offender.windowEndsAt) {
      offender.rejections = 0;
      offender.windowEndsAt = windowEndsAt;
    }
    if (++offender.rejections < MAX_REJECTIONS) return;
    offender.rejections = 0;
    offender.bannedUntil = now + offender.nextBanMs;
    offender.nextBanMs = Math.min(offender.nextBanMs * 2, MAX_BAN_MS);
    throw banned(offender, now);
  }

  private remember(scope: string, offender: Offender): void {
    const [oldest] = this.offenders.keys();
    if (this.offenders.size >= MAX_OFFENDERS) this.offenders.delete(oldest!);
    this.offenders.set(scope, offender);
  }
}

function usage({ limit, remaining }: Pick<BinanceWindows['orders'], 'limit' | 'remaining'>): Usage {
  return { used: limit - remaining, limit };
}

function banned({ bannedUntil }: Offender, now: number): BinanceError {
  return new BinanceError(
    -1003,
    `Way too much request weight used; IP banned until ${bannedUntil}. ` +
      'Please use WebSocket Streams for live updates to avoid bans.',
    BANNED,
    Math.ceil((bannedUntil - now) / 1000),
  );
}

function tooManyOrders(limit: number, per: string, retryAfter: number): BinanceError {
  const message = `Too many new orders; current limit is ${limit} orders per ${per}.`;
  return new BinanceError(-1015, message, 429, retryAfter);
}
