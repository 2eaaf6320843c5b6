import { DAY_MS } from '../../config/durations.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import type { Caller } from '../auth/caller.ts';
import { type Endpoint, pathTemplate } from '../endpoints/endpoint.ts';
import { ENDPOINTS } from '../endpoints/endpoints.ts';
import { RATES } from '../endpoints/rates.ts';
import type { Services } from '../services.ts';
import { LimitSharing } from './limit-sharing.ts';
import {
  AccountWindows,
  AddressWindows,
  type EndpointLimit,
  type RateLimitMode,
} from './rate-limit.ts';

/** The window number of requests without an endpoint. */
export const NO_ENDPOINT = ENDPOINTS.length;
/** The window number of web/ pages and their files, separate from the API because a reload loads several. */
export const WEB_FILES = ENDPOINTS.length + 1;
const WEB_LIMIT = 1200;
const LIMITS = [...ENDPOINTS.map((endpoint) => endpoint.limit), RATES.public, WEB_LIMIT];
/** The limits of sessions by endpoint: a user at the page may act faster than the specification allows for keys. */
const SESSION_LIMITS = LIMITS.map((limit, index) => ENDPOINTS[index]?.sessionLimit ?? limit);
/**
 * Maximum rejected requests per address and minute before further rejections are delayed. A client that retries as
 * often as the limits allow stays far below.
 */
const MAX_PROMPT_REJECTIONS = 500;
/**
 * Maximum operations per address and minute beyond those in progress, before the connection is closed. A client that sends ten
 * thousand at once by mistake stays below.
 */
const MAX_EXCESS_OPERATIONS = 20_000;
/** Maximum requests for past states per account or address and minute: each may replay a part of the log. */
export const PAST_LIMIT = 120;
/** Request weight per address and minute in the Binance dialect. */
const BINANCE_WEIGHT = 6000;
/** Orders per account in the Binance dialect. */
const BINANCE_ORDERS = { limit: 100, windowMs: 10_000 };
const BINANCE_ORDERS_A_DAY = { limit: 200_000, windowMs: DAY_MS };
/** The limits of an account's windows: one per endpoint that accepts keys; the first stands for all others. */
const KEY_LIMITS: number[] = [RATES.session];
/** The index in KEY_LIMITS of each endpoint's window. */
export const KEY_SLOTS = ENDPOINTS.map(({ access, limit }) =>
  access === 'public' || access === 'session' || access === 'custodian'
    ? 0
    : KEY_LIMITS.push(limit) - 1,
);

/** The windows that requests are counted in. Nodes whose endpoints have the same numbers share their counts. */
export class Windows {
  readonly accounts: AccountWindows;
  /** Separate from keys, so that an open page does not use up the limits of its user's bots. */
  readonly sessions: AddressWindows;
  readonly addresses: AddressWindows;
  /** Wrong credentials, separate so that they never use up an account's window or a public one. */
  readonly failures: AddressWindows;
  /** Rejected requests to any endpoint; not shared, because they cost only this node's time. */
  readonly rejections: AddressWindows;
  /** Operations of sockets beyond those in progress; not shared either. */
  readonly excess: AddressWindows;
  /** Requests for past states, by account or address; not shared, because only a sandbox of one node has a past. */
  readonly past: AddressWindows;
  /** The limits of the Binance dialect, which has none for each endpoint. */
  readonly binance: BinanceWindows;
  private readonly sharing: LimitSharing | undefined;

  constructor({ bus, now }: Pick<Services, 'bus' | 'now'>, mode: RateLimitMode) {
    this.accounts = new AccountWindows(KEY_LIMITS, mode);
    this.sessions = new AddressWindows(SESSION_LIMITS, mode);
    this.addresses = new AddressWindows(LIMITS, mode);
    this.failures = new AddressWindows(LIMITS, mode);
    this.rejections = new AddressWindows([MAX_PROMPT_REJECTIONS], mode);
    this.excess = new AddressWindows([MAX_EXCESS_OPERATIONS], mode);
    this.past = new AddressWindows([PAST_LIMIT], mode);
    this.binance = new BinanceWindows(mode);
    if (bus === undefined || mode === 'off') return;
    const { weights, orders, ordersOfDay } = this.binance;
    const own = [this.accounts, this.sessions, this.addresses, this.failures];
    const all = [...own, weights, orders, ordersOfDay];
    const numbered = ENDPOINTS.map(({ method, path }, index) => [method, path, KEY_SLOTS[index]]);
    this.sharing = new LimitSharing(bus, all, JSON.stringify(numbered), now);
  }

  /** Returns an account's limits for requests with keys, on the endpoints that accept keys and match. */
  listLimits({ limitClass }: Account, matches: (endpoint: Endpoint) => boolean): EndpointLimit[] {
    return ENDPOINTS.flatMap((endpoint, index) => {
      const slot = KEY_SLOTS[index]!;
      if (slot === 0 || !matches(endpoint)) return [];
      const { method } = endpoint;
      const path = pathTemplate(endpoint);
      const limit = this.accounts.isOff ? undefined : this.accounts.scaledLimit(slot, limitClass);
      return [{ method, path, limit }];
    });
  }

  /** Counts further requests of an authorized caller. @returns The windows, whose fields have the result. */
  takeFurther(
    caller: Caller,
    endpoint: number,
    requests: number,
    nowMs: number,
  ): AccountWindows | AddressWindows {
    const { account } = caller;
    if ('session' in caller) {
      // Sessions count for the main account, whichever account they select.
      const { id, limitClass } = account.owner;
      this.sessions.take(id, endpoint, nowMs, limitClass, requests);
      return this.sessions;
    }
    const { index, limitClass } = account;
    this.accounts.take(index, KEY_SLOTS[endpoint]!, limitClass, nowMs, requests);
    return this.accounts;
  }

  /** Stops sharing counts with other nodes. */
  close(): void {
    this.sharing?.stop();
  }
}

/** The windows of the Binance dialect (rest-api.md, "LIMITS"). Each has the number 0. */
export class BinanceWindows {
  /** Request weight by address. */
  readonly weights: AddressWindows;
  /** Orders by account, in 10 seconds and in a day. */
  readonly orders: AccountWindows;
  readonly ordersOfDay: AccountWindows;

  constructor(mode: RateLimitMode) {
    this.weights = new AddressWindows([BINANCE_WEIGHT], mode);
    this.orders = new AccountWindows([BINANCE_ORDERS.limit], mode, BINANCE_ORDERS.windowMs);
    const { limit, windowMs } = BINANCE_ORDERS_A_DAY;
    this.ordersOfDay = new AccountWindows([limit], mode, windowMs);
  }
}
