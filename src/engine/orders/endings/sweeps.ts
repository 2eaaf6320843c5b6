import type { OrderDetails } from '../../book/order-details.ts';
import type { OrderIndex } from '../../book/order-index.ts';
import type { OrderStore } from '../../book/order-store.ts';
import { type ElementHashes, mix, mixNumber } from '../../digest.ts';
import type { Swept } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import type { Market } from '../../markets/markets.ts';
import { NONE } from '../../terms.ts';
import type { TriggeredOrders } from '../triggers/triggered-orders.ts';

/** Key of a sweep that ends orders of every key. */
export const ANY_KEY = -2;

/** Base of the polynomial, modulo 2^32, that hashes the order of the queue; odd, so that it has an inverse. */
const FACTOR = 0x9e3779b1;
/** FACTOR times INVERSE is 1 modulo 2^32. */
const INVERSE = 0x0e8b2f51;

/** A sweep ends many orders in portions. Orders placed after it started are not part of it. */
export interface Sweep {
  readonly id: number;
  /** The OrderReason of the orders that it ends. */
  readonly reason: number;
  /** NONE for every account, when a market is delisted. */
  readonly account: number;
  /** NONE for orders that were placed without a key; ANY_KEY for all. */
  readonly key: number;
  /** NONE for every market. */
  readonly market: number;
  /** Null for every order of the account that matches the other fields. */
  readonly orderIds: readonly number[] | null;
  /** Orders with this id or a higher one are not part of the sweep. */
  readonly below: number;
}

/**
 * The sweeps in progress, and the remaining work budget of the current portion for sweeps, expiries
 * and deadlines.
 */
export class Sweeps {
  /** In the order in which they continue. */
  private readonly waiting: Sweep[] = [];
  /** Number of sweeps by account. */
  private readonly counts = new Map<number, number>();
  /** Hash of the ids in their order, and FACTOR to the power of their number. */
  private order = 0;
  private power = 1;
  nextId = 1;
  /**
   * Number of orders that may still end in the current portion; negative if the last step exceeded
   * it.
   */
  endsLeft = 0;
  /** Orders that the current command ended for sweeps started by earlier commands. */
  readonly swept: Swept[] = [];

  /** The next one to proceed first. */
  get queue(): readonly Sweep[] {
    return this.waiting;
  }

  count(account: number): number {
    return this.counts.get(account) ?? 0;
  }

  /** Adds a sweep after all others. */
  push(sweep: Sweep): void {
    this.waiting.push(sweep);
    this.counts.set(sweep.account, this.count(sweep.account) + 1);
    this.order = (Math.imul(this.order, FACTOR) + hashPlace(sweep)) | 0;
    this.power = Math.imul(this.power, FACTOR);
  }

  /** Removes the sweep that is to proceed next; only if there is one. */
  shift(): Sweep {
    const sweep = this.waiting.shift()!;
    const count = this.count(sweep.account) - 1;
    if (count === 0) this.counts.delete(sweep.account);
    else this.counts.set(sweep.account, count);
    this.power = Math.imul(this.power, INVERSE);
    this.order = (this.order - Math.imul(hashPlace(sweep), this.power)) | 0;
    return sweep;
  }

  mixInto(digest: number): number {
    return mix(mixNumber(mix(digest, this.endsLeft), this.nextId), this.order);
  }
}

/** The parts of the state that sweeps need. */
export interface SweepState extends ElementHashes {
  readonly sweeps: Sweeps;
  readonly orders: OrderStore;
  readonly details: OrderDetails;
  readonly index: OrderIndex;
  readonly accounts: readonly Account[];
  readonly markets: readonly Market[];
  readonly triggered: TriggeredOrders;
}

/** Adds a sweep for the next portions to continue. */
export function addSweep(state: SweepState, sweep: Sweep): void {
  state.sweeps.push(sweep);
  state.include(hashSweep(sweep));
}

/** Removes and returns the sweep that continues next; there must be one. */
export function takeSweep(state: SweepState): Sweep {
  const sweep = state.sweeps.shift();
  state.exclude(hashSweep(sweep));
  return sweep;
}

/** Returns the ids of the open orders that an account sweep has left, the oldest first. */
export function listRemainingOrders(sweep: Sweep, state: SweepState): number[] {
  const { details, index, orders, accounts } = state;
  const { account, key, market, orderIds, below } = sweep;
  const slots = orderIds?.map((id) => index.find(id)) ?? accounts[account]!.openSlots;
  const ids: number[] = [];
  for (const slot of slots) {
    if (slot === NONE || orders.account(slot) !== account) continue;
    if (key !== ANY_KEY && details.key(slot) !== key) continue;
    if (market !== NONE && details.market(slot) !== market) continue;
    if (details.id(slot) < below) ids.push(details.id(slot));
  }
  ids.sort((a, b) => a - b);
  return orderIds === null ? ids : [...new Set(ids)];
}

/**
 * Returns the slot of the next order that a delisting ends: bids, asks, stops, then trailing stops, the triggered
 * ones first; NONE if none is left.
 */
export function findNextInMarket({ market }: Sweep, state: SweepState): number {
  const { book, triggers, trailing } = state.markets[market]!;
  const bid = book.best(0);
  if (bid !== NONE) return bid;
  const ask = book.best(1);
  if (ask !== NONE) return ask;
  if (triggers.first !== NONE) return triggers.first;
  const triggered = state.triggered.nextTrailing(market);
  return triggered === NONE ? trailing.first : triggered;
}

function hashPlace({ id }: Sweep): number {
  return mixNumber(27, id);
}

export function hashSweep(sweep: Sweep): number {
  const { id, reason, account, key, market, orderIds, below } = sweep;
  let hash = mixNumber(mixNumber(mix(24, reason), id), below);
  hash = mix(mix(mix(hash, account), key), market);
  for (const orderId of orderIds ?? []) hash = mixNumber(hash, orderId);
  return mix(hash, orderIds === null ? 0 : 1);
}
